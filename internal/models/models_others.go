package models

// mistral are the models of Mistral.
var mistral = []Model{
	{
		// In preview it costs half.
		ID:        "mistral-large-4",
		Reasoning: Yes,
		Prices:    &Prices{Input: 1.36 * PerMillion, CacheRead: 0.14 * PerMillion, Output: 4.18 * PerMillion},
		Source:    "https://github.com/anomalyco/models.dev/blob/d89d7764783b9837c6f77ce0dd2bef914526d47d/providers/mistral/models/mistral-large-4.toml", Date: "2026-11-22",
	},
	{
		ID: "mistral-large-2512", Aliases: []string{"mistral-large-latest"},
		Context: 262_144,
		Tools:   Yes, Images: Yes, Schema: Yes, Temperature: Yes, Reasoning: No,
		Prices: &Prices{Input: 0.5 * PerMillion, Output: 1.5 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/7fbe22429db68bfe4b3219fd7d8604105a7419d1/providers/mistral/models/mistral-large-2512.toml", Date: "2026-11-22",
	},
	{
		// Its prices are from
		// https://github.com/anomalyco/models.dev/blob/ca42ed5bea33c0e66e8fd6e664da85285500d03e/providers/mistral/models/mistral-medium-3.5.toml
		ID: "mistral-medium-2604", Aliases: []string{"mistral-medium-3.5", "mistral-medium-latest"},
		Context: 262_144,
		Tools:   Yes, Images: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 1.5 * PerMillion, Output: 7.5 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/f6c6f04367172d62ebd23191660a895587dc3789/models/mistral/mistral-medium-2604.toml", Date: "2026-11-22",
	},
	{
		ID: "mistral-small-2603", Aliases: []string{"mistral-small-latest"},
		Context: 256_000,
		Tools:   Yes, Images: Yes, Temperature: Yes, Reasoning: Yes,
		Source: "https://github.com/anomalyco/models.dev/blob/1a0bdb93f9da8f34c9188e4e385f03c721657f85/models/mistral/mistral-small-2603.toml", Date: "2026-11-22",
	},
	{
		// Two contexts are reported; which one holds is not known.
		ID: "codestral-2508", Aliases: []string{"codestral-latest"},
		Tools: Yes, Images: No, Schema: Yes, Temperature: Yes, Reasoning: No,
		Prices: &Prices{Input: 0.3 * PerMillion, CacheRead: 0.03 * PerMillion, Output: 0.9 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/d87c8d022444bd698913af216ec2f6205f740f7b/providers/mistral/models/codestral-2508.toml", Date: "2026-11-22",
	},
	{
		ID:      "devstral-2512",
		Context: 262_144,
		Tools:   Yes, Images: No, Temperature: Yes, Reasoning: No,
		Prices:     &Prices{Input: 0.4 * PerMillion, Output: 2 * PerMillion},
		Deprecated: true, Retired: "2026-07-31",
		Source: "https://github.com/anomalyco/models.dev/blob/51752b58070a4ca5c88d008b2d8a6f7751e652f5/providers/mistral/models/devstral-2512.toml", Date: "2026-11-22",
	},
	{
		ID: "magistral-medium-2509", Aliases: []string{"magistral-medium-latest"},
		Context: 128_000, Output: 16_384,
		Tools: Yes, Temperature: Yes, Reasoning: Yes,
		Prices:     &Prices{Input: 2 * PerMillion, Output: 5 * PerMillion},
		Deprecated: true,
		Source:     "https://github.com/anomalyco/models.dev/blob/4061abb29fddc6313a5fb9eb87634187aa1a0a6d/providers/mistral/models/magistral-medium-latest.toml", Date: "2026-11-22",
	},
	{
		ID: "ministral-14b-2512", Aliases: []string{"ministral-14b-latest"},
		Prices: &Prices{Input: 0.2 * PerMillion, CacheRead: 0.02 * PerMillion, Output: 0.2 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/d87c8d022444bd698913af216ec2f6205f740f7b/providers/mistral/models/ministral-14b-2512.toml", Date: "2026-11-22",
	},
	{
		ID: "ministral-8b-2512", Aliases: []string{"ministral-8b-latest"},
		Prices: &Prices{Input: 0.15 * PerMillion, CacheRead: 0.015 * PerMillion, Output: 0.15 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/ca42ed5bea33c0e66e8fd6e664da85285500d03e/providers/mistral/models/ministral-8b-2512.toml", Date: "2026-11-22",
	},
}

// groq are models that Groq serves.
var groq = []Model{
	{
		ID:      "openai/gpt-oss-120b",
		Context: 131_072, Output: 65_536,
		Tools: Yes, Images: No, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.15 * PerMillion, CacheRead: 0.075 * PerMillion, Output: 0.6 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/3beb135e23779c1d180b4938ed172e2f67f2fee6/providers/groq/models/openai/gpt-oss-120b.toml", Date: "2026-11-22",
	},
	{
		ID:      "openai/gpt-oss-20b",
		Context: 131_072, Output: 65_536,
		Tools: Yes, Images: No, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.075 * PerMillion, CacheRead: 0.0375 * PerMillion, Output: 0.3 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/3beb135e23779c1d180b4938ed172e2f67f2fee6/providers/groq/models/openai/gpt-oss-20b.toml", Date: "2026-11-22",
	},
	{
		// That it takes tools and reasons is from
		// https://github.com/anomalyco/models.dev/blob/4fd33d707c0e34e8163846b79e33e87d02509e8d/models/alibaba/qwen3.8-27b.toml
		ID:      "qwen/qwen3.8-27b",
		Context: 131_042, Output: 16_384,
		Tools: Yes, Images: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.8 * PerMillion, CacheRead: 0.4 * PerMillion, Output: 4 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/b035760ce44702cbe962d575790ca4dfe841a1c8/providers/groq/models/qwen/qwen3.8-27b.toml", Date: "2026-11-22",
	},
	{
		// Its end and successor are from https://console.groq.com/docs/deprecations.
		ID:      "llama-3.3-70b-versatile",
		Context: 131_072, Output: 32_768,
		Tools: Yes, Images: No, Temperature: Yes, Reasoning: No,
		Prices:     &Prices{Input: 0.59 * PerMillion, Output: 0.79 * PerMillion},
		Deprecated: true, Retired: "2026-08-16", Successor: "openai/gpt-oss-120b",
		Source: "https://github.com/narevai/models.dev/blob/a70ca6a4ce45ae2f26775de91cb1aadc46c9c8e5/providers/groq/models/llama-3.3-70b-versatile.toml", Date: "2026-11-22",
	},
}

// deepSeek are the models of DeepSeek. Its prices are those of the peak hours on weekdays; the others
// are half of them.
var deepSeek = []Model{
	{
		ID: "deepseek-flash", Aliases: []string{"deepseek-v4-flash", "deepseek-v4-flash-vision-exp"},
		Context: 1_000_000, Output: 384_000,
		Tools: Yes, Images: Yes, Schema: No, Reasoning: Yes,
		Prices: &Prices{Input: 0.3 * PerMillion, CacheRead: 0.006 * PerMillion, Output: 1.2 * PerMillion},
		Source: "https://api-docs.deepseek.com/quick_start/pricing", Date: "2026-11-22",
	},
	{
		ID:      "deepseek-v4-pro",
		Context: 1_000_000, Output: 384_000,
		Tools: Yes, Images: No, Schema: No, Reasoning: Yes,
		Prices: &Prices{Input: 1.32 * PerMillion, CacheRead: 0.044 * PerMillion, Output: 3.96 * PerMillion},
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
		// Its prices, and that it takes PDF documents, are from
		// https://github.com/anomalyco/models.dev/blob/c8249f138322f68aa6dd7beed34ca0a27fc78ccf/providers/xai/models/grok-4.7.toml
		ID:      "grok-4.7",
		Context: 500_000,
		Tools:   Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 2 * PerMillion, CacheRead: 0.5 * PerMillion, Output: 6 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 4 * PerMillion, CacheRead: PerMillion, Output: 12 * PerMillion},
		},
		Source: "https://github.com/anomalyco/models.dev/blob/c8249f138322f68aa6dd7beed34ca0a27fc78ccf/models/xai/grok-4.7.toml", Date: "2026-11-22",
	},
	{
		// Its prices, and that it takes PDF documents, are from
		// https://github.com/anomalyco/models.dev/blob/e23d24b5f6794d41127c9709c95f87950abf5953/providers/xai/models/grok-4.6.toml
		ID:      "grok-4.6",
		Context: 500_000,
		Tools:   Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 2 * PerMillion, CacheRead: 0.5 * PerMillion, Output: 6 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 4 * PerMillion, CacheRead: PerMillion, Output: 12 * PerMillion},
		},
		Source: "https://github.com/anomalyco/models.dev/blob/83dc195aeea858c3476666e8f43117fa7f3b8d8d/models/xai/grok-4.6.toml", Date: "2026-11-22",
	},
	{
		ID:      "grok-4.5",
		Context: 500_000,
		Tools:   Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 2 * PerMillion, CacheRead: 0.5 * PerMillion, Output: 6 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 4 * PerMillion, CacheRead: PerMillion, Output: 12 * PerMillion},
		},
		Source: "https://github.com/anomalyco/models.dev/blob/4772f8992e75d2cc8adf9e713c4f09fd11fcbc7d/providers/xai/models/grok-4.5.toml", Date: "2026-11-22",
	},
	{
		ID:      "grok-4.3",
		Context: 1_000_000, Output: 30_000,
		Tools: Yes, Images: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 1.25 * PerMillion, CacheRead: 0.2 * PerMillion, Output: 2.5 * PerMillion,
			Above: 200_000, Long: &Prices{Input: 2.5 * PerMillion, CacheRead: 0.4 * PerMillion, Output: 5 * PerMillion},
		},
		Source: "https://github.com/anomalyco/models.dev/blob/92a621594ebf77dd8140cd8cc2e33a3e34094b64/providers/xai/models/grok-4.3.toml", Date: "2026-11-22",
	},
}
