package models

var openAI = []Model{
	{
		ID: "gpt-4o", Aliases: []string{"gpt-4o-2024-08-06", "gpt-4o-2024-11-20"},
		Context: 128_000, Output: 16_384,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: No, MaxTools: 128, MaxToolName: 64,
		Prices: &Prices{Input: 2.50 * PerMillion, CacheRead: 1.25 * PerMillion, Output: 10 * PerMillion},
		Source: "https://developers.openai.com/api/docs/models/gpt-4o", Date: "2026-11-22",
	},
	{
		ID: "gpt-4o-mini", Aliases: []string{"gpt-4o-mini-2024-07-18"},
		Context: 128_000, Output: 16_384,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: No, MaxTools: 128, MaxToolName: 64,
		Prices: &Prices{Input: 0.15 * PerMillion, CacheRead: 0.075 * PerMillion, Output: 0.60 * PerMillion},
		Source: "https://developers.openai.com/api/docs/models/gpt-4o-mini", Date: "2026-11-22",
	},
}
