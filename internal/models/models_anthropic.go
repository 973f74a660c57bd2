package models

// anthropic are the models of Anthropic. Prices are those of
// https://platform.claude.com/docs/en/about-claude/pricing, with a cache of 5 minutes; ends
// and successors, and which models refuse a temperature, are from
// https://platform.claude.com/docs/en/about-claude/model-deprecations. That models since
// 4.5 take a schema is from
// https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/partner-models/claude/structured-outputs.
var anthropic = []Model{
	{
		ID:      "claude-sonnet-5-5",
		Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{Input: 2 * PerMillion, CacheRead: 0.1 * PerMillion, CacheWrite: 2.5 * PerMillion, Output: 10 * PerMillion},
		Source: "https://platform.claude.com/docs/en/models/sonnet-5-5/overview", Date: "2026-11-22",
	},
	{
		ID:      "claude-haiku-5-5",
		Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{
			Input: 0.1 * PerMillion, CacheRead: 0.01 * PerMillion, CacheWrite: 0.125 * PerMillion, Output: 0.5 * PerMillion,
			Above: 100_000, Long: &Prices{Input: 0.5 * PerMillion, CacheRead: 0.05 * PerMillion, CacheWrite: 0.625 * PerMillion, Output: 2.5 * PerMillion},
		},
		Source: "https://platform.claude.com/docs/en/models/haiku-5-5/overview", Date: "2026-11-22",
	},
	{
		ID:      "claude-opus-5-5",
		Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{Input: 4 * PerMillion, CacheRead: 0.2 * PerMillion, CacheWrite: 5 * PerMillion, Output: 20 * PerMillion},
		Source: "https://platform.claude.com/docs/en/models/opus-5-5/overview", Date: "2026-11-22",
	},
	{
		// What it costs to read the cache is from https://litellm.vercel.app/blog/claude_fable_5_1.
		ID:      "claude-fable-5-1",
		Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{Input: 10 * PerMillion, CacheRead: 0.25 * PerMillion, CacheWrite: 12.5 * PerMillion, Output: 50 * PerMillion},
		Source: "https://platform.claude.com/docs/zh-CN/models/fable-5-1/overview.md", Date: "2026-11-22",
	},
	{
		ID:      "claude-mythos-5-1",
		Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{Input: 10 * PerMillion, CacheRead: 0.25 * PerMillion, CacheWrite: 12.5 * PerMillion, Output: 50 * PerMillion},
		Source: "https://github.com/charmbracelet/catwalk/blob/021b34d31f28ec06ea6062e1a6ed599ac74afdd0/internal/providers/configs/anthropic.json", Date: "2026-11-22",
	},
	{
		ID:      "claude-opus-5",
		Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{Input: 5 * PerMillion, CacheRead: 0.5 * PerMillion, CacheWrite: 6.25 * PerMillion, Output: 25 * PerMillion},
		Source: "https://platform.claude.com/docs/en/models/opus-5/overview", Date: "2026-11-22",
	},
	{
		ID:      "claude-sonnet-5",
		Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{Input: 2 * PerMillion, CacheRead: 0.2 * PerMillion, CacheWrite: 2.5 * PerMillion, Output: 10 * PerMillion},
		Source: "https://platform.claude.com/docs/en/models/sonnet-5/overview", Date: "2026-11-22",
	},
	{
		// What it takes is from
		// https://github.com/anomalyco/models.dev/blob/ed588fdd0ac4e60fa42e128f8d747017fc3e84af/providers/anthropic/models/claude-fable-5.toml
		ID:      "claude-fable-5",
		Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{Input: 10 * PerMillion, CacheRead: PerMillion, CacheWrite: 12.5 * PerMillion, Output: 50 * PerMillion},
		Source: "https://platform.claude.com/docs/en/models/fable-5/overview.md", Date: "2026-11-22",
	},
	{
		ID:      "claude-mythos-5",
		Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{Input: 10 * PerMillion, CacheRead: PerMillion, CacheWrite: 12.5 * PerMillion, Output: 50 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/25af7c497937fc94d2489c669864b0c960bd49a9/models/anthropic/claude-mythos-5.toml", Date: "2026-11-22",
	},
	{
		ID:      "claude-opus-4-8",
		Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{Input: 5 * PerMillion, CacheRead: 0.5 * PerMillion, CacheWrite: 6.25 * PerMillion, Output: 25 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/7ea1d4e15ceaab6b5ac0f4a4a94c3b44387b9e91/providers/anthropic/models/claude-opus-4-8.toml", Date: "2026-11-22",
	},
	{
		ID:      "claude-opus-4-7",
		Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: No, Reasoning: Yes,
		Prices: &Prices{Input: 5 * PerMillion, CacheRead: 0.5 * PerMillion, CacheWrite: 6.25 * PerMillion, Output: 25 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/147cb3138a7386e79049046cdd80eacd3974c1dd/providers/anthropic/models/claude-opus-4-7.toml", Date: "2026-11-22",
	},
	{
		ID:      "claude-opus-4-6",
		Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 5 * PerMillion, CacheRead: 0.5 * PerMillion, CacheWrite: 6.25 * PerMillion, Output: 25 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/7fbe22429db68bfe4b3219fd7d8604105a7419d1/providers/anthropic/models/claude-opus-4-6.toml", Date: "2026-11-22",
	},
	{
		// What it takes is from
		// https://github.com/anomalyco/models.dev/blob/7fbe22429db68bfe4b3219fd7d8604105a7419d1/providers/anthropic/models/claude-sonnet-4-6.toml
		ID:      "claude-sonnet-4-6",
		Context: 1_000_000, Output: 128_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 3 * PerMillion, CacheRead: 0.3 * PerMillion, CacheWrite: 3.75 * PerMillion, Output: 15 * PerMillion},
		Source: "https://platform.claude.com/docs/pt-BR/models/sonnet-4-6/overview.md", Date: "2026-11-22",
	},
	{
		ID: "claude-opus-4-5", Aliases: []string{"claude-opus-4-5-20251101"},
		Context: 200_000, Output: 64_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 5 * PerMillion, CacheRead: 0.5 * PerMillion, CacheWrite: 6.25 * PerMillion, Output: 25 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/7fbe22429db68bfe4b3219fd7d8604105a7419d1/providers/anthropic/models/claude-opus-4-5.toml", Date: "2026-11-22",
	},
	{
		ID: "claude-sonnet-4-5", Aliases: []string{"claude-sonnet-4-5-20250929"},
		Context: 200_000, Output: 64_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: 3 * PerMillion, CacheRead: 0.3 * PerMillion, CacheWrite: 3.75 * PerMillion, Output: 15 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/179029e9a90fac95bd0b3ae225f1ebdaaa1a70c3/providers/anthropic/models/claude-sonnet-4-5.toml", Date: "2026-11-22",
	},
	{
		ID: "claude-haiku-4-5", Aliases: []string{"claude-haiku-4-5-20251001"},
		Context: 200_000, Output: 64_000,
		Tools: Yes, Images: Yes, Files: Yes, Schema: Yes, Temperature: Yes, Reasoning: Yes,
		Prices: &Prices{Input: PerMillion, CacheRead: 0.1 * PerMillion, CacheWrite: 1.25 * PerMillion, Output: 5 * PerMillion},
		Source: "https://github.com/anomalyco/models.dev/blob/506b1b0279f8494c42921508044367b640cfc212/models/anthropic/claude-haiku-4-5.toml", Date: "2026-11-22",
	},
	{
		ID: "claude-opus-4-1", Aliases: []string{"claude-opus-4-1-20250805"},
		Context: 200_000, Output: 32_000,
		Tools: Yes, Images: Yes, Files: Yes, Temperature: Yes, Reasoning: Yes,
		Prices:     &Prices{Input: 15 * PerMillion, CacheRead: 1.5 * PerMillion, CacheWrite: 18.75 * PerMillion, Output: 75 * PerMillion},
		Deprecated: true, Retired: "2026-08-05",
		Source: "https://github.com/anomalyco/models.dev/blob/179029e9a90fac95bd0b3ae225f1ebdaaa1a70c3/providers/anthropic/models/claude-opus-4-1.toml", Date: "2026-11-22",
	},
	{
		ID: "claude-opus-4-0", Aliases: []string{"claude-opus-4-20250514"},
		Context: 200_000, Output: 32_000,
		Tools: Yes, Images: Yes, Files: Yes, Temperature: Yes, Reasoning: Yes,
		Prices:     &Prices{Input: 15 * PerMillion, CacheRead: 1.5 * PerMillion, CacheWrite: 18.75 * PerMillion, Output: 75 * PerMillion},
		Deprecated: true, Retired: "2026-06-15", Successor: "claude-opus-4-8",
		Source: "https://github.com/anomalyco/models.dev/blob/0f899d76d45b33f3d10b189f4b972e7df6c2b6b2/providers/anthropic/models/claude-opus-4-20250514.toml", Date: "2026-11-22",
	},
	{
		ID: "claude-sonnet-4-0", Aliases: []string{"claude-sonnet-4-20250514"},
		Context: 200_000, Output: 64_000,
		Tools: Yes, Images: Yes, Files: Yes, Temperature: Yes, Reasoning: Yes,
		Prices:     &Prices{Input: 3 * PerMillion, CacheRead: 0.3 * PerMillion, CacheWrite: 3.75 * PerMillion, Output: 15 * PerMillion},
		Deprecated: true, Retired: "2026-06-15", Successor: "claude-sonnet-4-6",
		Source: "https://github.com/anomalyco/models.dev/blob/0f899d76d45b33f3d10b189f4b972e7df6c2b6b2/providers/anthropic/models/claude-sonnet-4-20250514.toml", Date: "2026-11-22",
	},
	{
		ID: "claude-3-7-sonnet-20250219", Aliases: []string{"claude-3-7-sonnet-latest"},
		Context: 200_000, Output: 64_000,
		Tools: Yes, Images: Yes, Files: Yes, Temperature: Yes, Reasoning: Yes,
		Prices:     &Prices{Input: 3 * PerMillion, CacheRead: 0.3 * PerMillion, CacheWrite: 3.75 * PerMillion, Output: 15 * PerMillion},
		Deprecated: true, Retired: "2026-02-19",
		Source: "https://github.com/anomalyco/models.dev/blob/0f899d76d45b33f3d10b189f4b972e7df6c2b6b2/providers/anthropic/models/claude-3-7-sonnet-20250219.toml", Date: "2026-11-22",
	},
	{
		ID: "claude-3-5-haiku-20241022", Aliases: []string{"claude-3-5-haiku-latest"},
		Context: 200_000, Output: 8192,
		Tools: Yes, Images: Yes, Files: Yes, Temperature: Yes, Reasoning: No,
		Prices:     &Prices{Input: 0.8 * PerMillion, CacheRead: 0.08 * PerMillion, CacheWrite: PerMillion, Output: 4 * PerMillion},
		Deprecated: true, Retired: "2026-02-19", Successor: "claude-haiku-4-5",
		Source: "https://github.com/anomalyco/models.dev/blob/0f899d76d45b33f3d10b189f4b972e7df6c2b6b2/providers/anthropic/models/claude-3-5-haiku-20241022.toml", Date: "2026-11-22",
	},
}
