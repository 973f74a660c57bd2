package models

// mistral are the models of Mistral.
var mistral = []Model{
	{
		// In preview it costs half.
		ID:    "mistral-large-4",
		Tools: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 1.36 * PerMillion, CacheRead: 0.14 * PerMillion, Output: 4.18 * PerMillion},
		Source: "https://docs.mistral.ai/models/mistral-large-4-0", Date: "2026-11-22",
	},
	{
		ID: "mistral-large-2512", Aliases: []string{"mistral-large-latest"},
		Context: 262_144,
		Tools:   Yes, Images: Yes, Temperature: Yes, Reasoning: No,
		Prices: &Prices{Input: 0.5 * PerMillion, Output: 1.5 * PerMillion},
		Source: "https://docs.mistral.ai/models/mistral-large-3-25-12", Date: "2026-11-22",
	},
	{
		ID: "mistral-medium-2604", Aliases: []string{"mistral-medium-3.5", "mistral-medium-latest"},
		Context: 262_144,
		Tools:   Yes, Images: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 1.5 * PerMillion, Output: 7.5 * PerMillion},
		Source: "https://docs.mistral.ai/models/mistral-medium-3-5-26-04", Date: "2026-11-22",
	},
	{
		ID: "mistral-small-2603", Aliases: []string{"mistral-small-latest"},
		Context: 256_000,
		Tools:   Yes, Images: Yes, Temperature: Yes, Reasoning: Yes,
		Source: "https://github.com/anomalyco/models.dev/blob/dev/models/mistral/mistral-small-2603.toml", Date: "2026-11-22",
	},
	{
		ID: "codestral-2508", Aliases: []string{"codestral-latest"},
		Context: 256_000,
		Tools:   Yes, Images: No, Schema: Yes, Temperature: Yes, Reasoning: No,
		Prices: &Prices{Input: 0.3 * PerMillion, Output: 0.9 * PerMillion},
		Source: "https://docs.mistral.ai/models/codestral-25-08", Date: "2026-11-22",
	},
	{
		ID: "devstral-2512", Aliases: []string{"devstral-latest", "devstral-medium-latest"},
		Context: 262_144,
		Tools:   Yes, Images: No, Temperature: Yes, Reasoning: No,
		Prices: &Prices{Input: 0.4 * PerMillion, Output: 2 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/dev/models/mistral/devstral-2512.toml", Date: "2026-11-22",
	},
	{
		ID: "magistral-medium-2509", Aliases: []string{"magistral-medium-latest"},
		Context: 128_000,
		Tools:   Yes, Reasoning: Yes,
		Prices: &Prices{Input: 2 * PerMillion, Output: 5 * PerMillion},
		Source: "https://github.com/charmbracelet/catwalk/blob/main/internal/providers/configs/mistral.json", Date: "2026-11-22",
	},
	{
		ID: "ministral-14b-2512", Aliases: []string{"ministral-14b-latest"},
		Tools:  Yes,
		Prices: &Prices{Input: 0.2 * PerMillion, Output: 0.2 * PerMillion},
		Source: "https://github.com/charmbracelet/catwalk/blob/main/internal/providers/configs/mistral.json", Date: "2026-11-22",
	},
	{
		ID: "ministral-8b-2512", Aliases: []string{"ministral-8b-latest"},
		Tools:  Yes,
		Prices: &Prices{Input: 0.15 * PerMillion, Output: 0.15 * PerMillion},
		Source: "https://github.com/charmbracelet/catwalk/blob/main/internal/providers/configs/mistral.json", Date: "2026-11-22",
	},
}

// groq are models that Groq serves. Their prices are those of https://groq.com/pricing.
var groq = []Model{
	{
		ID:      "openai/gpt-oss-120b",
		Context: 131_072, Output: 65_536,
		Tools: Yes, Images: No, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.15 * PerMillion, CacheRead: 0.075 * PerMillion, Output: 0.6 * PerMillion},
		Source: "https://console.groq.com/docs/models", Date: "2026-11-22",
	},
	{
		ID:      "openai/gpt-oss-20b",
		Context: 131_072, Output: 65_536,
		Tools: Yes, Images: No, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.075 * PerMillion, CacheRead: 0.0375 * PerMillion, Output: 0.3 * PerMillion},
		Source: "https://console.groq.com/docs/models", Date: "2026-11-22",
	},
	{
		ID:      "qwen/qwen3.8-27b",
		Context: 131_042, Output: 16_384,
		Tools: Yes, Images: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.8 * PerMillion, CacheRead: 0.4 * PerMillion, Output: 4 * PerMillion},
		Source: "https://console.groq.com/docs/models", Date: "2026-11-22",
	},
	{
		ID:      "llama-3.3-70b-versatile",
		Context: 131_072,
		Tools:   Yes, Images: No, Schema: No, Reasoning: No,
		Deprecated: true, Retired: "2026-08-16", Successor: "openai/gpt-oss-120b",
		Source: "https://console.groq.com/docs/deprecations", Date: "2026-11-22",
	},
}

// deepSeek are the models of DeepSeek. Its prices differ by the time of day; they are not known in
// dollars.
var deepSeek = []Model{
	{
		ID: "deepseek-flash", Aliases: []string{"deepseek-v4-flash", "deepseek-v4-flash-vision-exp"},
		Context: 1_000_000, Output: 384_000,
		Tools: Yes, Images: Yes, Schema: No, Reasoning: Yes,
		Source: "https://api-docs.deepseek.com/quick_start/pricing", Date: "2026-11-22",
	},
	{
		ID:      "deepseek-v4-pro",
		Context: 1_000_000, Output: 384_000,
		Tools: Yes, Images: No, Schema: No, Reasoning: Yes,
		Source: "https://api-docs.deepseek.com/quick_start/pricing", Date: "2026-11-22",
	},
	{
		ID:         "deepseek-chat",
		Deprecated: true, Retired: "2026-07-24", Successor: "deepseek-flash",
		Source: "https://api-docs.deepseek.com/quick_start/pricing", Date: "2026-11-22",
	},
	{
		ID:         "deepseek-reasoner",
		Deprecated: true, Retired: "2026-07-24", Successor: "deepseek-flash",
		Source: "https://api-docs.deepseek.com/quick_start/pricing", Date: "2026-11-22",
	},
}

// xAI are the models of xAI. There is no limit to an answer besides the context.
var xAI = []Model{
	{
		ID:      "grok-4.7",
		Context: 500_000,
		Tools:   Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 2 * PerMillion, CacheRead: 0.5 * PerMillion, Output: 6 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 4 * PerMillion, CacheRead: PerMillion, Output: 12 * PerMillion},
		},
		Source: "https://docs.x.ai/developers/models/grok-4.7", Date: "2026-11-22",
	},
	{
		ID:      "grok-4.6",
		Context: 500_000,
		Tools:   Yes, Images: Yes, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 2 * PerMillion, CacheRead: 0.5 * PerMillion, Output: 6 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 4 * PerMillion, CacheRead: PerMillion, Output: 12 * PerMillion},
		},
		Source: "https://docs.x.ai/developers/models/grok-4.6", Date: "2026-11-22",
	},
	{
		ID:      "grok-4.5",
		Context: 500_000,
		Tools:   Yes, Images: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 2 * PerMillion, CacheRead: 0.5 * PerMillion, Output: 6 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 4 * PerMillion, CacheRead: PerMillion, Output: 12 * PerMillion},
		},
		Source: "https://docs.x.ai/developers/models/grok-4.5", Date: "2026-11-22",
	},
	{
		ID:      "grok-4.3",
		Context: 1_000_000, Output: 30_000,
		Tools: Yes, Images: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 1.25 * PerMillion, CacheRead: 0.2 * PerMillion, Output: 2.5 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 2.5 * PerMillion, CacheRead: 0.4 * PerMillion, Output: 5 * PerMillion},
		},
		Source: "https://docs.x.ai/developers/models/grok-4.3", Date: "2026-11-22",
	},
}
