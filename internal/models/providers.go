package models

// builtin is the built-in table. It is never changed. The compiler lays it out: no code
// of it runs when a program starts.
var builtin = Table{providers: []Provider{
	{
		Name: "OpenAI", Dialect: Chat,
		Address: "https://api.openai.com/v1", AddressVariable: "OPENAI_BASE_URL", Keys: []string{"OPENAI_API_KEY"},
		Makes:  []string{"gpt-", "chatgpt-", "o1", "o3", "o4-", "codex-", "computer-use-", "ft:"},
		Strict: true, Schema: true, CompletionTokens: true,
		Models: openAI, Source: "https://developers.openai.com/api/docs/api-reference/chat/create", Date: "2026-11-22",
	},
	{
		// Its chat completions ignore "strict" and "response_format"
		// (https://platform.claude.com/docs/en/api/openai-sdk).
		Name: "Anthropic", Aliases: []string{"claude"}, Dialect: Messages,
		Address: "https://api.anthropic.com", ChatAddress: "https://api.anthropic.com/v1",
		AddressVariable: "ANTHROPIC_BASE_URL", Keys: []string{"ANTHROPIC_API_KEY"},
		MaxTemperature: 1, Makes: []string{"claude-"}, Strict: true,
		Models: anthropic, Source: "https://platform.claude.com/docs/en/api/overview", Date: "2026-11-22",
	},
	{
		// Its chat completions take a schema, and ignore "strict"
		// (https://ai.google.dev/gemini-api/docs/openai).
		Name: "Google", Aliases: []string{"gemini", "googleai", "googlegenai"}, Dialect: Gemini,
		Address:         "https://generativelanguage.googleapis.com/v1beta",
		ChatAddress:     "https://generativelanguage.googleapis.com/v1beta/openai",
		AddressVariable: "GOOGLE_BASE_URL", Keys: []string{"GOOGLE_API_KEY", "GEMINI_API_KEY"},
		Makes: []string{"gemini-", "gemma-"}, Schema: true,
		Models: google, Source: "https://ai.google.dev/api", Date: "2026-11-22",
	},
	{
		// Ids are the names of deployments, which every user chooses.
		Name: "Azure", Aliases: []string{"azureopenai", "azureai"}, Dialect: Chat,
		AddressExample: "https://RESOURCE.openai.azure.com/openai/v1", AddressVariable: "AZURE_OPENAI_BASE_URL",
		Keys:   []string{"AZURE_OPENAI_API_KEY", "AZURE_API_KEY"},
		Strict: true, Schema: true,
		Source: "https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle", Date: "2026-11-22",
	},
	{
		Name: "Mistral", Aliases: []string{"mistralai"}, Dialect: Chat,
		Address: "https://api.mistral.ai/v1", AddressVariable: "MISTRAL_BASE_URL", Keys: []string{"MISTRAL_API_KEY"},
		Makes:  []string{"mistral-", "open-mistral-", "open-mixtral-", "ministral-", "magistral-", "codestral-", "devstral-", "pixtral-", "voxtral-"},
		Schema: true,
		Models: mistral, Source: "https://docs.mistral.ai/api", Date: "2026-11-22",
	},
	{
		// "Streaming and tool use are not currently supported with Structured Outputs."
		Name: "Groq", Dialect: Chat,
		Address: "https://api.groq.com/openai/v1", AddressVariable: "GROQ_BASE_URL", Keys: []string{"GROQ_API_KEY"},
		Schema: true, SchemaAlone: true, SchemaWhole: true,
		Models: groq, Source: "https://console.groq.com/docs/structured-outputs", Date: "2026-11-22",
	},
	{
		Name: "OpenRouter", Dialect: Chat,
		Address: "https://openrouter.ai/api/v1", AddressVariable: "OPENROUTER_BASE_URL", Keys: []string{"OPENROUTER_API_KEY"},
		Schema: true,
		Source: "https://openrouter.ai/docs/api/reference/overview", Date: "2026-11-22",
	},
	{
		Name: "Together", Aliases: []string{"togetherai"}, Dialect: Chat,
		Address: "https://api.together.ai/v1", AddressVariable: "TOGETHER_BASE_URL", Keys: []string{"TOGETHER_API_KEY"},
		Schema: true,
		Source: "https://docs.together.ai/docs/inference/openai-compatibility", Date: "2026-11-22",
	},
	{
		// response_format is "text" or "json_object". Reasoning goes back in turns with calls
		// (https://api-docs.deepseek.com/guides/thinking_mode).
		Name: "DeepSeek", Dialect: Chat,
		Address: "https://api.deepseek.com", AddressVariable: "DEEPSEEK_BASE_URL", Keys: []string{"DEEPSEEK_API_KEY"},
		Makes: []string{"deepseek-"}, ReasoningBack: true,
		Models: deepSeek, Source: "https://api-docs.deepseek.com/api/create-chat-completion", Date: "2026-11-22",
	},
	{
		Name: "xAI", Aliases: []string{"grok"}, Dialect: Chat,
		Address: "https://api.x.ai/v1", AddressVariable: "XAI_BASE_URL", Keys: []string{"XAI_API_KEY"},
		Makes: []string{"grok-"}, Schema: true,
		Models: xAI, Source: "https://docs.x.ai/developers/model-capabilities/text/comparison", Date: "2026-11-22",
	},
	{
		Name: "Ollama", Dialect: Chat,
		Address: "http://127.0.0.1:11434/v1", AddressVariable: "OLLAMA_BASE_URL",
		Serves: []string{"llama", "qwen", "phi", "gemma", "mistral:", "mixtral", "deepseek-r1:", "gpt-oss:"}, Schema: true,
		Source: "https://docs.ollama.com/api/openai-compatibility", Date: "2026-11-22",
	},
	{
		Name: "vLLM", Dialect: Chat,
		Address: "http://127.0.0.1:8000/v1", AddressVariable: "VLLM_BASE_URL", Schema: true,
		Source: "https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html", Date: "2026-11-22",
	},
	{
		Name: "LMStudio", Dialect: Chat,
		Address: "http://127.0.0.1:1234/v1", AddressVariable: "LMSTUDIO_BASE_URL", Schema: true,
		Source: "https://lmstudio.ai/docs/developer/openai-compat", Date: "2026-11-22",
	},
	{
		Name: "llama.cpp", Aliases: []string{"llamacpp", "llamaserver"}, Dialect: Chat,
		Address: "http://127.0.0.1:8080/v1", AddressVariable: "LLAMA_CPP_BASE_URL", Schema: true,
		Source: "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md", Date: "2026-11-22",
	},
}}
