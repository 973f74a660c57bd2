package vocabulary

import (
	"slices"
)

// attributeOwners are what attributes of a type stand on.
var attributeOwners = []Owner{OwnerParameter, OwnerArguments, OwnerResult, OwnerField, OwnerType, OwnerAlias}

// The types of JSON Schema that attributes apply to.
var (
	onNumbers = []string{"integer", "number"}
	onText    = []string{"string"}
	onArrays  = []string{"array"}
	onObjects = []string{"object"}
)

var (
	entryOwners = []Owner{OwnerCommand, OwnerHTTP, OwnerMCP, OwnerBuiltin}
	noteOwners  = slices.Concat(attributeOwners, []Owner{OwnerEnum, OwnerUnion})
	typeOwners  = []Owner{OwnerType, OwnerEnum, OwnerUnion}
)

// without returns owners but for some.
func without(list []Owner, some ...Owner) []Owner {
	return slices.DeleteFunc(slices.Clone(list), func(o Owner) bool { return slices.Contains(some, o) })
}

// properties is the one table of what properties mean. Each property of an owner
// stands in it once.
var properties = slices.Concat(agentProperties, attributeProperties, entryProperties, providerProperties, testProperties)

var (
	trueOrFalse = []string{"true", "false"}
	approvals   = []string{"allow", "ask", "deny"}
	repeats     = []string{"safe", "keyed", "once"}
)

const deprecatedMeaning = "With true, or a text that says what to use instead, it works as before and should not be used any more."

const repeatMeaning = "Whether a call of unknown outcome may be repeated. With safe it may be, with keyed together with its idempotency key, with once never. Of what the agent and the library say, the stricter counts."

// agentProperties is of headers, agents and tools.
var agentProperties = []Property{
	{Key: "import", Owners: []Owner{OwnerHeader}, Meaning: "Files whose tools and types this file knows by name, each as a path from this file.", Example: `import: ["./types.gram"]`},
	{Key: "instruction", Owners: []Owner{OwnerAgent}, Required: true, Meaning: "The instructions to the model, its system prompt. Tools that it names in backticks are looked up.", Example: "instruction: \"Greet the user with `sayHello`.\""},
	{Key: "model", Owners: []Owner{OwnerAgent}, Required: true, Meaning: "The model, as provider and id. An id alone is one of the provider that makes models with such names, or else of OpenAI.", Example: `model: "OpenAI/gpt-5.4-mini"`},
	{Key: "models", Owners: []Owner{OwnerAgent}, Instead: "model", Meaning: "Instead of `model`: several models, in order. The next one is asked when one is busy or cannot be reached.", Example: `models: ["Anthropic/claude-haiku-4-5", "OpenAI/gpt-5.4-mini"]`},
	{Key: "description", Owners: []Owner{OwnerAgent}, Meaning: "What the agent is for. It is for people; the model does not see it.", Example: `description: "Greets people"`},
	{Key: "temperature", Owners: []Owner{OwnerAgent}, Meaning: "How freely the model chooses its words, from 0 to 2.", Default: "what the provider takes", Example: "temperature: 0.7"},
	{Key: "maxTokens", Owners: []Owner{OwnerAgent}, Meaning: "The most tokens that one answer of the model may have.", Default: "what the provider takes", Example: "maxTokens: 1000"},
	{Key: "maxIterations", Owners: []Owner{OwnerAgent}, Meaning: "The most requests to the model for one message of the user.", Default: "10", Example: "maxIterations: 5"},
	{Key: "maxRequests", Owners: []Owner{OwnerAgent}, Meaning: "A budget: the most requests for one message. Those that are repeated after a failure count too.", Default: "no limit", Example: "maxRequests: 20"},
	{Key: "maxTotalTokens", Owners: []Owner{OwnerAgent}, Meaning: "A budget: the most tokens for one message. It counts the input and the output of all requests.", Default: "no limit", Example: "maxTotalTokens: 200000"},
	{Key: "maxCost", Owners: []Owner{OwnerAgent}, Meaning: "A budget: the most US dollars for one message. The prices of its models must be known.", Default: "no limit", Example: "maxCost: 0.50"},
	{Key: "timeout", Owners: []Owner{OwnerAgent}, Meaning: "How long the answer to one message may take. The time of tools counts too.", Default: "no limit", Example: "timeout: 5m"},
	{Key: "onOverflow", Owners: []Owner{OwnerAgent}, Meaning: "When the conversation is too long for the model: fail or compact. To compact it, the model summarises the oldest messages.", Default: "fail", Example: "onOverflow: compact", Values: []string{"fail", "compact"}},
	{Key: "returns", Owners: []Owner{OwnerAgent}, Meaning: "The type of the answer. The provider gets its schema, and an answer that does not fit goes back to the model once.", Default: "the answer is text", Example: "returns::Weather"},
	{Key: "name", Owners: []Owner{OwnerAgent}, Meaning: "The name of the agent, where it does not stand before the label. Write [name:Agent …] instead.", Example: `name: "greeter"`},

	{Key: "description", Owners: []Owner{OwnerTool}, Required: true, Meaning: "What the tool does. By it models choose.", Example: `description: "The weather of a city"`},
	{Key: "timeout", Owners: []Owner{OwnerTool}, Meaning: "How long a call may take: 500ms, 5s, 2m.", Default: "what its library says, else 10s", Example: "timeout: 5s"},
	{Key: "retryable", Owners: []Owner{OwnerTool}, Meaning: "With false, the model may not call the tool again after a failure.", Default: "true", Example: "retryable: false", Values: trueOrFalse},
	{Key: "repeat", Owners: []Owner{OwnerTool}, Meaning: repeatMeaning, Default: "what its library says, else once", Example: "repeat: safe", Values: repeats},
	{Key: "strict", Owners: []Owner{OwnerTool}, Meaning: "With true, the provider is asked to hold the model to the schema. OpenAI and Anthropic then take no maps and no objects without fields.", Default: "false", Example: "strict: true", Values: trueOrFalse},
	{Key: "deprecated", Owners: []Owner{OwnerTool}, Meaning: deprecatedMeaning, Default: "false", Example: "deprecated: true", Values: trueOrFalse},
}

// attributeProperties is of what belongs to types.
var attributeProperties = []Property{
	{Key: "values", Owners: []Owner{OwnerEnum}, Required: true, Meaning: "The values, of which one is meant.", Example: `values: ["celsius", "fahrenheit"]`},
	{Key: "discriminator", Owners: []Owner{OwnerUnion}, Meaning: "A field that distinguishes the alternatives: each holds another text in it.", Default: "the first alternative that fits counts", Example: "discriminator: kind"},
	{Key: "exclusive", Owners: []Owner{OwnerUnion}, Meaning: "With true, a value must fit one alternative only.", Default: "false", Example: "exclusive: true", Values: trueOrFalse},
	{Key: "type", Owners: []Owner{OwnerField}, Required: true, Meaning: "The type of the field.", Example: "type: Text"},
	{Key: "description", Owners: noteOwners, Form: FormText, Keyword: "description", Meaning: "What it is, for the model.", Example: `description: "The name of a city"`},
	{Key: "default", Owners: without(noteOwners, OwnerResult), Form: FormValue, Keyword: "default", Meaning: "The value that is filled in where none is given. It may be left out then.", Default: "a value must be given", Example: "default: 3"},
	{Key: "optional", Owners: []Owner{OwnerParameter, OwnerField}, Meaning: "With true, it may be left out.", Default: "false", Example: "optional: true", Values: trueOrFalse},
	{Key: "nullable", Owners: without(noteOwners, OwnerArguments), Meaning: "With true, null is a value too; the same as ? behind a type.", Default: "false", Example: "nullable: true", Values: trueOrFalse},
	{Key: "enum", Owners: attributeOwners, Form: FormEnum, Keyword: "enum", Meaning: "The only values that it can be.", Example: `enum: ["km", "mi"]`},
	{Key: "const", Owners: attributeOwners, Form: FormValue, Keyword: "const", Meaning: "The only value that it can be.", Example: `const: "circle"`},
	{Key: "min", Owners: attributeOwners, Form: FormNumber, Keyword: "minimum", Types: onNumbers, Meaning: "The least number that it can be.", Example: "min: 0"},
	{Key: "max", Owners: attributeOwners, Form: FormNumber, Keyword: "maximum", Types: onNumbers, Meaning: "The greatest number that it can be.", Example: "max: 130"},
	{Key: "range", Owners: attributeOwners, Form: FormRange, Types: onNumbers, Meaning: "The least and the greatest number that it can be: 1..10, or 0... from 0 on.", Example: "range: 1..10"},
	{Key: "exclusiveMin", Owners: attributeOwners, Form: FormNumber, Keyword: "exclusiveMinimum", Types: onNumbers, Meaning: "A number that it must be above.", Example: "exclusiveMin: 0"},
	{Key: "exclusiveMax", Owners: attributeOwners, Form: FormNumber, Keyword: "exclusiveMaximum", Types: onNumbers, Meaning: "A number that it must be below.", Example: "exclusiveMax: 100"},
	{Key: "multipleOf", Owners: attributeOwners, Form: FormStep, Keyword: "multipleOf", Types: onNumbers, Meaning: "A number of which it must be a multiple.", Example: "multipleOf: 0.01"},
	{Key: "minLength", Owners: attributeOwners, Form: FormCount, Keyword: "minLength", Types: onText, Meaning: "The least characters that the text must have.", Default: "0", Example: "minLength: 1"},
	{Key: "maxLength", Owners: attributeOwners, Form: FormCount, Keyword: "maxLength", Types: onText, Meaning: "The most characters that the text can have.", Example: "maxLength: 100"},
	{Key: "pattern", Owners: attributeOwners, Form: FormRegexp, Keyword: "pattern", Types: onText, Meaning: "A regular expression that the text must match. It must mean the same to Go and to JavaScript.", Example: `pattern: "^[A-Z]{3}$"`},
	{Key: "format", Owners: attributeOwners, Form: FormFormat, Keyword: "format", Types: []string{"string", "integer", "number"}, Meaning: "What the text is written as.", Example: "format: email", Values: []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid", "uri"}},
	{Key: "contentEncoding", Owners: attributeOwners, Form: FormText, Keyword: "contentEncoding", Types: onText, Meaning: "How the text encodes bytes. It is for people, and not checked.", Example: `contentEncoding: "base64"`},
	{Key: "contentMediaType", Owners: attributeOwners, Form: FormText, Keyword: "contentMediaType", Types: onText, Meaning: "What the text is. It is for people, and not checked.", Example: `contentMediaType: "image/png"`},
	{Key: "of", Owners: attributeOwners, Types: []string{"array", "object"}, Meaning: "The type of the elements of an array, or of the values of a map.", Default: "anything", Example: "of::Text"},
	{Key: "elementType", Owners: attributeOwners, Types: []string{"array", "object"}, Meaning: "An older word for `of`.", Default: "anything", Example: "elementType: Text"},
	{Key: "fields", Owners: without(attributeOwners, OwnerArguments), Types: onObjects, Meaning: "The fields of an object as a list, an older way to write {a::Text}.", Example: `fields: [{name: "a", type: "Text"}]`},
	{Key: "minItems", Owners: attributeOwners, Form: FormCount, Keyword: "minItems", Types: onArrays, Meaning: "The least elements that the array must have.", Default: "0", Example: "minItems: 1"},
	{Key: "maxItems", Owners: attributeOwners, Form: FormCount, Keyword: "maxItems", Types: onArrays, Meaning: "The most elements that the array can have.", Example: "maxItems: 5"},
	{Key: "unique", Owners: attributeOwners, Form: FormBool, Keyword: "uniqueItems", Types: onArrays, Meaning: "With true, no two elements are the same.", Default: "false", Example: "unique: true", Values: trueOrFalse},
	{Key: "closed", Owners: attributeOwners, Form: FormBool, Keyword: "additionalProperties", Types: onObjects, Meaning: "With true, an object has no other fields than these.", Default: "false", Example: "closed: true", Values: trueOrFalse},
	{Key: "minFields", Owners: attributeOwners, Form: FormCount, Keyword: "minProperties", Types: onObjects, Meaning: "The least fields that the object must have.", Default: "0", Example: "minFields: 1"},
	{Key: "maxFields", Owners: attributeOwners, Form: FormCount, Keyword: "maxProperties", Types: onObjects, Meaning: "The most fields that the object can have.", Example: "maxFields: 10"},
	{Key: "types", Owners: attributeOwners, Form: FormTypes, Keyword: "type", Types: []string{""}, Meaning: "The types of which it is one; of Any.", Example: "types: [Text, Int]"},
	{Key: "schema", Owners: attributeOwners, Form: FormKeywords, Meaning: "Keywords of JSON Schema for which gram has no word, as they are. They become part of the schema.", Example: "schema: json`{\"not\": {\"const\": 0}}`"},
	{Key: "paramName", Owners: []Owner{OwnerParameter}, Meaning: "The name in JSON, where it is another one than in gram.", Default: "the name before the label", Example: `paramName: "first-name"`},
	{Key: "title", Owners: noteOwners, Form: FormText, Keyword: "title", Meaning: "A short name, for people.", Example: `title: "City"`},
	{Key: "examples", Owners: noteOwners, Form: FormList, Keyword: "examples", Meaning: "Values as an example.", Example: `examples: ["Berlin"]`},
	{Key: "deprecated", Owners: noteOwners, Form: FormBool, Keyword: "deprecated", Meaning: deprecatedMeaning, Default: "false", Example: "deprecated: true", Values: trueOrFalse},
	{Key: "readOnly", Owners: attributeOwners, Form: FormBool, Keyword: "readOnly", Meaning: "With true, it is only ever given back.", Default: "false", Example: "readOnly: true", Values: trueOrFalse},
	{Key: "writeOnly", Owners: attributeOwners, Form: FormBool, Keyword: "writeOnly", Meaning: "With true, it is only ever given, and never given back.", Default: "false", Example: "writeOnly: true", Values: trueOrFalse},
	{Key: "shared", Owners: typeOwners, Meaning: "With true, schemas hold the type once, under $defs, and refer to it. A text is what it is called there.", Default: "false; the type is written out where it is used", Example: "shared: true", Values: trueOrFalse},
}

// entryProperties is of libraries and their entries.
var entryProperties = []Property{
	{Key: "description", Owners: []Owner{OwnerLibrary}, Meaning: "What the library is for. It is for people.", Example: `description: "What works on this machine"`},
	{Key: "timeout", Owners: []Owner{OwnerLibrary}, Meaning: "How long a call may take, of entries and tools that say nothing.", Default: "10s, or what the run says", Example: "timeout: 5s"},
	{Key: "approve", Owners: []Owner{OwnerLibrary}, Meaning: "Whether a call needs a person to agree, of entries that say nothing: allow, ask or deny.", Default: "what is usual for the tool", Example: "approve: ask", Values: approvals},

	{Key: "run", Owners: []Owner{OwnerCommand}, Meaning: "The program and its arguments, a list. In the arguments {name} is an argument of the call.", Example: `run: ["./say-hello", "{name}"]`},
	{Key: "shell", Owners: []Owner{OwnerCommand}, Meaning: "Instead of `run`: a line for the shell, as it is.", Example: `shell: "jq -r .text | wc -w"`},
	{Key: "command", Owners: []Owner{OwnerMCP}, Meaning: "The program of the server and its arguments, a list.", Example: `command: ["npx", "-y", "server"]`},
	{Key: "dir", Owners: []Owner{OwnerCommand, OwnerMCP}, Meaning: "The folder to run in, relative to that of the library file.", Default: "the folder of the library file", Example: `dir: "./pictures"`},
	{Key: "env", Owners: []Owner{OwnerCommand, OwnerMCP}, Meaning: "Variables for the program, besides the few that it needs to start.", Example: `env: {LANG: "C"}`},
	{Key: "output", Owners: []Owner{OwnerCommand}, Meaning: "Whether the program writes JSON or text.", Default: "json where the result of the tool is more than text", Example: "output: text", Values: []string{"json", "text"}},

	{Key: "url", Owners: []Owner{OwnerHTTP}, Required: true, Meaning: "Where to ask. In path and query {name} is an argument of the call.", Example: `url: "https://api.example.com/weather?city={city}"`},
	{Key: "url", Owners: []Owner{OwnerMCP}, Meaning: "Instead of `command`: the address of the server.", Example: `url: "https://mcp.example.com/"`},
	{Key: "url", Owners: []Owner{OwnerBuiltin}, Meaning: "Another server than that of the search engine, or of Wikipedia.", Example: `url: "https://search.example.com/"`},
	{Key: "method", Owners: []Owner{OwnerHTTP}, Meaning: "The method of the request.", Default: "GET", Example: "method: POST", Values: []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}},
	{Key: "headers", Owners: []Owner{OwnerHTTP}, Meaning: "Headers of the request. In them ${NAME} is an environment variable and {name} an argument of the call; a header with one that is not given is not sent.", Example: `headers: {Authorization: "Bearer ${NAME}", "If-Match": "{etag}"}`},
	{Key: "headers", Owners: []Owner{OwnerMCP}, Meaning: "Headers of the request. ${NAME} is an environment variable.", Example: `headers: {Authorization: "Bearer ${NAME}"}`},
	{Key: "query", Owners: []Owner{OwnerHTTP}, Meaning: "What the query has besides the url. In it {name} is an argument of the call; one that is not given is left out.", Example: `query: {page: "{page}"}`},
	{Key: "body", Owners: []Owner{OwnerHTTP}, Meaning: "How the arguments stand in the body of the request: json, form, or the body itself, with {name} for an argument of the call.", Default: "json", Example: `body: {state: "closed", title: "{title}"}`, Values: []string{"json", "form"}},
	{Key: "slashes", Owners: []Owner{OwnerHTTP}, Meaning: "Arguments that may be several segments of the path. In them / stays as it is.", Example: `slashes: ["path"]`},
	{Key: "commas", Owners: []Owner{OwnerHTTP}, Meaning: "Lists that are sent once, with commas. Others are in the query or the form once for each item.", Example: `commas: ["ids"]`},
	{Key: "result", Owners: []Owner{OwnerHTTP}, Meaning: "A JSON Pointer to the part of the answer that is the result.", Default: "all of the answer", Example: `result: "/current/temperature"`},
	{Key: "allowHosts", Owners: []Owner{OwnerHTTP, OwnerMCP, OwnerBuiltin}, Meaning: "Hosts that may be private, each with its port. Tools reach public addresses alone otherwise.", Example: `allowHosts: ["127.0.0.1:8080"]`},
	{Key: "allow", Owners: []Owner{OwnerMCP}, Meaning: "Only these tools of the server, by the names that it has for them.", Default: "all of its tools", Example: `allow: ["read_file"]`},
	{Key: "prefix", Owners: []Owner{OwnerMCP}, Meaning: "What is put before the name of each tool of the server.", Example: `prefix: "files_"`},

	{Key: "builtin", Owners: []Owner{OwnerBuiltin}, Meaning: "Which built-in it is, where the tool has another name.", Default: "the name of the entry", Example: "builtin: read_file", Values: []string{"read_file", "write_file", "list_directory", "get_file_info", "web_search", "wikipedia", "web_scraper", "calculator", "current_time", "sayHello"}},
	{Key: "root", Owners: []Owner{OwnerBuiltin}, Meaning: "The folder that the tool sees, and nothing outside of it; relative to the folder of the library file.", Example: `root: "./data"`},
	{Key: "hidden", Owners: []Owner{OwnerBuiltin}, Meaning: "With true, names that start with a dot, such as .env, are there too.", Default: "false", Example: "hidden: true", Values: trueOrFalse},
	{Key: "engine", Owners: []Owner{OwnerBuiltin}, Meaning: "The search engine.", Example: "engine: SerpAPI", Values: []string{"SerpAPI", "GoogleCustomSearch", "Bing"}},
	{Key: "key", Owners: []Owner{OwnerBuiltin}, Meaning: "The key for the search engine, from an environment variable.", Example: `key: "${SERPAPI_KEY}"`},
	{Key: "id", Owners: []Owner{OwnerBuiltin}, Meaning: "For GoogleCustomSearch: the search engine, which Google calls cx.", Example: `id: "${GOOGLE_CX}"`},
	{Key: "maxResults", Owners: []Owner{OwnerBuiltin}, Meaning: "The most results of one search, 1 to 100.", Example: "maxResults: 5"},
	{Key: "language", Owners: []Owner{OwnerBuiltin}, Meaning: "The language of the Wikipedia.", Default: "en", Example: "language: de"},

	{Key: "description", Owners: entryOwners, Meaning: "What the tool is for.", Default: "what the agent says", Example: `description: "The weather of a city"`},
	{Key: "timeout", Owners: entryOwners, Meaning: "How long a call may take: 500ms, 5s, 2m. What the agent's tool says comes first.", Default: "what the library says, else 10s", Example: "timeout: 5s"},
	{Key: "retryable", Owners: entryOwners, Meaning: "With false, the model may not call the tool again after a failure.", Default: "true", Example: "retryable: false", Values: trueOrFalse},
	{Key: "repeat", Owners: entryOwners, Meaning: repeatMeaning, Default: "what is known of the tool, else what the agent says, else once", Example: "repeat: keyed", Values: repeats},
	{Key: "parallel", Owners: entryOwners, Meaning: "Whether calls may run side by side with other calls of the same answer.", Default: "true for what only reads", Example: "parallel: false", Values: trueOrFalse},
	{Key: "approve", Owners: entryOwners, Meaning: "Whether a call needs a person to agree: allow, ask or deny. Rules such as (:Ask {path: \"*.env\"}) come first.", Default: "what the library says, else what is usual for the tool", Example: "approve: ask", Values: approvals},
	{Key: "secret", Owners: entryOwners, Meaning: "Whether the values of its environment variables are hidden in results.", Default: "true for a variable that is named like a secret, or stands in a header, a query or the env of a server", Example: "secret: false", Values: trueOrFalse},
	{Key: "replaces", Owners: entryOwners, Meaning: "With true, it is meant to replace a tool of an earlier library.", Default: "false", Example: "replaces: true", Values: trueOrFalse},
	{Key: "traits", Owners: entryOwners, Meaning: "What the tool can do to an agent: read private data, take in untrusted text, send data to the outside. An agent with all three may leak.", Default: "what is known of the tool", Example: "traits: [private, outbound]", Values: []string{"none", "private", "untrusted", "outbound"}},
}

// providerProperties is of providers of models.
var providerProperties = []Property{
	{Key: "address", Owners: []Owner{OwnerProvider}, Required: true, Meaning: "The base URL of its API.", Example: `address: "https://models.example.com/v1"`},
	{Key: "key", Owners: []Owner{OwnerProvider}, Meaning: "The environment variable that holds the key.", Default: "no key is sent", Example: `key: "WORK_API_KEY"`},
	{Key: "dialect", Owners: []Owner{OwnerProvider}, Meaning: "The protocol: chat are the chat completions of OpenAI, messages the Messages API of Anthropic, gemini is generateContent of Google.", Default: "chat", Example: "dialect: messages", Values: []string{"chat", "messages", "gemini"}},
	{Key: "strict", Owners: []Owner{OwnerProvider}, Meaning: "With true, it holds the model to the schema of a strict tool.", Default: "false", Example: "strict: true", Values: trueOrFalse},
	{Key: "schema", Owners: []Owner{OwnerProvider}, Meaning: "With true, a request can hold the JSON Schema of the answer.", Default: "false; the schema is added to the instruction", Example: "schema: true", Values: trueOrFalse},
}
