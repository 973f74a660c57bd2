package offline

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/runtime"
)

func argumentsFor(t *testing.T, schema string, said ...string) string {
	t.Helper()
	var messages []runtime.Message
	for _, s := range said {
		messages = append(messages, runtime.UserMessage(s))
	}
	args, err := arguments(json.RawMessage(schema), wordsOfMessage(messages))
	if err != nil {
		t.Errorf("%s: %v", schema, err)
		return ""
	}
	return string(args)
}

// properties makes the schema of an object; all are required but those whose
// name ends with "?".
func properties(p string) string {
	root, err := jsonschema.Read(p, nil)
	if err != nil {
		panic(err)
	}
	var all []jsonschema.Member
	var required []string
	for _, m := range root.Members {
		key, optional := strings.CutSuffix(m.Key, "?")
		all = append(all, jsonschema.Member{Key: key, Value: m.Value})
		if !optional {
			required = append(required, key)
		}
	}
	return `{"type":"object","properties":` + jsonschema.Object(all...).Raw() + `,"required":` + jsonschema.Strings(required...).Raw() + `}`
}

func TestArgumentsFromWords(t *testing.T) {
	const s, i, n, b = `{"type":"string"}`, `{"type":"integer"}`, `{"type":"number"}`, `{"type":"boolean"}`
	tests := []struct{ properties, said, want string }{
		// strings
		{`{"text":` + s + `}`, `Hello there`, `{"text":"Hello there"}`},
		{`{"text":` + s + `}`, `Repeat "a <b>" please`, `{"text":"a <b>"}`},
		{`{"a":` + s + `,"b":` + s + `}`, `use “one” and 'two'`, `{"a":"one","b":"two"}`},
		{`{"a":` + s + `,"b":` + s + `}`, `use 'one'`, `{"a":"one","b":"use 'one'"}`},
		{`{"text?":` + s + `}`, `Hello`, `{}`},
		{`{"text?":` + s + `}`, `say "x"`, `{"text":"x"}`},
		{`{"text":{"type":"string","default":"d"}}`, `Hello`, `{"text":"d"}`},
		{`{"text":{"type":"string","maxLength":4}}`, `Hello`, `{"text":"Hell"}`},
		{`{"text":{"type":"string","minLength":8}}`, `Hello`, `{"text":"Hello He"}`},
		// names
		{`{"name":` + s + `}`, `I'm Ada Lovelace, hello`, `{"name":"Ada Lovelace"}`},
		{`{"firstName":` + s + `,"lastName":` + s + `}`, `I'm Ada Lovelace`, `{"firstName":"Ada Lovelace","lastName":"Ada Lovelace"}`},
		{`{"name":` + s + `}`, `Hello`, `{"name":"Hello"}`},
		{`{"fileName":` + s + `}`, `I'm Ada`, `{"fileName":"Ada"}`},
		{`{"text":` + s + `,"user":` + s + `}`, `say "hi" to "Bob"`, `{"text":"hi","user":"Bob"}`},
		{`{"name":` + s + `,"text":` + s + `}`, `I am Ada, say "hi there"`, `{"name":"Ada","text":"hi there"}`},
		// numbers
		{`{"a":` + i + `,"b":` + n + `}`, `add 2 and -3.5`, `{"a":2,"b":-3.5}`},
		{`{"a":` + i + `,"b":` + i + `}`, `add 2.5 and 7, 3`, `{"a":7,"b":3}`},
		{`{"a":` + i + `}`, `007 in room B-12 or 12B, 7`, `{"a":7}`},
		{`{"a":` + i + `}`, `nothing`, `{"a":1}`},
		{`{"a":{"type":"integer","minimum":5}}`, `3 or 6`, `{"a":6}`},
		{`{"a?":` + i + `,"b":` + i + `}`, `only 4`, `{"b":4}`},
		{`{"a?":` + i + `,"b":` + i + `}`, `4 and 5`, `{"a":5,"b":4}`},
		{`{"text":` + s + `,"n":` + i + `}`, `print "12 apples" 3 times`, `{"text":"12 apples","n":3}`},
		// booleans
		{`{"verbose":` + b + `}`, `be verbose`, `{"verbose":true}`},
		{`{"dryRun?":` + b + `}`, `do a dry run`, `{"dryRun":true}`},
		{`{"force?":` + b + `}`, `go`, `{}`},
		{`{"force":` + b + `}`, `go`, `{"force":false}`},
		// enums
		{`{"unit":{"enum":["celsius","fahrenheit"]}}`, `in Fahrenheit`, `{"unit":"fahrenheit"}`},
		{`{"unit":{"enum":["celsius","fahrenheit"]}}`, `hot?`, `{"unit":"celsius"}`},
		{`{"unit?":{"enum":["celsius","fahrenheit"],"default":"fahrenheit"}}`, `hot?`, `{}`},
		{`{"unit":{"enum":["c","f"],"default":"f"}}`, `cold`, `{"unit":"f"}`},
		{`{"size":{"enum":["s","small"]}}`, `a small one`, `{"size":"small"}`},
		{`{"n":{"enum":[1,2,null]}}`, `take 2`, `{"n":2}`},
		{`{"kind":{"const":"circle"}}`, `square`, `{"kind":"circle"}`},
		// formats and patterns
		{`{"to":{"type":"string","format":"email"}}`, `write to <ada@x.org>.`, `{"to":"ada@x.org"}`},
		{`{"to":{"type":"string","format":"email"}}`, `write`, `{"to":"user1@example.com"}`},
		{`{"day":{"type":"string","format":"date"}}`, `on 2025-02-30 or 2025-03-01?`, `{"day":"2025-03-01"}`},
		{`{"zip":{"type":"string","pattern":"^[0-9]{5}$"}}`, `zip 12345, please`, `{"zip":"12345"}`},
		{`{"zip":{"type":"string","pattern":"^[0-9]{5}$"}}`, `zip`, `{"zip":"00000"}`},
		// arrays
		{`{"ns":{"type":"array","items":` + n + `}}`, `sum 1, 2 and 3.5`, `{"ns":[1,2,3.5]}`},
		{`{"ns":{"type":"array","items":` + n + `,"maxItems":2}}`, `sum 1, 2 and 3.5`, `{"ns":[1,2]}`},
		{`{"ns":{"type":"array"}}`, `sum 1 and 2`, `{"ns":[]}`},
		{`{"tags":{"type":"array","items":` + s + `}}`, `tag "a" "b"`, `{"tags":["a","b"]}`},
		{`{"tags":{"type":"array","items":` + s + `}}`, `tag it`, `{"tags":[]}`},
		{`{"tags":{"type":"array","items":` + s + `,"minItems":1}}`, `tag it`, `{"tags":["tag it"]}`},
		{`{"tags?":{"type":"array","items":` + s + `}}`, `tag it`, `{}`},
		{`{"names":{"type":"array","items":` + s + `}}`, `I am Ada`, `{"names":["Ada"]}`},
		{`{"days":{"type":"array","items":{"enum":["mon","tue","wed"]}}}`, `wed and mon`, `{"days":["mon","wed"]}`},
		{`{"p":{"type":"array","prefixItems":[` + n + `,` + s + `],"minItems":2}}`, `4 "x"`, `{"p":[4,"x"]}`},
		// objects
		{`{"user":{"type":"object","properties":{"name":` + s + `,"age":` + i + `},"required":["name"]}}`, `I'm Ada and 36 years old`, `{"user":{"name":"Ada","age":36}}`},
		{`{"user?":{"type":"object","properties":{"name":` + s + `}}}`, `hi`, `{}`},
		{`{"user?":{"type":"object","properties":{"name":` + s + `}}}`, `call me Al`, `{"user":{"name":"Al"}}`},
		{`{"m":{"type":"object","additionalProperties":` + i + `}}`, `hi`, `{"m":{}}`},
		// unions
		{`{"x":{"type":["string","null"]}}`, `hi`, `{"x":"hi"}`},
		{`{"x":{"anyOf":[` + i + `,` + s + `]}}`, `hi`, `{"x":1}`},
		{`{"x":{"anyOf":[` + s + `,` + i + `]}}`, `take 5`, `{"x":5}`},
		{`{"x":{"anyOf":[{"type":"integer","minimum":9},{"type":"integer","maximum":5}]}}`, `take 5`, `{"x":5}`},
		{`{"x?":{"anyOf":[` + s + `,{"type":"null"}],"default":null}}`, `hi`, `{}`},
		{`{"x":{}}`, `hi`, `{"x":"hi"}`},
		{`{"x":true}`, `hi`, `{"x":"hi"}`},
		{`{"x":{"type":"null"}}`, `hi`, `{"x":null}`},
		// the order of the schema, whatever was filled first
		{`{"z?":` + s + `,"a":` + i + `}`, `"q" 1`, `{"z":"q","a":1}`},
	}
	for _, tt := range tests {
		if got := argumentsFor(t, properties(tt.properties), tt.said); got != tt.want {
			t.Errorf("%s, %q:\n got %s\nwant %s", tt.properties, tt.said, got, tt.want)
		}
	}
}

func TestNames(t *testing.T) {
	for said, want := range map[string]string{
		"My name is Bob":                   "Bob",
		"my name is bob.":                  "",
		"Hi, I'm Ada!":                     "Ada",
		"hi, i am Ada, how are you":        "Ada",
		"I’m Jean-Luc O’Neill":             "Jean-Luc O’Neill",
		"Hi Bob, I am Ada":                 "Ada",
		"call me Ishmael":                  "Ishmael",
		"Call me later":                    "",
		"I am hungry":                      "",
		"My name is not important":         "",
		"I am Ada. No, call me Countess":   "Countess",
		"call me Bob, though I am Robert":  "Robert",
		"I am Élodie":                      "Élodie",
		"My name is Ada Lovelace and I am": "Ada Lovelace",
		"He said hello":                    "",
	} {
		if got := wordsOfMessage([]runtime.Message{runtime.UserMessage(said)}).name; got != want {
			t.Errorf("%q: got %q, want %q", said, got, want)
		}
	}
}

func TestLatestNameOfTheConversationWins(t *testing.T) {
	schema := properties(`{"name":{"type":"string"}}`)
	for _, tt := range []struct {
		said []string
		want string
	}{
		{[]string{"My name is Bob", "the weather is nice today", "oh, hello btw"}, `{"name":"Bob"}`},
		{[]string{"My name is Bob", "no, I am Ada", "hello"}, `{"name":"Ada"}`},
		{[]string{"My name is Bob", `greet "Eve"`}, `{"name":"Bob"}`},
	} {
		if got := argumentsFor(t, schema, tt.said...); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.said, got, tt.want)
		}
	}
}

// schemas that a signature, a Go type or a person may come up with.
var schemas = []string{
	``, `{}`, `true`, `{"type":"object"}`,
	`{"properties":{"a":{"type":"integer"}},"required":["a"]}`,
	`{"type":"object","required":["a"]}`,
	`{"type":"object","required":["a"],"additionalProperties":{"type":"integer"}}`,
	`{"type":"object","properties":{"a":{"type":"string","minLength":40,"maxLength":41}},"required":["a"],"additionalProperties":false}`,
	`{"type":"object","properties":{"a":{"type":"string","maxLength":0}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"string","pattern":"^[A-Z]{3}-(x|y)+[^a-z]\\d{2,}\\.?$"}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"string","pattern":"^a*$","minLength":6}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"string","pattern":"needle","minLength":2}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"string","pattern":"^[^a]\\S\\w\\D.(?i:Q)$"}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"integer","minimum":-5,"maximum":-3}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"integer","exclusiveMinimum":10,"exclusiveMaximum":12}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.001}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"number","minimum":0,"maximum":1,"multipleOf":0.25}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"integer","minimum":100,"multipleOf":7}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"integer","maximum":-100,"multipleOf":7}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"integer","minimum":123456789012345678901234567890}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"number","maximum":1e400,"minimum":-1e99}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"array","items":{"type":"integer"},"minItems":3,"uniqueItems":true}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"minItems":3,"uniqueItems":true}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"array","items":{"enum":[1,"b",null]},"minItems":3,"uniqueItems":true}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"array","items":{"type":"boolean"},"minItems":2,"uniqueItems":true}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"array","maxItems":0}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"array","prefixItems":[{"type":"integer"},{"type":"boolean"}],"items":false}},"required":["a"]}`,
	`{"type":"object","minProperties":2,"additionalProperties":{"type":"boolean"}}`,
	`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"minProperties":2}`,
	`{"type":"object","properties":{"a":{"oneOf":[{"type":"integer","maximum":0},{"type":"integer","minimum":0},{"type":"string"}]}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"anyOf":[false,{"type":"string","format":"uuid"}]}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":["integer","null"]}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"const":null},"b":{"const":{"x":[1]}}},"required":["a","b"]}`,
	`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
	`{"allOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},{"properties":{"a":{"minimum":8},"b":{"type":"string"}},"required":["b"]}]}`,
	`{"$ref":"#/$defs/args","$defs":{"args":{"type":"object","properties":{"p":{"$ref":"#/$defs/p~1~0"}},"required":["p"]},"p/~":{"type":"object","properties":{"x":{"type":"number"}},"required":["x"]}}}`,
	`{"type":"object","properties":{"t":{"$ref":"#/$defs/tree"}},"required":["t"],"$defs":{"tree":{"type":"object","properties":{"value":{"type":"integer"},"children":{"type":"array","items":{"$ref":"#/$defs/tree"}}},"required":["value","children"]}}}`,
	`{"type":"object","properties":{"l":{"$ref":"#"},"m":{"$ref":"#"},"n":{"$ref":"#"},"o":{"$ref":"#"},"p":{"$ref":"#"},"v":{"type":"integer"}},"required":["v"]}`,
	`{"type":"object","properties":{"s":{"anyOf":[{"$ref":"#/$defs/c"},{"$ref":"#/$defs/q"}]}},"required":["s"],"$defs":{"c":{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},"q":{"type":"object","properties":{"kind":{"const":"square"},"side":{"type":"number"}},"required":["kind","side"]}}}`,
	`{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#"},{"type":"null"}]}},"required":["next"]}`,
	`{"type":"object","properties":{"a":{"type":"string","default":5}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"string","not":{"pattern":"0"}}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"title":"any"},"a\"b":{"type":"string"}},"required":["a\"b"]}`,
	`{"type":"object","properties":{"a":{"minimum":3},"b":{"items":{"type":"null"},"minItems":1},"c":{"properties":{"d":{"type":"null"}},"required":["d"]}},"required":["a","b","c"]}`,
	`{"type":"object","properties":{"a":{"type":"string","pattern":"[0-9]{3}","minLength":10}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","pattern":"^[a-c]x[A-Z]$"},"minItems":20,"uniqueItems":true}},"required":["a"]}`,
	`{"type":"object","properties":{"e":{"$ref":"#/$defs/E"}},"required":["e"],"$defs":{"E":{"anyOf":[{"type":"object","properties":{"op":{"const":"add"},"l":{"$ref":"#/$defs/E"},"r":{"$ref":"#/$defs/E"}},"required":["op","l","r"]},{"type":"number"}]}}}`,
	`{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",null]},"b":{"type":["array","integer"],"items":{"type":["null","boolean"]},"minItems":2}},"required":["a","b"]}`,
}

func TestArgumentsAlwaysValidate(t *testing.T) {
	all := schemas
	for sample := range strings.FieldsSeq(samples) {
		format, _, _ := strings.Cut(sample, "=")
		all = append(all, `{"type":"object","properties":{"a":{"type":"string","format":"`+format+`"}},"required":["a"]}`,
			`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","format":"`+format+`"},"minItems":9,"uniqueItems":true}},"required":["a"]}`)
	}
	for _, schema := range all {
		for _, said := range []string{
			"", "hi", "Hello, I am Ada", `"" "a" 'b' “c” 1 2.5 -3 yes circle`, strings.Repeat("x y 7 ", 50), "\x00\u202e\"\\", "100000000000000000000 1.0",
		} {
			args := argumentsFor(t, schema, said)
			if schema == "" || args == "" {
				continue
			}
			compiled, err := runtime.CompileSchema(json.RawMessage(schema))
			if err != nil {
				t.Fatalf("%s: %v", schema, err)
			}
			if err := compiled.ValidateArgs(json.RawMessage(args)); err != nil {
				t.Errorf("%s, %q: %s: %v", schema, said, args, err)
			}
		}
	}
}

func TestSearchIsBounded(t *testing.T) {
	deep := strings.Repeat(`{"type":"object","required":["a"],"properties":{"a":`, 200) + `{"type":"null"}` + strings.Repeat(`}}`, 200)
	for _, schema := range []string{
		deep, // deeper than we go
		`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
		`{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"},"c":{"$ref":"#"}},"required":["a","b","c"]}`,
		`{"anyOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]}`,
		`{"type":"object","properties":{"a":{"type":"array","minItems":1000000000}},"required":["a"]}`,
		`{"type":"object","properties":{"a":{"type":"string","minLength":1000000000}},"required":["a"]}`,
		`{"type":"object","minProperties":1000000000}`,
		`{"type":"object","properties":{"a":{"type":"string","pattern":"^(((x{9}){9}){9}){9}y$"}},"required":["a"]}`,
		`{"type":"object","properties":{"a":{"type":"array","minItems":2,"maxItems":1}},"required":["a"]}`,
		`{"type":"object","properties":{"a":false},"required":["a"]}`,
	} {
		if args, err := arguments(json.RawMessage(schema), wordsOfMessage([]runtime.Message{runtime.UserMessage(`go "x" 1`)})); err == nil {
			t.Errorf("%.80s: %.80s", schema, args)
		}
	}
}

// What arguments returns is what the schema accepts, whatever the schema.
func FuzzArguments(f *testing.F) {
	for _, schema := range schemas {
		f.Add(schema, `I am Ada: "a" 1 yes`)
	}
	f.Fuzz(func(t *testing.T, schema, said string) {
		args, err := arguments(json.RawMessage(schema), wordsOfMessage([]runtime.Message{runtime.UserMessage(said)}))
		if err != nil || strings.TrimSpace(schema) == "" {
			return
		}
		compiled, err := runtime.CompileSchema(json.RawMessage(schema))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.ValidateArgs(args); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	})
}
