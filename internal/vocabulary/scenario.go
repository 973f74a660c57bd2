package vocabulary

// The words of a [:Fault] for what goes wrong: of a tool, and of a request to the model.
var (
	ToolFaults  = []string{"error", "timeout", "denied"}
	ModelFaults = []string{"refusal", "cutOff", "filter", "overflow", "rateLimit", "overloaded", "error"}
)

// errorKinds are the kinds of errors of package runtime, and any.
var errorKinds = []string{
	"any", "ValidationError", "ConfigurationError", "LLMAPIError", "RateLimitError", "OverloadedError", "ContextOverflowError",
	"ContentFilterError", "ToolError", "ToolTimeoutError", "UnexpectedToolCallError", "BudgetError", "TimeoutError", "ReplayError",
}

// testProperties is of tests and their steps.
var testProperties = []Property{
	{Key: "agent", Owners: []Owner{OwnerTest}, Meaning: "The name of the agent, of this file or of one that it imports.", Default: "the only agent there", Example: `agent: "support"`},
	{Key: "library", Owners: []Owner{OwnerTest}, Meaning: "The library that does the work of the tools, or several, later ones before earlier ones; each as a path from this file.", Default: "the built-in tools, and what Result steps return", Example: `library: "./local.gram"`},
	{Key: "model", Owners: []Owner{OwnerTest}, Meaning: "Who responds: the Model steps, the recording, the fixed rules of --offline, or the model of the agent, which takes --live.", Default: "recorded with a recording, else scripted", Example: "model: offline", Values: []string{"scripted", "recorded", "offline", "live"}},
	{Key: "recording", Owners: []Owner{OwnerTest}, Meaning: "The file of a recording, as a path from this file. gramc test --update writes it with the model of the agent.", Example: `recording: "./late.recording.jsonl"`},
	{Key: "approve", Owners: []Owner{OwnerTest}, Meaning: "The tools whose calls the user allows where approval is asked.", Default: "none", Example: "approve: [refundOrder]"},
	{Key: "passes", Owners: []Owner{OwnerTest}, Meaning: "How often the test must pass of how many runs, for models that differ from run to run.", Default: `"1 of 1"`, Example: `passes: "4 of 5"`},
	{Key: "mustHold", Owners: []Owner{OwnerTest}, Meaning: "With true, gramc compare --gate fails if this test passes with the first version and not with the second.", Default: "false", Example: "mustHold: true", Values: trueOrFalse},
	{Key: "group", Owners: []Owner{OwnerTest}, Meaning: "The group of tests that this one belongs to, such as variants of one question: gramc compare counts it as one case in all that is by chance.", Default: "none", Example: `group: "late parcels"`},

	{Key: "text", Owners: []Owner{OwnerUser}, Required: true, Meaning: "The message.", Example: `text: "Where is my order?"`},

	{Key: "text", Owners: []Owner{OwnerModel}, Meaning: "The content of the response.", Example: `text: "It is on its way."`},
	{Key: "answer", Owners: []Owner{OwnerModel}, Meaning: "The content of the response as a value of the type that the agent returns.", Example: "answer: json`{\"total\": 5}`"},
	{Key: "call", Owners: []Owner{OwnerModel}, Meaning: "The tool that the response calls.", Example: `call: "findOrder"`},
	{Key: "with", Owners: []Owner{OwnerModel}, Meaning: "The arguments of the call, which must fit the signature of the tool.", Default: "none", Example: `with: {orderId: "A-12345"}`},
	{Key: "raw", Owners: []Owner{OwnerModel}, Meaning: "In place of `with`: the arguments as a text that is not checked, for calls that are wrong.", Example: `raw: "{cut"`},
	{Key: "calls", Owners: []Owner{OwnerModel}, Meaning: "In place of `call`: several calls of one response, each with call and with.", Example: `calls: [{call: "findOrder", with: {orderId: "A-12345"}}]`},
	{Key: "refuses", Owners: []Owner{OwnerModel}, Meaning: "The model declines, in these words.", Example: `refuses: "I cannot help with that."`},
	{Key: "finish", Owners: []Owner{OwnerModel}, Meaning: "Why the model stopped; length means that the response is cut off.", Default: "stop, or tool_calls", Example: "finish: length", Values: []string{"stop", "tool_calls", "length", "content_filter"}},
	{Key: "tokens", Owners: []Owner{OwnerModel}, Meaning: "How many tokens the response counts.", Default: "0", Example: "tokens: 120"},

	{Key: "tool", Owners: []Owner{OwnerResultOf}, Required: true, Meaning: "The tool.", Example: `tool: "findOrder"`},
	{Key: "is", Owners: []Owner{OwnerResultOf}, Required: true, Meaning: "The result, which must fit the type of the tool.", Example: "is: json`{\"status\": \"shipped\"}`"},
	{Key: "with", Owners: []Owner{OwnerResultOf}, Meaning: "Only calls with these arguments, and maybe more, return it.", Default: "all calls", Example: `with: {orderId: "A-12345"}`},

	{Key: "tool", Owners: []Owner{OwnerFault}, Meaning: "The tool whose call goes wrong.", Example: `tool: "findOrder"`},
	{Key: "request", Owners: []Owner{OwnerFault}, Meaning: "In place of `tool`: the request to the model that goes wrong, counted from 1 in this message.", Example: "request: 2"},
	{Key: "fails", Owners: []Owner{OwnerFault}, Meaning: "What goes wrong. Of a tool: error, timeout, denied. Of a request: refusal, cutOff, filter, overflow, rateLimit, overloaded, error.", Example: "fails: timeout", Values: []string{"error", "timeout", "denied", "refusal", "cutOff", "filter", "overflow", "rateLimit", "overloaded"}},
	{Key: "returns", Owners: []Owner{OwnerFault}, Meaning: "In place of `fails`: a result that does not fit the type of the tool.", Example: `returns: "no object"`},
	{Key: "message", Owners: []Owner{OwnerFault}, Meaning: "The message of the failure.", Default: "words for what goes wrong", Example: `message: "the shop is closed"`},
	{Key: "times", Owners: []Owner{OwnerFault}, Meaning: "How many calls of the tool go wrong, from the first on.", Default: "1", Example: "times: 2"},

	{Key: "text", Owners: []Owner{OwnerExpect}, Meaning: "What the answer holds, or the part of it that `path` names. A list names several.", Example: `text: "A-12345"`},
	{Key: "equals", Owners: []Owner{OwnerExpect}, Meaning: "What the answer is, to the letter.", Example: `equals: "Done."`},
	{Key: "pattern", Owners: []Owner{OwnerExpect}, Meaning: "A regular expression that the answer matches, or the part of it that `path` names.", Example: `pattern: "T-[0-9]+"`},
	{Key: "without", Owners: []Owner{OwnerExpect}, Meaning: "What the answer does not hold. A list names several.", Example: `without: "sorry"`},
	{Key: "path", Owners: []Owner{OwnerExpect}, Meaning: "A JSON Pointer to the part of the answer that is meant, or with `result` or `from` of the result of that tool.", Example: `path: "/total/cents"`},
	{Key: "is", Owners: []Owner{OwnerExpect}, Meaning: "What the part is that `path` names, as a value of its type.", Example: "is: 1200"},
	{Key: "result", Owners: []Owner{OwnerExpect}, Meaning: "The tool whose result is meant by path, is, text and pattern: one of its calls must have returned that.", Example: `result: "findOrder"`},
	{Key: "called", Owners: []Owner{OwnerExpect}, Meaning: "The tool that was called.", Example: `called: "findOrder"`},
	{Key: "never", Owners: []Owner{OwnerExpect}, Meaning: "The tool that was not called. With `with` or `matching`, not in that way.", Example: `never: "refundOrder"`},
	{Key: "times", Owners: []Owner{OwnerExpect}, Meaning: "With `called`: how many calls there were, neither more nor fewer.", Default: "one or more", Example: "times: 1"},
	{Key: "with", Owners: []Owner{OwnerExpect}, Meaning: "With `called` or `never`: arguments of the call; it may have others too.", Example: `with: {orderId: "A-12345"}`},
	{Key: "matching", Owners: []Owner{OwnerExpect}, Meaning: "With `called` or `never`: a regular expression for each of some arguments.", Example: `matching: {subject: "late|lost"}`},
	{Key: "before", Owners: []Owner{OwnerExpect}, Meaning: "With `called`: the tool that was called later, or not at all.", Example: `before: "refundOrder"`},
	{Key: "argument", Owners: []Owner{OwnerExpect}, Meaning: "With `called` and `from`: the argument that comes from an earlier result.", Example: `argument: "orderId"`},
	{Key: "from", Owners: []Owner{OwnerExpect}, Meaning: "With `argument`: the tool that returned its value before, at `path`.", Example: `from: "findOrder"`},
	{Key: "order", Owners: []Owner{OwnerExpect}, Meaning: "Tools that were called in this order; there may be other calls between them.", Example: `order: [findOrder, refundOrder]`},
	{Key: "handled", Owners: []Owner{OwnerExpect}, Meaning: "The tool of which a call failed, after which there was an answer all the same.", Example: `handled: "findOrder"`},
	{Key: "asked", Owners: []Owner{OwnerExpect}, Meaning: "The tool for which approval was asked.", Example: `asked: "refundOrder"`},
	{Key: "finish", Owners: []Owner{OwnerExpect}, Meaning: "Why the model stopped.", Example: "finish: stop"},
	{Key: "refused", Owners: []Owner{OwnerExpect}, Meaning: "Whether the model declined to answer.", Example: "refused: true", Values: trueOrFalse},
	{Key: "fails", Owners: []Owner{OwnerExpect}, Meaning: "The kind of error that ends the run. Without it, an error fails the test.", Example: "fails: ToolError", Values: errorKinds},
	{Key: "requests", Owners: []Owner{OwnerExpect}, Meaning: "The most requests to the model.", Example: "requests: 3"},
	{Key: "tokens", Owners: []Owner{OwnerExpect}, Meaning: "The most tokens.", Example: "tokens: 5000"},
	{Key: "cost", Owners: []Owner{OwnerExpect}, Meaning: "The highest cost, in US dollars.", Example: "cost: 0.02"},
	{Key: "seconds", Owners: []Owner{OwnerExpect}, Meaning: "The longest time, in seconds.", Example: "seconds: 10"},
	{Key: "rubric", Owners: []Owner{OwnerExpect}, Meaning: "What a model judges of the answer. It is reported, and fails the test only with `gate`.", Example: `rubric: "It is friendly and names a day."`},
	{Key: "gate", Owners: []Owner{OwnerExpect}, Meaning: "With true, the test fails if the judge says no, which is then asked again: the majority of three counts.", Default: "false", Example: "gate: true", Values: trueOrFalse},
}
