package grammar_test

import (
	"slices"
	"testing"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// apply returns text with the edits of those fixes.
func apply(text string, fixes []diag.Fix) string {
	var edits []diag.Edit
	for _, f := range fixes {
		edits = append(edits, f.Edits...)
	}
	slices.SortStableFunc(edits, func(a, b diag.Edit) int { return b.Span.Start - a.Span.Start })
	for _, e := range edits {
		text = text[:e.Span.Start] + e.NewText + text[e.Span.End:]
	}
	return text
}

// firstFixes returns the first fix of each diagnostic.
func firstFixes(list diag.List) (fixes []diag.Fix) {
	for _, d := range list {
		if len(d.Fixes) > 0 {
			fixes = append(fixes, d.Fixes[0])
		}
	}
	return fixes
}

func TestMistakesOfTheCorpusHaveTheirFix(t *testing.T) {
	type row struct{ Input, Recommend, Note string }
	fixed := 0
	for _, r := range golden.Lines[row](t, "corpus", "tricky.jsonl") {
		_, problems := grammar.Parse("input", r.Input)
		fixes := firstFixes(problems)
		if r.Recommend == "reject-fix" && len(fixes) == 0 {
			t.Errorf("%q (%s): no fix: %v", r.Input, r.Note, problems.Err())
			continue
		}
		if len(fixes) == 0 {
			continue
		}
		fixed++
		text := apply(r.Input, fixes)
		if _, left := grammar.Parse("fixed", text); left.HasErrors() && r.Recommend == "reject-fix" {
			t.Errorf("%q (%s) is fixed as %q: %v", r.Input, r.Note, text, left.Err())
		}
	}
	if fixed < 60 {
		t.Errorf("only %d fixes", fixed)
	}
}

func TestTheFirstFixFixesTheMistake(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		safe     bool
	}{
		{`[a:Agent {x: 1, y: 2,} | b,]`, `[a:Agent {x: 1, y: 2} | b]`, true},
		{`[a:Agent {x: 1 y: [1 2]} | b c]`, `[a:Agent {x: 1, y: [1, 2]} | b, c]`, true},
		{`(a {x = 1, y: [1,,2],, z=[2] b=c})`, `(a {x : 1, y: [1,2], z:[2], b:c})`, true},
		{`[a | b,, c,]`, `[a | b, c]`, true},
		{`[a | b, c, ]`, `[a | b, c ]`, false},
		{`[a:A {x: 1}, b]`, `[a:A {x: 1} | b]`, true},
		{`[a | (x::Text]==>(::Int)]`, `[a | (x::Text)==>(::Int)]`, true},
		{`[a {x: [red and blue]}]`, `[a {x: [red, blue]}]`, false},
		{`[a | (x::Text)-->(y::Text)->(::Int)]`, `[a | (x::Text)-->(y::Text)-->(::Int)]`, true},
		{`[a | (x::Text)~>(y::Text)~~>(::Int)]`, `[a | (x::Text)~~>(y::Text)~~>(::Int)]`, true},
		{`[a | (x::Text)->(y::Text)==>(::Int)]`, `[a | (x::Text)==>(y::Text)==>(::Int)]`, false},
		{`[a | (x::Text)--> ->(y::Text)-->(::Int)]`, `[a | (x::Text)-->(y::Text)-->(::Int)]`, false},
		{`@a("b") @@c(1) [d]`, `@a("b") @c(1) [d]`, true},
		{`[a | (x::Text)==>(::Int {min: 1}]`, `[a | (x::Text)==>(::Int {min: 1})]`, true},
		{`(a {model "m"})`, `(a {model: "m"})`, true},
		{`(a {model: OpenAI/gpt-4o, url: https://example.org})`, `(a {model: "OpenAI/gpt-4o", url: "https://example.org"})`, true},
		{`(a {s: two words})`, `(a {s: "two words"})`, false},
		{`(a {s: 5 kg})`, `(a {s: 5kg})`, false},
		{`(a {s: “it's”, 'two words': 1})`, `(a {s: "it's", "two words": 1})`, true},
		{`(a {s: café, né: 1})`, "(a {s: \"café\", `né`: 1})", true},
		{`('a b':"C D")`, "(`a b`:`C D`)", true},
		{`(a {s: "\d\u00e9\x0a\ud83d\ude00"})`, `(a {s: "\\dé\n😀"})`, true},
		{`(a {s: "\u0000"})`, `(a {s: "\\u0000"})`, false},
		{`(a {n: 1_000, m: 0o17, e: .5, f: +1})`, `(a {n: 1000, m: 017, e: 0.5, f: 1})`, true},
		{`(a {d: 2024-01-15})`, "(a {d: date`2024-01-15`})", false},
		{`(a {p: 25....41})`, `(a {p: 25..41})`, false},
		{`(a {where.. "b"})`, `(a {where: "b"})`, false},
		{`(x::"Text")==>(::"E")`, `(x::Text)==>(::E)`, false},
		{`(x::"a")==>(::Text)`, "(x::`\"a\"`)==>(::Text)", true},
		{`(x::Int)==>(::"string[]")`, "(x::Int)==>(::`[Text]`)", false},
		{`(a {n: [1 and 2, 3]})`, `(a {n: [1, 2, 3]})`, false},
		{`[D:Type {a::Number?, b::“[Text]”, c::“E”}]`, "[D:Type {a::`Number?`, b::`[Text]`, c::E}]", false},
		{`[E:Enum {values: ["a" and "b", "c"]}]`, `[E:Enum {values: ["a", "b", "c"]}]`, false},
		{`(a {x: true. y: 1, z. 2})`, `(a {x: true, y: 1, z: 2})`, false},
		{`(a:B)->(c:D)==>(e:F)`, `(a:B)==>(c:D)==>(e:F)`, false},
		{`[t | (a:B)|(c:D)==>(e:F)]`, `[t | (a:B)==>(c:D)==>(e:F)]`, false},
		{`(a Integer)==>(c:D)`, `(a: Integer)==>(c:D)`, false},
		{`[a : b, c]`, `[a : b | c]`, false},
		{`(, a:B {c: 1})`, `( a:B {c: 1})`, false},
		{`[E:Enum {values: ["a" maybe, "c"]}]`, `[E:Enum {values: ["a", maybe, "c"]}]`, false},
		{`(a {n: 1e3})`, `(a {n: 1000})`, false},
		{"(a {s: \"one\ntwo\"})", `(a {s: "one\ntwo"})`, false},
		{"(a {s: \"one,\n t: 2})", "(a {s: \"one\",\n t: 2})", false},
		{`(a)->(b)`, `(a)-->(b)`, false},
		{`(a)<---(c)==[r]==>(d)-->e`, `(a)<--(c)=[r]=>(d)-->(e)`, true},
		{`(a::Text, b::Int {default: 1})==>(::String)`, `(a::Text)==>(b::Int {default: 1})==>(::String)`, true},
		{`(b::List<Text[]>)==>(::Text?)`, "(b::`[[Text]]`)==>(::`Text?`)", true},
		{`(a::[Text])==>(::String)`, "(a::`[Text]`)==>(::String)", true},
		{`(a::Text)==>String`, `(a::Text)==>(::String)`, false},
		{`(a::Maybe Text)==>(::String)`, "(a::`Maybe Text`)==>(::String)", true},
		{`(x: int = 3)==>(::Text)`, `(x::Int {default: 3})==>(::Text)`, true},
		{`(x::Int = 3, y?: string[])-->(::Text)`, "(x::Int {default: 3})==>(y::`[Text]` {optional: true})-->(::Text)", true},
		{`(x?::Text)==>(::Text)`, `(x::Text {optional: true})==>(::Text)`, true},
		{`(a?::Int {min: 1})==>(b?: string {a: 1})==>(::Text)`, `(a::Int {optional: true, min: 1})==>(b::Text {optional: true, a: 1})==>(::Text)`, true},
		{`(x: str = None)==>(::Text)`, `(x::Text {optional: true})==>(::Text)`, false},
		{`(x::Optional[str])==>(::Text)`, "(x::`Text?`)==>(::Text)", true},
		{`(x::Dict[str, int])==>(::Text)`, "(x::`Map<Int>`)==>(::Text)", true},
		{`(x::Int {range: 1...10})==>(::Text)`, "(x::Int {range: 1..10})==>(::Text)", false},
		{`[hello Agent {x: 1}]`, `[hello: Agent {x: 1}]`, true},
		{`(x::enum ["a", "b"], y::Enum<"c">)==>(::Text)`, "(x::`\"a\" | \"b\"`)==>(y::`\"c\"`)==>(::Text)", true},
		{`[t:Test | [:User "Hi"], [:Expect {text: "x"}]]`, `[t:Test | [:User {text: "Hi"}], [:Expect {text: "x"}]]`, true},
		{`[t:Test | [:User {text: "Hi"}], [:Expect "x"]]`, `[t:Test | [:User {text: "Hi"}], [:Expect {text: "x"}]]`, false},
		{`[E:Type | enum ["a", 'b']]`, `[E:Enum {values: ["a", "b"]}]`, true},
		{`[E:Type | "a" | "b"]`, `[E:Enum {values: ["a", "b"]}]`, true},
		{`[E:Enum {a, b}]`, `[E:Enum {values: ["a", "b"]}]`, false},
		{`[E:Enum ["a", "b"]]`, `[E:Enum {values: ["a", "b"]}]`, true},
		{`(a {s: "One " + 'two' +` + "\n" + `"three", t: 1})`, `(a {s: "One twothree", t: 1})`, true},
		{`(a {s: os.environ["A_KEY"], t: $B_KEY, u: "c " + process.env.C_KEY})`, `(a {s: "${A_KEY}", t: "${B_KEY}", u: "c ${C_KEY}"})`, false},
		{`[a:Agent {x: 1, tools: [t:Tool {d: 1} | (::Text)]} | b]`, `[a:Agent {x: 1} | [t:Tool {d: 1} | (::Text)], b]`, false},
		{`[a:Agent {x: 1} | tools: [b, c]]`, `[a:Agent {x: 1} | b, c]`, false},
		{"[t:Tool {d: 1} |\n  def t(a: str) -> int:\n    return 1\n\n    # more\n]", "[t:Tool {d: 1} |\n  (a::Text)==>(::Int)\n]", false},
		{"def t(a):\n    \"\"\"Does it.\"\"\"\n    return {}\n[b]", "[t:Tool {description: \"Does it.\"} | (a::Any)]\n[b]", false},
		{"function t(a: string): string {\n  if (a) { return a }\n}\n[b]", "[t:Tool {description: \"…\"} | (a::Text)==>(::Text)]\n[b]", false},
		{"[O:Type {a::Int}]\n(x::)==>(::Text)", "[O:Type {a::Int}]\n(x::O)==>(::Text)", false},
		{"[t:Tool | (x)]\n[u:Tool | (x)]\n[a:Agent | u, ]", "[t:Tool | (x)]\n[u:Tool | (x)]\n[a:Agent | u,t ]", false},
		{`(x Text)==>(::Text)`, `(x:: Text)==>(::Text)`, true},
		{`[a:Agent Agent {x: 1}]`, `[a:Agent {x: 1}]`, false},
		{`(::Text Text)`, `(::Text)`, false},
		{`[desk desk:Library]`, `[desk:Library]`, false},
		{`[my agent:Agent {x: 1}]`, `[my: agent:Agent {x: 1}]`, false},
		{`[tool find {x: 1}]`, `[find:Tool {x: 1}]`, false},
		{`[a:Agent helper {x: 1}]`, `[a:Agent: helper {x: 1}]`, false},
		{`[t: {x: 1}]`, `[t:Agent {x: 1}]`, false},
		{`[c:Command {run: ["a", , "b"]}]`, `[c:Command {run: ["a",  "b"]}]`, false},
		{`[c:Command {run: ["1""1"]}]`, `[c:Command {run: ["1","1"]}]`, false},
		{`(x: Text, y: Int) -> Text`, `(x::Text)==>(y::Int)==>(::Text)`, true},
		{`(x::Text | Int)==>(::Text)`, "(x::`Text | Int`)==>(::Text)", true},
		{`(x::"a" | "b")==>(::Text)`, "(x::`\"a\" | \"b\"`)==>(::Text)", true},
		{`[E:Enum | "a", "b"]`, `[E:Enum {values: ["a", "b"]}]`, true},
		{"(a {t: ```md\nOne.\n``, u: 1})", "(a {t: ```md\nOne.\n```, u: 1})", false},
		{"(a {t: ``md\nOne.\n```, u: 1})", "(a {t: ```md\nOne.\n```, u: 1})", false},
		{`[a | b-->c, "d e"]`, "[a | (b)-->(c), `d e`]", true},
		{`[a | t:Tool {d: 1}]`, `[a | [t:Tool {d: 1}]]`, false},
		{`[a:A (b)]`, `[a:A | (b)]`, true},
		{`[a | [b | c`, `[a | [b | c]]`, false},
		{`(a==>(b)`, `(a)==>(b)`, true},
		{`[a:A x: 1, y: 2} | b]`, `[a:A {x: 1, y: 2} | b]`, false},
		{`[a | b:B {x: 1} | (c)]]`, `[a | [b:B {x: 1} | (c)]]`, false},
		{`(a)-->b::B {x: 1})-->(c)`, `(a)-->(b::B {x: 1})-->(c)`, true},
		{"(a {t: md\nOne, two.\n```, u: 1})", "(a {t: ```md\nOne, two.\n```, u: 1})", false},
		{"(a {t: One is, [two:\n(three.\n```})\n(b)", "(a {t: ```\nOne is, [two:\n(three.\n```})\n(b)", false},
		{"(a {t:   One\n  (two)\n```})", "(a {t: ```\n  One\n  (two)\n```})", false},
		{"[a {t: \n  model: x\n  | b |\n```}]", "[a {t: ```\n  model: x\n  | b |\n```}]", false},
		{"(a {t:\nCost: $5; (one\n```, u: 1})", "(a {t: ```\nCost: $5; (one\n```, u: 1})", false},
		{`(a {x{ "t"})`, `(a {x: "t"})`, false},
		{`(a {x==> "t"})`, `(a {x: "t"})`, false},
		{`[a:Agent | (x::Text|==>(::Text)]`, `[a:Agent | (x::Text)==>(::Text)]`, false},
		{`(a {x 1 :})`, `(a {x : 1})`, false},
		{`(a {x::Int, :y 2})`, `(a {x::Int, y: 2})`, false},
		{`[b: {command: ["run"]}]`, `[b:Mcp {command: ["run"]}]`, false},
		{`[b: {run: ["run"]}]`, `[b:Command {run: ["run"]}]`, false},
		{`[a:Agent {: "t", model: "m"}]`, `[a:Agent {instruction: "t", model: "m"}]`, false},
		{`(abk-[:KNOWS]-(b)`, `(abk)-[:KNOWS]-(b)`, false},
		{"(a {x::`[Text]\n})", "(a {x::`[Text]`\n})", false},
		{"(a::`Text? {min: 1})", "(a::`Text?` {min: 1})", false},
		{`(a {x: [-y", "b"]})`, `(a {x: ["-y", "b"]})`, false},
		{"@d(One for two\")\n(a)", "@d(\"One for two\")\n(a)", false},
		{`[a | b, , c]`, `[a | b,  c]`, false},
		{`[t:Tool | def f(x: int, ys: list[str] = None) -> str:]`, "[t:Tool | (x::Int)==>(ys::`[Text]` {optional: true})==>(::Text)]", false},
		{`[t:Tool | function f(x: string, y = 3): Promise<string>]`, `[t:Tool | (x::Text)==>(y::Any {default: 3})==>(::Text)]`, false},
		{`export async function f(x?: string): void`, `[f:Tool {description: "…"} | (x::Text {optional: true})==>(::Null)]`, false},
		{"[t:Tool | (\n  x: string,\n  y: number\n) -> string]", "[t:Tool | (x::Text)==>(y::Number)==>(::Text)]", true},
		{`[t:Tool | () => string]`, `[t:Tool | () ==>(::Text)]`, false},
		{`(x: Set<string>)==>(::Text)`, "(x::`[Text]`)==>(::Text)", false},
		{`(x::Union[str, int, None])==>(::Text)`, "(x::`(Text | Int)?`)==>(::Text)", true},
		{`(x: Record<string, number[]>)==>(::Text)`, "(x::`Map<[Number]>`)==>(::Text)", false},
		{`(x: Literal["a", "b"])==>(::Text)`, "(x::`\"a\" | \"b\"`)==>(::Text)", false},
		{`(x::enum ["a", "b"])==>(::Text)`, "(x::`\"a\" | \"b\"`)==>(::Text)", true},
		{`(x: {a: string; b?: number})==>(::Text)`, "(x::`{a: Text, b?: Number}`)==>(::Text)", true},
		{`(x: string | null)==>(::Text)`, "(x::`Text?`)==>(::Text)", true},
		{`(x?: int {})==>(::Text)`, `(x::Int {optional: true})==>(::Text)`, true},
		{`[P:Type {name::Text, age?::Int}]`, `[P:Type {name::Text, age::{type: Int, optional: true}}]`, true},
		{`[E:Enum | "a" | "b"]`, `[E:Enum {values: ["a", "b"]}]`, true},
		{"import \"./x\"\nimport { t } from './y.gram'\n(a)", "{import: [\"./x.gram\", \"./y.gram\"]}\n(a)", false},
		{"(a {\n  t: |\n    One.\n    Two.\n  u: 1\n})", "(a {\n  t: ```\nOne.\nTwo.\n```,\n  u: 1\n})", false},
		{"[a |\n  - b\n  - c\n]", "[a |\n  b,\n  c\n]", false},
		{"(a {\n  t: One two\n  u: Three four\n})", "(a {\n  t: \"One two\",\n  u: \"Three four\"\n})", false},
		{`(a {t: f"One"})`, `(a {t: "One"})`, false},
		{`[Agent a {x: 1}]`, `[a:Agent {x: 1}]`, false},
		{`(a {n: 1e-3})`, `(a {n: 0.001})`, false},
		{`(a {city- "Bonn"})`, `(a {city: "Bonn"})`, false},
		{`(a)B {x: 1})`, `(a)(B {x: 1})`, false},
		{`note("x") (a)`, `@note("x") (a)`, true},
		{"# one\n(a) # two\n/* three\n   four */\n-- five\n(b)", "// one\n(a) // two\n// three\n// four\n// five\n(b)", true},
	} {
		_, problems := grammar.Parse("f", tt.in)
		got := apply(tt.in, firstFixes(problems))
		if got != tt.want {
			t.Errorf("%s\nis fixed as %q\nwant         %q\n%v", tt.in, got, tt.want, problems.Err())
		}
		for _, d := range problems {
			if len(d.Fixes) == 0 || d.Fixes[0].Safe != tt.safe {
				t.Errorf("%s: %v: fixes %+v, want safe %v", tt.in, d, d.Fixes, tt.safe)
			}
		}
	}
}
