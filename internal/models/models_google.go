package models

// google are the models of Google. Context is the limit of the input: Google counts the
// answer apart. Ends and successors are from
// https://ai.google.dev/gemini-api/docs/deprecations.
var google = []Model{
	{
		// Its prices hold until 2026-12-31, and are from
		// https://github.com/anomalyco/models.dev/blob/91a19838362bf054937e0e5534d8871762f354f8/providers/google/models/gemini-3.8-flash.toml
		ID:      "gemini-3.8-flash",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.75 * PerMillion, CacheRead: 0.075 * PerMillion, Output: 3.75 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/91a19838362bf054937e0e5534d8871762f354f8/models/google/gemini-3.8-flash.toml", Date: "2026-11-22",
	},
	{
		// Two prices are reported; which one holds is not known.
		ID:      "gemini-3.7-flash",
		Context: 1_048_576,
		Images:  Yes, Reasoning: Yes,
		Source: "https://github.com/charmbracelet/catwalk/blob/021b34d31f28ec06ea6062e1a6ed599ac74afdd0/internal/providers/configs/gemini.json", Date: "2026-11-22",
	},
	{
		// Two prices are reported; which one holds is not known.
		ID:      "gemini-3.6-flash",
		Context: 1_048_576,
		Images:  Yes, Reasoning: Yes,
		Source: "https://github.com/charmbracelet/catwalk/blob/021b34d31f28ec06ea6062e1a6ed599ac74afdd0/internal/providers/configs/gemini.json", Date: "2026-11-22",
	},
	{
		ID:      "gemini-3.5-flash",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 1.5 * PerMillion, Output: 9 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/96e7a00f4333b7b909a57a0f3bf63dc8f02f1a48/providers/google/models/gemini-3.5-flash.toml", Date: "2026-11-22",
	},
	{
		// Its prices are from
		// https://github.com/charmbracelet/catwalk/blob/021b34d31f28ec06ea6062e1a6ed599ac74afdd0/internal/providers/configs/gemini.json.
		// Those of the cache are not known.
		ID:      "gemini-3.5-flash-lite",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.3 * PerMillion, Output: 2.5 * PerMillion},
		Source: "https://ai.google.dev/gemini-api/docs/models/gemini-3.5-flash-lite", Date: "2026-11-22",
	},
	{
		ID: "gemini-3.1-pro-preview", Aliases: []string{"gemini-3.1-pro-preview-customtools"},
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 2 * PerMillion, CacheRead: 0.2 * PerMillion, Output: 12 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 4 * PerMillion, CacheRead: 0.4 * PerMillion, Output: 18 * PerMillion},
		},
		Source: "https://github.com/anomalyco/models.dev/blob/2593e131a1e02e1c69412c50b233986e2ab433e4/providers/google/models/gemini-3.1-pro-preview.toml", Date: "2026-11-22",
	},
	{
		ID:      "gemini-3.1-flash-lite",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.25 * PerMillion, CacheRead: 0.025 * PerMillion, Output: 1.5 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/34fd6673e5684ccc377fa821ff48af498d5703eb/providers/google/models/gemini-3.1-flash-lite.toml", Date: "2026-11-22",
	},
	{
		ID:      "gemini-3-flash-preview",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.5 * PerMillion, CacheRead: 0.05 * PerMillion, Output: 3 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/96e7a00f4333b7b909a57a0f3bf63dc8f02f1a48/providers/google/models/gemini-3-flash-preview.toml", Date: "2026-11-22",
	},
	{
		// Two limits of the input are reported.
		ID:    "gemini-3-pro-preview",
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 2 * PerMillion, CacheRead: 0.2 * PerMillion, Output: 12 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 4 * PerMillion, CacheRead: 0.4 * PerMillion, Output: 18 * PerMillion},
		},
		Deprecated: true, Retired: "2026-03-09", Successor: "gemini-3.1-pro-preview",
		Source: "https://github.com/anomalyco/models.dev/blob/2593e131a1e02e1c69412c50b233986e2ab433e4/providers/google/models/gemini-3-pro-preview.toml", Date: "2026-11-22",
	},
	{
		// Its prices are from
		// https://github.com/anomalyco/models.dev/blob/0760ceffd3e02115e6480d9a0be7992c330c2f35/providers/google/models/gemini-2.5-pro.toml
		ID:      "gemini-2.5-pro",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 1.25 * PerMillion, CacheRead: 0.125 * PerMillion, Output: 10 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 2.5 * PerMillion, CacheRead: 0.25 * PerMillion, Output: 15 * PerMillion},
		},
		Deprecated: true, Retired: "2026-12-01", Successor: "gemini-3.8-flash",
		Source: "https://github.com/anomalyco/models.dev/blob/36dbbd62f9f602f86ac654d45ab93b6d8a4f38cc/models/google/gemini-2.5-pro.toml", Date: "2026-11-22",
	},
	{
		// Its prices are from
		// https://github.com/anomalyco/models.dev/blob/0760ceffd3e02115e6480d9a0be7992c330c2f35/providers/google/models/gemini-2.5-flash.toml
		ID:      "gemini-2.5-flash",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices:     &Prices{Input: 0.3 * PerMillion, CacheRead: 0.03 * PerMillion, Output: 2.5 * PerMillion},
		Deprecated: true, Retired: "2026-12-01", Successor: "gemini-3.5-flash-lite",
		Source: "https://github.com/anomalyco/models.dev/blob/36dbbd62f9f602f86ac654d45ab93b6d8a4f38cc/models/google/gemini-2.5-flash.toml", Date: "2026-11-22",
	},
	{
		ID:      "gemini-2.5-flash-lite",
		Context: 1_048_576, Output: 65_536,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.1 * PerMillion, CacheRead: 0.01 * PerMillion, Output: 0.4 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/19565ce21d886b2ec61c7d0b984ce87ad1b140fb/providers/google/models/gemini-2.5-flash-lite.toml", Date: "2026-11-22",
	},
	{
		ID: "gemini-2.0-flash", Aliases: []string{"gemini-2.0-flash-001"},
		Context: 1_048_576, Output: 8192,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: No,
		Prices:     &Prices{Input: 0.1 * PerMillion, CacheRead: 0.025 * PerMillion, Output: 0.4 * PerMillion},
		Deprecated: true, Retired: "2026-06-01",
		Source: "https://github.com/anomalyco/models.dev/blob/51752b58070a4ca5c88d008b2d8a6f7751e652f5/providers/google/models/gemini-2.0-flash.toml", Date: "2026-11-22",
	},
	{
		ID: "gemini-2.0-flash-lite", Aliases: []string{"gemini-2.0-flash-lite-001"},
		Context: 1_048_576, Output: 8192,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: No,
		Prices:     &Prices{Input: 0.075 * PerMillion, Output: 0.3 * PerMillion},
		Deprecated: true, Retired: "2026-06-01",
		Source: "https://github.com/anomalyco/models.dev/blob/51752b58070a4ca5c88d008b2d8a6f7751e652f5/providers/google/models/gemini-2.0-flash-lite.toml", Date: "2026-11-22",
	},
}
