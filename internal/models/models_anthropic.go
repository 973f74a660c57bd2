package models

var anthropic = []Model{
	{
		ID: "claude-opus-5", Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{Input: 5 * PerMillion, CacheRead: 0.50 * PerMillion, CacheWrite: 6.25 * PerMillion, Output: 25 * PerMillion},
		Source: "https://platform.claude.com/docs/en/models/opus-5/overview", Date: "2026-11-22",
	},
}
