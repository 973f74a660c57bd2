package models

// google are the models of Google. Context is the limit of the input: Google counts the
// answer apart.
var google = []Model{
	{
		ID:      "gemini-3.8-flash",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.75 * PerMillion, CacheRead: 0.075 * PerMillion, Output: 3.75 * PerMillion},
		Source: "https://ai.google.dev/gemini-api/docs/models/gemini-3.8-flash", Date: "2026-11-22",
	},
	{
		ID:      "gemini-3.7-flash",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.75 * PerMillion, CacheRead: 0.075 * PerMillion, Output: 3.75 * PerMillion},
		Source: "https://github.com/charmbracelet/catwalk/blob/main/internal/providers/configs/gemini.json", Date: "2026-11-22",
	},
	{
		// Two prices are reported; which one holds is not known.
		ID:      "gemini-3.6-flash",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Source: "https://github.com/charmbracelet/catwalk/blob/main/internal/providers/configs/gemini.json", Date: "2026-11-22",
	},
	{
		ID:      "gemini-3.5-flash",
		Context: 1_048_576,
		Tools:   Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 1.5 * PerMillion, Output: 9 * PerMillion},
		Source: "https://github.com/charmbracelet/catwalk/blob/main/internal/providers/configs/gemini.json", Date: "2026-11-22",
	},
	{
		ID:      "gemini-3.5-flash-lite",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.3 * PerMillion, CacheRead: 0.03 * PerMillion, Output: 2.5 * PerMillion},
		Source: "https://github.com/charmbracelet/catwalk/blob/main/internal/providers/configs/gemini.json", Date: "2026-11-22",
	},
	{
		ID: "gemini-3.1-pro-preview", Aliases: []string{"gemini-3.1-pro-preview-customtools"},
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 2 * PerMillion, CacheRead: 0.2 * PerMillion, Output: 12 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 4 * PerMillion, CacheRead: 0.4 * PerMillion, Output: 18 * PerMillion},
		},
		Source: "https://ai.google.dev/gemini-api/docs/models/gemini-3.1-pro-preview", Date: "2026-11-22",
	},
	{
		ID:      "gemini-3.1-flash-lite",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.25 * PerMillion, CacheRead: 0.025 * PerMillion, Output: 1.5 * PerMillion},
		Source: "https://github.com/charmbracelet/catwalk/blob/main/internal/providers/configs/gemini.json", Date: "2026-11-22",
	},
	{
		ID:      "gemini-3-flash-preview",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.5 * PerMillion, CacheRead: 0.05 * PerMillion, Output: 3 * PerMillion},
		Source: "https://ai.google.dev/gemini-api/docs/models/gemini-3-flash-preview", Date: "2026-11-22",
	},
	{
		ID:      "gemini-3-pro-preview",
		Context: 1_048_576,
		Tools:   Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 2 * PerMillion, CacheRead: 0.2 * PerMillion, Output: 12 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 4 * PerMillion, CacheRead: 0.4 * PerMillion, Output: 18 * PerMillion},
		},
		Deprecated: true, Retired: "2026-03-09", Successor: "gemini-3.1-pro-preview",
		Source: "https://ai.google.dev/gemini-api/docs/deprecations", Date: "2026-11-22",
	},
	{
		ID:      "gemini-2.5-pro",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 1.25 * PerMillion, CacheRead: 0.125 * PerMillion, Output: 10 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 2.5 * PerMillion, CacheRead: 0.25 * PerMillion, Output: 15 * PerMillion},
		},
		Deprecated: true, Retired: "2026-12-01", Successor: "gemini-3.8-flash",
		Source: "https://ai.google.dev/gemini-api/docs/deprecations", Date: "2026-11-22",
	},
	{
		ID:      "gemini-2.5-flash",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices:     &Prices{Input: 0.3 * PerMillion, CacheRead: 0.03 * PerMillion, Output: 2.5 * PerMillion},
		Deprecated: true, Retired: "2026-12-01", Successor: "gemini-3.5-flash-lite",
		Source: "https://ai.google.dev/gemini-api/docs/deprecations", Date: "2026-11-22",
	},
	{
		ID:      "gemini-2.5-flash-lite",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.1 * PerMillion, CacheRead: 0.01 * PerMillion, Output: 0.4 * PerMillion},
		Source: "https://ai.google.dev/gemini-api/docs/deprecations", Date: "2026-11-22",
	},
	{
		ID: "gemini-2.0-flash", Aliases: []string{"gemini-2.0-flash-001"},
		Context: 1_048_576, Output: 8192,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: No,
		Deprecated: true, Retired: "2026-06-01",
		Source: "https://ai.google.dev/gemini-api/docs/deprecations", Date: "2026-11-22",
	},
	{
		ID: "gemini-2.0-flash-lite", Aliases: []string{"gemini-2.0-flash-lite-001"},
		Context: 1_048_576, Output: 8192,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: No,
		Deprecated: true, Retired: "2026-06-01",
		Source: "https://ai.google.dev/gemini-api/docs/deprecations", Date: "2026-11-22",
	},
}
