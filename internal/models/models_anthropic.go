package models

var anthropic = []Model{
	{
		ID: "claude-opus-5", Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{Input: 5 * PerMillion, CacheRead: 0.50 * PerMillion, CacheWrite: 6.25 * PerMillion, Output: 25 * PerMillion},
		Source: "https://platform.claude.com/docs/en/models/opus-5/overview", Date: "2026-11-22",
	},
	{
		ID: "claude-sonnet-4-5", Aliases: []string{"claude-sonnet-4-5-20250929"}, Context: 200_000, Output: 64_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 3 * PerMillion, CacheRead: 0.30 * PerMillion, CacheWrite: 3.75 * PerMillion, Output: 15 * PerMillion},
		Source: "https://platform.claude.com/docs/en/about-claude/models/overview", Date: "2026-11-22",
	},
}
