package provider

// limits is what one target takes. Zero means no limit.
//
// The numbers were looked up on 21 November 2026 in the public documentation
// that each row names, with what the API refuses in spite of it.
type limits struct {
	title       string
	names       names
	description int   // characters of the description of a tool
	fields      names // of the arguments, at the root alone

	rootKeywords []string // that may not stand at the root

	// The treatment of each keyword, or else that of the others.
	keywords map[string]treatment
	others   treatment
	formats  map[string][]string // by type; nil takes every format

	strict   bool // a value is held to its schema: objects have declared fields alone
	tools    int  // strict tools of one request, which count their optional fields and unions together
	optional int  // fields that may be missing; with 0 there are none, and they take null instead
	unions   int  // fields and elements with alternatives or several types
	flat     bool // no type contains itself

	needItems      bool // every array must say what its elements are
	needProperties bool // the root must have "properties"

	properties    int // of all objects together
	levels        int // of objects in objects
	enumValues    int // of all enums together
	characters    int // of the names of fields and definitions, and of enum and const values
	longEnum      int // an enum of texts with more values …
	longEnumChars int // … has at most so many characters
}

// names are the valid names: 1 to most ASCII letters, digits and signs.
type names struct {
	most   int // 0 takes any name
	signs  string
	starts string // the signs that may come first; "" takes every character first
}

// A treatment is what happens to a keyword.
type treatment uint8

const (
	carried treatment = iota // sent
	handled                  // rewritten where the target needs it
	dropped                  // not sent; a limit that is checked after the call
	leftOut                  // not sent; a note for people
	silent                   // not sent, and nothing is lost
	refused                  // cannot be sent, and cannot be left out
)

// limitTreatments joins tables of keywords.
func limitTreatments(rows ...map[string]treatment) map[string]treatment {
	all := map[string]treatment{}
	for _, row := range rows {
		for keyword, f := range row {
			all[keyword] = f
		}
	}
	return all
}

func eachLimit(t treatment, keywords ...string) map[string]treatment {
	row := make(map[string]treatment, len(keywords))
	for _, keyword := range keywords {
		row[keyword] = t
	}
	return row
}

// table is never changed.
var table = map[Target]limits{
	Plain: {title: "plain JSON Schema"},

	// Names and the root: https://developers.openai.com/api/docs/guides/function-calling
	// and the API reference of chat completions. The length of descriptions, the
	// keywords at the root and "items" are only known from its errors
	// (string_above_max_length; "schema must have type 'object' and not have
	// 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level"; "array schema missing
	// items"; "object schema missing properties").
	OpenAI: {
		title:          "OpenAI",
		names:          names{most: 64, signs: "_-"},
		description:    1024,
		rootKeywords:   []string{"oneOf", "anyOf", "allOf", "enum", "not"},
		needItems:      true,
		needProperties: true,
	},

	// https://developers.openai.com/api/docs/guides/structured-outputs, section
	// "Supported schemas", as of February 2026. "const" and "default" are not
	// in its list of keywords: const is counted among the values, default is
	// refused. minLength and maxLength are not in it either, and reports differ:
	// leaving them out is safe. No other keyword is allowed beside "$ref" ("$ref
	// cannot have keywords", an error of the API). In 2024 the alternatives of an
	// anyOf were refused when they began with the same field; this is nowhere
	// documented, and not checked.
	OpenAIStrict: {
		title:        "OpenAI strict",
		strict:       true,
		names:        names{most: 64, signs: "_-"},
		description:  1024,
		rootKeywords: []string{"oneOf", "anyOf", "allOf", "enum", "not"},
		keywords: limitTreatments(
			eachLimit(handled, "type", "properties", "required", "additionalProperties", "items", "anyOf", "oneOf",
				"enum", "const", "format", "default", "$ref", "$defs"),
			eachLimit(carried, "description", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
				"pattern", "minItems", "maxItems"),
			eachLimit(dropped, "minLength", "maxLength", "uniqueItems", "minProperties", "maxProperties", "not", "contains",
				"minContains", "maxContains", "propertyNames", "dependentRequired", "unevaluatedItems", "unevaluatedProperties"),
			eachLimit(silent, "$schema", "$id", "$comment"),
			structural,
		),
		others: leftOut,
		formats: map[string][]string{
			"string": {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"},
		},
		needItems:      true,
		needProperties: true,
		properties:     5000,
		levels:         10,
		enumValues:     1000,
		characters:     120_000,
		longEnum:       250,
		longEnumChars:  15_000,
	},

	// https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use:
	// names of 1 to 64 characters. Since 2025 the API takes 128 of them, which its
	// documentation does not promise. That the root may have no alternatives,
	// and which names its fields can have, is only known from its errors
	// ("input_schema does not support oneOf, allOf, or anyOf at the top level";
	// "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'").
	Anthropic: {
		title:        "Anthropic",
		names:        names{most: 64, signs: "_-"},
		fields:       names{most: 64, signs: "_.-"},
		rootKeywords: []string{"oneOf", "anyOf", "allOf"},
	},

	// https://platform.claude.com/docs/en/build-with-claude/structured-outputs,
	// "JSON Schema limitations" and "Schema complexity limits": strict tools, and the format of
	// an answer. They take a minItems of 0 or 1 and simple patterns as well; leaving them
	// out is safe. The numbers are of all strict tools of a request and its answer together.
	// What they compile to has a limit that is nowhere documented ("The compiled grammar is
	// too large").
	AnthropicStrict: {
		title:  "Anthropic strict",
		names:  names{most: 64, signs: "_-"},
		fields: names{most: 64, signs: "_.-"},
		strict: true,
		keywords: limitTreatments(
			eachLimit(handled, "type", "properties", "required", "additionalProperties", "items", "anyOf", "oneOf",
				"enum", "const", "format", "default", "$ref", "$defs"),
			eachLimit(carried, "description"),
			eachLimit(dropped, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern",
				"minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "not", "contains",
				"minContains", "maxContains", "propertyNames", "dependentRequired", "unevaluatedItems", "unevaluatedProperties"),
			eachLimit(silent, "$schema", "$id", "$comment"),
			structural,
		),
		others: leftOut,
		formats: map[string][]string{
			"string": {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"},
		},
		rootKeywords:   []string{"oneOf", "anyOf", "allOf"},
		needItems:      true,
		needProperties: true,
		tools:          20,
		optional:       24,
		unions:         16,
		flat:           true,
	},

	// https://ai.google.dev/api/caching, "Schema" and "FunctionDeclaration": the
	// fields of Schema are the keywords, and every other one is an error
	// ("Unknown name … Cannot find field"). Its newer parametersJsonSchema takes
	// more, but not every model and not every way to reach it does. Colons in
	// names are documented for the newest API alone. Formats of texts beside
	// enum and date-time, and enums of anything but texts, are refused by the
	// Gemini Developer API ("only 'enum' and 'date-time' are supported for STRING
	// type"; "enum: only allowed for STRING type"; "items: missing field").
	Gemini: {
		title: "Gemini",
		names: names{most: 64, signs: "_.-", starts: "_"},
		keywords: limitTreatments(
			eachLimit(handled, "type", "properties", "required", "additionalProperties", "items", "anyOf", "oneOf",
				"enum", "const", "format", "$ref"),
			eachLimit(carried, "title", "description", "nullable", "default", "minimum", "maximum", "minLength", "maxLength",
				"pattern", "minItems", "maxItems", "minProperties", "maxProperties", "example", "propertyOrdering"),
			eachLimit(dropped, "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems", "not", "contains",
				"minContains", "maxContains", "propertyNames", "dependentRequired", "unevaluatedItems", "unevaluatedProperties"),
			eachLimit(silent, "$schema", "$id", "$comment", "$defs"),
			structural,
		),
		others: leftOut,
		formats: map[string][]string{
			"string":  {"enum", "date-time"},
			"number":  {"float", "double"},
			"integer": {"int32", "int64"},
		},
		needItems:      true,
		needProperties: true,
	},

	// https://modelcontextprotocol.io/specification/2025-11-25/server/tools,
	// "Tool Names" (1 to 128 characters of A-Z, a-z, 0-9, _, - and .) and
	// "Tool": inputSchema has the type object, and is JSON Schema 2020-12.
	MCP: {
		title: "MCP",
		names: names{most: 128, signs: "_.-"},
	},
}

// structural are the keywords for the parts of a value that cannot be replaced.
var structural = eachLimit(refused, "allOf", "prefixItems", "patternProperties", "dependentSchemas", "if", "then", "else",
	"definitions", "$dynamicRef", "$recursiveRef")

// treatment returns the treatment of a keyword.
func (l *limits) treatment(keyword string) treatment {
	if f, ok := l.keywords[keyword]; ok {
		return f
	}
	return l.others
}
