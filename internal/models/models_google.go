package models

var google = []Model{
	{
		ID: "gemini-2.5-flash", Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.30 * PerMillion, CacheRead: 0.03 * PerMillion, Output: 2.50 * PerMillion},
		Source: "https://ai.google.dev/gemini-api/docs/models", Date: "2026-11-22",
	},
	{
		ID: "gemini-2.5-pro", Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 1.25 * PerMillion, CacheRead: 0.125 * PerMillion, Output: 10 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 2.50 * PerMillion, CacheRead: 0.25 * PerMillion, Output: 15 * PerMillion},
		},
		Source: "https://ai.google.dev/gemini-api/docs/models", Date: "2026-11-22",
	},
}
