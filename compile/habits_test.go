package compile

import (
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

// TestHabitsOfOtherLanguagesAreTold gives parameters as people write them who
// come from elsewhere. Each is reported once, with what to write instead.
func TestHabitsOfOtherLanguagesAreTold(t *testing.T) {
	for _, tt := range []struct{ param, want, fixed string }{
		{"(x::`List[Int]`)", "write [Int]", "(x::`[Int]`)"},
		{"(x::`List<int>`)", "write [Int]", "(x::`[Int]`)"},
		{"(x::`[List[Int]]`)", "write [Int]", "(x::`[[Int]]`)"},
		{"(x::`{a: Set<Int>, b: Text}`)", "write [Int]", "(x::`{a: [Int], b: Text}`)"},
		{"(x::`List (Maybe Int)`)", "List takes no argument", ""},
		{"(x::`List [Int]`)", "write [[Int]]", "(x::`[[Int]]`)"},
		{"(x::`Optional[Int]`)", "write Int? for what may be null, Maybe Int for what may be left out", "(x::`Int?`)"},
		{"(x::`Optional[List[str]]`)", "write [Text]? for", "(x::`[Text]?`)"},
		{"(x::`Dict[str, int]`)", "write Map<Int>", "(x::`Map<Int>`)"},
		{"(x::`Map<Text, Int>`)", "written otherwise in gram: Map<Int>", "(x::`Map<Int>`)"},
		{"(x::`Record<string, number[]>`)", "Record takes no argument", ""},
		{"(x::`Union[int, str]`)", "write Int | Text", "(x::`Int | Text`)"},
		{"(x::`Maybe<Int>`)", "written otherwise in gram: Maybe Int", "(x::`Maybe Int`)"},
		{"(x::`IO [Text]`)", "write just [Text]", "(x::`[Text]`)"},
		{"(x::`Promise<Text>`)", "write Text", "(x::`Text`)"},
		{"(x::Date)", "that is a Text with a format: {format: date}", "(x::Text {format: date})"},
		{"(x::datetime)", "that is a Text with a format: {format: date-time}", "(x::Text {format: date-time})"},
		{"(x::URL {optional: true})", "that is a Text with a format: {format: uri}", "(x::Text {format: uri, optional: true})"},
		{"(x::UUID {})", "that is a Text with a format: {format: uuid}", "(x::`Text(format=uuid)` {})"},
		{"(x::`Timestamp`)", "that is a Text with a format: {format: date-time}", "(x::`Text(format=date-time)`)"},
		{"(x::`{at: LocalDate, n: [Email]}`)", "that is a Text with a format: {format: date}", "(x::`{at: Text(format=date), n: [Email]}`)"},
		{"(x::BigInt)", "did you mean Int?", "(x::Int)"},
		{"(x::unknown)", "did you mean Any?", "(x::Any)"},
		{"(x::Array {of:: [Int]})", "a type that is more than a name stands in backticks: type`[Int]`", "(x::Array {of:: type`[Int]`})"},
		{"(x::Bool {deprecated: False})", "it must be true or false", "(x::Bool {deprecated: false})"},
		{`(x::Bool {deprecated: "false"})`, "it must be true or false", "(x::Bool {deprecated: false})"},
		{"(x::Bool {deprecated: yes})", "it must be true or false", "(x::Bool {deprecated: true})"},
	} {
		const rest = "==>(::Text)"
		_, problems := types.ParseTypeSignature(tt.param + rest)
		if len(problems) != 1 || !strings.Contains(problems[0].Message, tt.want) {
			t.Errorf("%s: %v, want one that says %s", tt.param, problems, tt.want)
			continue
		}
		fixed := ""
		if fixes := problems[0].Fixes; len(fixes) > 0 {
			fixed, _ = diag.Apply(tt.param+rest, fixes[:1])
		}
		if want := tt.fixed; fixed != want && fixed != want+rest {
			t.Errorf("%s: the fix makes %q of it, want %q", tt.param, fixed, want)
		}
	}
}

// TestHabitsWithoutValuesAreReported has the same properties without values, or with others.
func TestHabitsWithoutValuesAreReported(t *testing.T) {
	for _, text := range []string{
		`[l:Library | [e:Http {get:}], [f:Http {post}], [g:Mcp {command: [], args: "x"}], [h:Mcp {command: "a", args: 5}], [i:Command {run: ["a"], args: {}}]]`,
		`[l:Library | [i:Command {run: ["a"], args:}], [j:Mcp {command: "a", args:}]]`,
		`[t:Tool {description: "d", parameters:}]`,
		`[t:Tool {description: "d", parameters: [{name: 5}]}]`,
		`[t:Tool {description: "d", parameters: {a: {type:}}}]`,
	} {
		file, _ := grammar.Parse("f", text)
		if problems := Check(file, nil); !problems.HasErrors() {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

// TestHabitsOfOtherToolsAreFixed has agents, tools and entries with the properties of
// other tools. All of their first fixes make what was meant.
func TestHabitsOfOtherToolsAreFixed(t *testing.T) {
	for text, want := range map[string]string{
		`[a:Agent {prompt: "i", model: "OpenAI/m"}]`:                                                `[a:Agent {instruction: "i", model: "OpenAI/m"}]`,
		`[a:Agent {model: "OpenAI/m", system: "i"}]`:                                                `[a:Agent {model: "OpenAI/m", instruction: "i"}]`,
		`[t:Tool {description: "d", timeout: "30s"} | (::Text)]`:                                    `[t:Tool {description: "d", timeout: 30s} | (::Text)]`,
		`[t:Tool {description: "d"} | (x::Int {range: [1, 10]})==>(::Int)]`:                         `[t:Tool {description: "d"} | (x::Int {range: 1..10})==>(::Int)]`,
		`[l:Library | [m:Mcp {command: "npx", args: ["-y", "x"]}]]`:                                 `[l:Library | [m:Mcp {command: ["npx", "-y", "x"]}]]`,
		`[l:Library | [m:Mcp {args: ["-y"], command: "npx"}]]`:                                      `[l:Library | [m:Mcp {command: ["npx", "-y"]}]]`,
		`[l:Library | [m:Mcp {command: ["npx"], args: ["-y", "x"], env: {A: "b"}}]]`:                `[l:Library | [m:Mcp {command: ["npx", "-y", "x"], env: {A: "b"}}]]`,
		`[l:Library | [t:Command {argv: ["-y"], run: ["x"]} | (::Text)]]`:                           `[l:Library | [t:Command {run: ["x", "-y"]} | (::Text)]]`,
		`[l:Library | [t:Http {post: "https://a.example/", body: json}]]`:                           `[l:Library | [t:Http {method: POST, url: "https://a.example/", body: json}]]`,
		`[l:Library | [t:Http {GET: "https://a.example/{a}"}]]`:                                     `[l:Library | [t:Http {url: "https://a.example/{a}"}]]`,
		`[l:Library | [t:Http {method: PUT, put: "https://a.example/"}]]`:                           `[l:Library | [t:Http {method: PUT, url: "https://a.example/"}]]`,
		`[l:Library | [t:Http {url: "https://a.example/", headers: {"X-Key": process.env.A_KEY}}]]`: `[l:Library | [t:Http {url: "https://a.example/", headers: {"X-Key": "${A_KEY}"}}]]`,
		// for none there is no fix that is safe
		`[t:Tool {description: "d"} | (x::Text {default: None})==>(::Int)]`:      `[t:Tool {description: "d"} | (x::Text {default: None})==>(::Int)]`,
		`[t:Tool {description: "d"} | (x::Text {default: undefined})==>(::Int)]`: `[t:Tool {description: "d"} | (x::Text {default: undefined})==>(::Int)]`,
		`[t:Tool {description: "d"} | (x::Text {default: null})==>(::Int)]`:      `[t:Tool {description: "d"} | (x::Text {default: null})==>(::Int)]`,
	} {
		check := func(text string) diag.List {
			file, _ := grammar.Parse("f", text)
			return Check(file, nil)
		}
		problems := check(text)
		if len(problems) != 1 {
			t.Errorf("%s has not one problem: %v", text, problems)
		}
		if fixed := diag.ApplySafe(text, problems, check); fixed.Text != want {
			t.Errorf("%s is fixed as\n%s, want\n%s\n%v", text, fixed.Text, want, fixed.Problems)
		}
	}
}
