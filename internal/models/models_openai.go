package models

// openAI are the models of OpenAI. Ends and successors are from
// https://developers.openai.com/api/docs/deprecations, the number of tools and the length
// of their names from the reference of chat completions, and the prices of gpt-4o,
// gpt-4o-mini and the three gpt-4.1 from
// https://github.com/pydantic/genai-prices/blob/01d6df8c6f465a479f1bb6ef1d17758e0bf1b7f7/prices/providers/openai.yml.
//
// The tokens of an image are the most that
// https://developers.openai.com/api/docs/guides/images-vision lets one have: so many
// patches as a model takes (30,000, 10,000, 2,500 or 1,536) at the highest factor of all
// models, 2.46, or 8 tiles and what stands before them. The page was read in the copies of
// other repositories.
var openAI = []Model{
	{
		ID:      "gpt-6-luna",
		Context: 1_050_000, Input: 922_000, Output: 128_000, ResponsesTools: true,
		Tools: Yes, Images: Yes, ImageTokens: 73_800, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{
			Input: 0.1 * PerMillion, CacheRead: 0.01 * PerMillion, CacheWrite: 0.125 * PerMillion, Output: 0.5 * PerMillion,
			Above: 272_000, Long: &Prices{Input: 0.2 * PerMillion, CacheRead: 0.02 * PerMillion, CacheWrite: 0.25 * PerMillion, Output: 0.75 * PerMillion},
		},
		Source: "https://developers.openai.com/api/docs/models/gpt-6-luna", Date: "2026-11-22",
	},
	{
		ID:      "gpt-6.2-sol",
		Context: 1_050_000, Input: 922_000, Output: 128_000, ResponsesTools: true,
		Tools: Yes, Images: Yes, ImageTokens: 73_800, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{
			Input: 2 * PerMillion, CacheRead: 0.1 * PerMillion, CacheWrite: 2.5 * PerMillion, Output: 10 * PerMillion,
			Above: 272_000, Long: &Prices{Input: 4 * PerMillion, CacheRead: 0.2 * PerMillion, CacheWrite: 5.0 * PerMillion, Output: 15.0 * PerMillion},
		},
		Source: "https://developers.openai.com/api/docs/models/gpt-6.2-sol", Date: "2026-11-22",
	},
	{
		// Its prices without those of the cache are $8 and $40
		// (https://github.com/BerriAI/litellm/discussions/52347): too few to bound a cost.
		ID:      "gpt-6.2-astra",
		Context: 1_050_000, Input: 922_000, Output: 128_000, ResponsesTools: true,
		Tools: Yes, Images: Yes, ImageTokens: 73_800, Schema: Yes, Reasoning: Yes,
		Source: "https://vercel.com/ai-gateway/models/gpt-6.2-astra.md", Date: "2026-11-22",
	},
	{
		ID:      "gpt-6.1-sol",
		Context: 1_050_000, Input: 922_000, Output: 128_000, ResponsesTools: true,
		Tools: Yes, Images: Yes, ImageTokens: 73_800, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{
			Input: 2 * PerMillion, CacheRead: 0.1 * PerMillion, CacheWrite: 2.5 * PerMillion, Output: 10 * PerMillion,
			Above: 272_000, Long: &Prices{Input: 4 * PerMillion, CacheRead: 0.2 * PerMillion, CacheWrite: 5.0 * PerMillion, Output: 15.0 * PerMillion},
		},
		Source: "https://developers.openai.com/api/docs/models/gpt-6.1-sol", Date: "2026-11-22",
	},
	{
		ID:      "gpt-6.1-terra",
		Context: 1_050_000, Input: 922_000, Output: 128_000, ResponsesTools: true,
		Tools: Yes, Images: Yes, ImageTokens: 73_800, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{
			Input: PerMillion, CacheRead: 0.05 * PerMillion, CacheWrite: 1.25 * PerMillion, Output: 5 * PerMillion,
			Above: 272_000, Long: &Prices{Input: 2 * PerMillion, CacheRead: 0.1 * PerMillion, CacheWrite: 2.5 * PerMillion, Output: 7.5 * PerMillion},
		},
		Source: "https://developers.openai.com/api/docs/models/gpt-6.1-terra", Date: "2026-11-22",
	},
	{
		ID:      "gpt-6-sol",
		Context: 1_050_000, Input: 922_000, Output: 128_000, ResponsesTools: true,
		Tools: Yes, Images: Yes, ImageTokens: 73_800, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{
			Input: 2 * PerMillion, CacheRead: 0.2 * PerMillion, CacheWrite: 2.5 * PerMillion, Output: 10 * PerMillion,
			Above: 272_000, Long: &Prices{Input: 4 * PerMillion, CacheRead: 0.4 * PerMillion, CacheWrite: 5.0 * PerMillion, Output: 15.0 * PerMillion},
		},
		Source: "https://docs.litellm.ai/blog/gpt_6_sol_luna", Date: "2026-11-22",
	},
	{
		ID:      "gpt-6-astra",
		Context: 1_050_000, Input: 922_000, Output: 128_000, ResponsesTools: true,
		Tools: Yes, Images: Yes, ImageTokens: 73_800, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{
			Input: 10 * PerMillion, CacheRead: PerMillion, CacheWrite: 12.5 * PerMillion, Output: 50 * PerMillion,
			Above: 272_000, Long: &Prices{Input: 20 * PerMillion, CacheRead: 2 * PerMillion, CacheWrite: 25.0 * PerMillion, Output: 75.0 * PerMillion},
		},
		Source: "https://developers.openai.com/api/docs/models/gpt-6-astra", Date: "2026-11-22",
	},
	{
		// Its price was reduced until 21 November 2026 at least; what it is now is not known.
		ID: "gpt-5.6-sol", Aliases: []string{"gpt-5.6"},
		Context: 1_050_000, Input: 922_000, Output: 128_000,
		Tools: Yes, Images: Yes, ImageTokens: 73_800, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Source: "https://developers.openai.com/api/docs/models/gpt-5.6-sol", Date: "2026-11-22",
	},
	{
		// The price of what was cached is from https://docs.laozhang.ai/en/announcements/gpt-5-6-pricing-2026-07.md.
		ID:      "gpt-5.6-terra",
		Context: 1_050_000, Input: 922_000, Output: 128_000,
		Tools: Yes, Images: Yes, ImageTokens: 73_800, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{
			Input: 2 * PerMillion, CacheRead: 0.2 * PerMillion, CacheWrite: 2.5 * PerMillion, Output: 12 * PerMillion,
			Above: 272_000, Long: &Prices{Input: 4 * PerMillion, CacheWrite: 5.0 * PerMillion, Output: 18.0 * PerMillion},
		},
		Source: "https://developers.openai.com/api/docs/models/gpt-5.6-terra", Date: "2026-11-22",
	},
	{
		ID:      "gpt-5.6-luna",
		Context: 1_050_000, Input: 922_000, Output: 128_000,
		Tools: Yes, Images: Yes, ImageTokens: 73_800, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{
			Input: 0.2 * PerMillion, CacheRead: 0.02 * PerMillion, CacheWrite: 0.25 * PerMillion, Output: 1.2 * PerMillion,
			Above: 272_000, Long: &Prices{Input: 0.4 * PerMillion, CacheRead: 0.04 * PerMillion, CacheWrite: 0.5 * PerMillion, Output: 1.8 * PerMillion},
		},
		Source: "https://developers.openai.com/api/docs/models/gpt-5.6-luna", Date: "2026-11-22",
	},
	{
		ID:      "gpt-5.5",
		Context: 1_050_000, Input: 922_000, Output: 128_000, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 24_600, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 5 * PerMillion, CacheRead: 0.5 * PerMillion, Output: 30 * PerMillion,
			Above: 272_000, Long: &Prices{Input: 10 * PerMillion, CacheRead: PerMillion, Output: 45.0 * PerMillion},
		},
		Source: "https://github.com/anomalyco/models.dev/blob/2593e131a1e02e1c69412c50b233986e2ab433e4/providers/openai/models/gpt-5.5.toml", Date: "2026-11-22",
	},
	{
		// Before GPT-5.6, what is written to the cache costs as other input
		// (https://reference.langchain.com/python/deepagents-code/cold_cache/CacheWriteBucket). Its prices are from
		// https://github.com/anomalyco/models.dev/blob/2c0a4b1c349008e7375b6f734bc69b09315e74ce/providers/openai/models/gpt-5.4.toml,
		// and where the higher ones begin from https://developers.openai.com/api/docs/models/gpt-5.4-pro.
		ID:      "gpt-5.4",
		Context: 1_050_000, Input: 922_000, Output: 128_000, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 6_150, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{
			Input: 2.5 * PerMillion, CacheRead: 0.25 * PerMillion, Output: 15 * PerMillion,
			Above: 272_000, Long: &Prices{Input: 5.0 * PerMillion, CacheRead: 0.5 * PerMillion, Output: 22.5 * PerMillion},
		},
		Source: "https://github.com/anomalyco/models.dev/blob/f0a7050be95803931fef5b7187aded61b4789dd1/models/openai/gpt-5.4.toml", Date: "2026-11-22",
	},
	{
		// Its prices are from https://docs.rs/crate/adk-model/0.6.0/source/src/openai/pricing.rs.
		ID:      "gpt-5.4-mini",
		Context: 400_000, Output: 128_000, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 3_779, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 0.75 * PerMillion, CacheRead: 0.075 * PerMillion, Output: 4.5 * PerMillion},
		Source: "https://docs.oxen.ai/inference-api/reference/models/gpt-5-4-mini.md", Date: "2026-11-22",
	},
	{
		ID:      "gpt-5.4-nano",
		Context: 400_000, Output: 128_000, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 3_779, Schema: Yes, Reasoning: Yes,
		Prices:     &Prices{Input: 0.2 * PerMillion, CacheRead: 0.02 * PerMillion, Output: 1.25 * PerMillion},
		Deprecated: true, Retired: "2027-04-01",
		Source: "https://developers.openai.com/ja-JP/api/docs/models/gpt-5.4-nano", Date: "2026-11-22",
	},
	{
		ID:      "gpt-5.3-codex",
		Context: 400_000, Input: 272_000, Output: 128_000, OnlyResponses: true,
		Tools: Yes, Images: Yes, ImageTokens: 3_779, Files: Yes, Schema: Yes, Reasoning: Yes,
		Prices:     &Prices{Input: 1.75 * PerMillion, CacheRead: 0.175 * PerMillion, Output: 14 * PerMillion},
		Deprecated: true, Retired: "2027-04-01",
		Source: "https://github.com/anomalyco/models.dev/blob/ecee1e6258445b5bc7b6159247fba74257b7f28e/providers/openai/models/gpt-5.3-codex.toml", Date: "2026-11-22",
	},
	{
		ID: "gpt-5.2", Aliases: []string{"gpt-5.2-2025-12-11"},
		Context: 400_000, Input: 272_000, Output: 128_000, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 3_779, Schema: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 1.75 * PerMillion, CacheRead: 0.175 * PerMillion, Output: 14 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/ecee1e6258445b5bc7b6159247fba74257b7f28e/providers/openai/models/gpt-5.2.toml", Date: "2026-11-22",
	},
	{
		ID: "gpt-5.1", Aliases: []string{"gpt-5.1-2025-11-13"},
		Context: 400_000, Input: 272_000, Output: 128_000, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, Schema: Yes, Reasoning: Yes,
		Prices:     &Prices{Input: 1.25 * PerMillion, CacheRead: 0.125 * PerMillion, Output: 10 * PerMillion},
		Deprecated: true, Retired: "2027-04-01",
		Source: "https://github.com/anomalyco/models.dev/blob/0760ceffd3e02115e6480d9a0be7992c330c2f35/providers/openai/models/gpt-5.1.toml", Date: "2026-11-22",
	},
	{
		// Its prices are from
		// https://github.com/anomalyco/models.dev/blob/0760ceffd3e02115e6480d9a0be7992c330c2f35/providers/openai/models/gpt-5.toml
		ID: "gpt-5", Aliases: []string{"gpt-5-2025-08-07"},
		Context: 400_000, Input: 272_000, Output: 128_000, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 1_190, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices:     &Prices{Input: 1.25 * PerMillion, CacheRead: 0.125 * PerMillion, Output: 10 * PerMillion},
		Deprecated: true, Retired: "2026-12-11", Successor: "gpt-6.1-sol",
		Source: "https://github.com/anomalyco/models.dev/blob/36dbbd62f9f602f86ac654d45ab93b6d8a4f38cc/models/openai/gpt-5.toml", Date: "2026-11-22",
	},
	{
		ID: "gpt-5-mini", Aliases: []string{"gpt-5-mini-2025-08-07"},
		Context: 400_000, Input: 272_000, Output: 128_000, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 3_779, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices:     &Prices{Input: 0.25 * PerMillion, CacheRead: 0.025 * PerMillion, Output: 2 * PerMillion},
		Deprecated: true, Retired: "2026-12-11", Successor: "gpt-6.1-terra",
		Source: "https://github.com/anomalyco/models.dev/blob/8734c00cd030e035b6aa2ebd3cf9ec98b54026bf/providers/openai/models/gpt-5-mini.toml", Date: "2026-11-22",
	},
	{
		ID: "gpt-5-nano", Aliases: []string{"gpt-5-nano-2025-08-07"},
		Context: 400_000, Input: 272_000, Output: 128_000, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 3_779, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices:     &Prices{Input: 0.05 * PerMillion, CacheRead: 0.005 * PerMillion, Output: 0.4 * PerMillion},
		Deprecated: true, Retired: "2026-12-11", Successor: "gpt-6-luna",
		Source: "https://github.com/anomalyco/models.dev/blob/0760ceffd3e02115e6480d9a0be7992c330c2f35/providers/openai/models/gpt-5-nano.toml", Date: "2026-11-22",
	},
	{
		ID: "gpt-5-pro", Aliases: []string{"gpt-5-pro-2025-10-06"},
		Context: 400_000, Input: 272_000, Output: 272_000, OnlyResponses: true,
		Tools: Yes, Images: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices:     &Prices{Input: 15 * PerMillion, Output: 120 * PerMillion},
		Deprecated: true, Retired: "2026-12-11", Successor: "gpt-6.1-sol",
		Source: "https://github.com/anomalyco/models.dev/blob/0760ceffd3e02115e6480d9a0be7992c330c2f35/providers/openai/models/gpt-5-pro.toml", Date: "2026-11-22",
	},
	{
		ID:      "gpt-5-codex",
		Context: 400_000, Input: 272_000, Output: 128_000, OnlyResponses: true,
		Tools: Yes, Images: Yes, ImageTokens: 3_779, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices:     &Prices{Input: 1.25 * PerMillion, CacheRead: 0.125 * PerMillion, Output: 10 * PerMillion},
		Deprecated: true, Retired: "2026-07-23", Successor: "gpt-5.4",
		Source: "https://github.com/anomalyco/models.dev/blob/0760ceffd3e02115e6480d9a0be7992c330c2f35/providers/openai/models/gpt-5-codex.toml", Date: "2026-11-22",
	},
	{
		ID: "gpt-4.1", Aliases: []string{"gpt-4.1-2025-04-14"},
		Context: 1_047_576, Output: 32_768, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 1_445, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: No,
		Prices:     &Prices{Input: 2 * PerMillion, CacheRead: 0.5 * PerMillion, Output: 8 * PerMillion},
		Deprecated: true, Retired: "2027-01-14", Successor: "gpt-6-luna",
		Source: "https://github.com/anomalyco/models.dev/blob/f6c6f04367172d62ebd23191660a895587dc3789/models/openai/gpt-4.1.toml", Date: "2026-11-22",
	},
	{
		ID: "gpt-4.1-mini", Aliases: []string{"gpt-4.1-mini-2025-04-14"},
		Context: 1_047_576, Output: 32_768, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 3_779, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: No,
		Prices:     &Prices{Input: 0.4 * PerMillion, CacheRead: 0.1 * PerMillion, Output: 1.6 * PerMillion},
		Deprecated: true, Retired: "2027-01-14", Successor: "gpt-6-luna",
		Source: "https://github.com/anomalyco/models.dev/blob/506b1b0279f8494c42921508044367b640cfc212/models/openai/gpt-4.1-mini.toml", Date: "2026-11-22",
	},
	{
		ID: "gpt-4.1-nano", Aliases: []string{"gpt-4.1-nano-2025-04-14"},
		Context: 1_047_576, Output: 32_768, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 3_779, Schema: Yes, Temperature: Yes, Reasoning: No,
		Prices:     &Prices{Input: 0.1 * PerMillion, CacheRead: 0.025 * PerMillion, Output: 0.4 * PerMillion},
		Deprecated: true, Retired: "2026-10-23",
		Source: "https://github.com/anomalyco/models.dev/blob/506b1b0279f8494c42921508044367b640cfc212/models/openai/gpt-4.1-nano.toml", Date: "2026-11-22",
	},
	{
		ID: "gpt-4o", Aliases: []string{"gpt-4o-2024-08-06", "gpt-4o-2024-11-20"},
		Context: 128_000, Output: 16_384, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 1_445, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: No,
		Prices:     &Prices{Input: 2.5 * PerMillion, CacheRead: 1.25 * PerMillion, Output: 10 * PerMillion},
		Deprecated: true, Retired: "2027-01-14", Successor: "gpt-6-luna",
		Source: "https://github.com/anomalyco/models.dev/blob/506b1b0279f8494c42921508044367b640cfc212/models/openai/gpt-4o.toml", Date: "2026-11-22",
	},
	{
		ID: "gpt-4o-mini", Aliases: []string{"gpt-4o-mini-2024-07-18"},
		Context: 128_000, Output: 16_384, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 48_169, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: No,
		Prices:     &Prices{Input: 0.15 * PerMillion, CacheRead: 0.075 * PerMillion, Output: 0.6 * PerMillion},
		Deprecated: true, Retired: "2027-01-14", Successor: "gpt-6-luna",
		Source: "https://github.com/anomalyco/models.dev/blob/36dbbd62f9f602f86ac654d45ab93b6d8a4f38cc/models/openai/gpt-4o-mini.toml", Date: "2026-11-22",
	},
	{
		ID:      "gpt-4o-2024-05-13",
		Context: 128_000, Output: 4096, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 1_445, Temperature: Yes, Reasoning: No,
		Prices:     &Prices{Input: 5 * PerMillion, Output: 15 * PerMillion},
		Deprecated: true, Retired: "2026-10-23", Successor: "gpt-5.6-sol",
		Source: "https://github.com/anomalyco/models.dev/blob/0f899d76d45b33f3d10b189f4b972e7df6c2b6b2/providers/openai/models/gpt-4o-2024-05-13.toml", Date: "2026-11-22",
	},
	{
		ID: "gpt-4-turbo", Aliases: []string{"gpt-4-turbo-2024-04-09"},
		Context: 128_000, Output: 4096, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, Schema: No, Temperature: Yes, Reasoning: No,
		Prices:     &Prices{Input: 10 * PerMillion, Output: 30 * PerMillion},
		Deprecated: true, Retired: "2026-10-23", Successor: "gpt-5.6-sol",
		Source: "https://github.com/anomalyco/models.dev/blob/0f899d76d45b33f3d10b189f4b972e7df6c2b6b2/providers/openai/models/gpt-4-turbo.toml", Date: "2026-11-22",
	},
	{
		ID: "gpt-4", Aliases: []string{"gpt-4-0613"},
		Context: 8192, Output: 8192, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: No, Schema: No, Temperature: Yes, Reasoning: No,
		Prices:     &Prices{Input: 30 * PerMillion, Output: 60 * PerMillion},
		Deprecated: true, Retired: "2026-10-23", Successor: "gpt-5.6-sol",
		Source: "https://github.com/anomalyco/models.dev/blob/0f899d76d45b33f3d10b189f4b972e7df6c2b6b2/providers/openai/models/gpt-4.toml", Date: "2026-11-22",
	},
	{
		// Its document says that it takes no tools, other documents of OpenAI that it does.
		ID: "gpt-3.5-turbo", Aliases: []string{"gpt-3.5-turbo-0125"},
		Context: 16_385, Output: 4096, MaxTools: 128, MaxToolName: 64,
		Images: No, Schema: No, Temperature: Yes, Reasoning: No,
		Prices:     &Prices{Input: 0.5 * PerMillion, Output: 1.5 * PerMillion},
		Deprecated: true, Retired: "2026-10-23", Successor: "gpt-5.6-terra",
		Source: "https://github.com/anomalyco/models.dev/blob/0f899d76d45b33f3d10b189f4b972e7df6c2b6b2/providers/openai/models/gpt-3.5-turbo.toml", Date: "2026-11-22",
	},
	{
		ID: "o4-mini", Aliases: []string{"o4-mini-2025-04-16"},
		Context: 200_000, Output: 100_000, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 3_779, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices:     &Prices{Input: 1.1 * PerMillion, CacheRead: 0.275 * PerMillion, Output: 4.4 * PerMillion},
		Deprecated: true, Retired: "2026-10-23", Successor: "gpt-5.6-terra",
		Source: "https://github.com/anomalyco/models.dev/blob/0760ceffd3e02115e6480d9a0be7992c330c2f35/providers/openai/models/o4-mini.toml", Date: "2026-11-22",
	},
	{
		ID: "o3", Aliases: []string{"o3-2025-04-16"},
		Context: 200_000, Output: 100_000, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 1_275, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices:     &Prices{Input: 2 * PerMillion, CacheRead: 0.5 * PerMillion, Output: 8 * PerMillion},
		Deprecated: true, Retired: "2026-12-11", Successor: "gpt-6.1-sol",
		Source: "https://github.com/anomalyco/models.dev/blob/8734c00cd030e035b6aa2ebd3cf9ec98b54026bf/providers/openai/models/o3.toml", Date: "2026-11-22",
	},
	{
		ID: "o3-pro", Aliases: []string{"o3-pro-2025-06-10"},
		Context: 200_000, Output: 100_000, OnlyResponses: true,
		Tools: Yes, Images: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices:     &Prices{Input: 20 * PerMillion, Output: 80 * PerMillion},
		Deprecated: true, Retired: "2026-12-11", Successor: "gpt-6.1-sol",
		Source: "https://github.com/anomalyco/models.dev/blob/8734c00cd030e035b6aa2ebd3cf9ec98b54026bf/providers/openai/models/o3-pro.toml", Date: "2026-11-22",
	},
	{
		ID: "o3-mini", Aliases: []string{"o3-mini-2025-01-31"},
		Context: 200_000, Output: 100_000, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: No, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices:     &Prices{Input: 1.1 * PerMillion, CacheRead: 0.55 * PerMillion, Output: 4.4 * PerMillion},
		Deprecated: true, Retired: "2026-10-23", Successor: "gpt-5.6-sol",
		Source: "https://github.com/anomalyco/models.dev/blob/0760ceffd3e02115e6480d9a0be7992c330c2f35/providers/openai/models/o3-mini.toml", Date: "2026-11-22",
	},
	{
		ID: "o1", Aliases: []string{"o1-2024-12-17"},
		Context: 200_000, Output: 100_000, MaxTools: 128, MaxToolName: 64,
		Tools: Yes, Images: Yes, ImageTokens: 1_275, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices:     &Prices{Input: 15 * PerMillion, CacheRead: 7.5 * PerMillion, Output: 60 * PerMillion},
		Deprecated: true, Retired: "2026-10-23", Successor: "gpt-5.6-sol",
		Source: "https://github.com/anomalyco/models.dev/blob/0760ceffd3e02115e6480d9a0be7992c330c2f35/providers/openai/models/o1.toml", Date: "2026-11-22",
	},
	{
		ID: "o1-pro", Aliases: []string{"o1-pro-2025-03-19"},
		Context: 200_000, Output: 100_000, OnlyResponses: true,
		Tools: Yes, Images: Yes, ImageTokens: 1_275, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices:     &Prices{Input: 150 * PerMillion, Output: 600 * PerMillion},
		Deprecated: true, Retired: "2026-10-23", Successor: "gpt-5.6-sol",
		Source: "https://github.com/anomalyco/models.dev/blob/0760ceffd3e02115e6480d9a0be7992c330c2f35/providers/openai/models/o1-pro.toml", Date: "2026-11-22",
	},
}
