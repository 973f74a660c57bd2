package grammar_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/source"
)

// ignorePlaces compares trees by what they say, not by where.
var ignorePlaces = cmp.Options{
	cmpopts.IgnoreTypes(ast.Base{}),
	cmpopts.IgnoreFields(ast.File{}, "Source"),
	cmpopts.EquateEmpty(),
}

func TestGoldenFilesParseToTheirPatterns(t *testing.T) {
	for _, input := range golden.Inputs(t) {
		file, _ := grammar.Parse(input, golden.Read(t, input))
		var compact, indented bytes.Buffer
		if err := ast.WriteJSON(&compact, file); err != nil {
			t.Fatal(err)
		}
		if err := json.Indent(&indented, compact.Bytes(), "", "  "); err != nil {
			t.Fatalf("%s: not JSON: %v\n%s", input, err, compact.Bytes())
		}
		golden.Compare(t, input, ".parse.json", indented.Bytes())
	}
}

// TestMistakesAreReportedWhereTheyAre marks each place with «», an empty one where
// something is missing; the marks are taken out before parsing.
func TestMistakesAreReportedWhereTheyAre(t *testing.T) {
	for _, in := range []string{
		`[a:Agent {description: "x"«» model: "y"}]`,
		`[a:Agent {instruction«» "x"}]`,
		`[a:Agent {instruction: «}»]`,
		`[a:Agent {x: 1«,»}]`,
		`[a:Agent {x: 1«» | b]`,
		`[a | b«,»]`,
		`[a |«]»`,
		`[a | b«» (c)]`,
		`[a | «"text"»]`,
		`[a | b«:»B, c]`,
		`[a | «@»k(1) b, c]`,
		`[a«» [b], [c]]`,
		`[a «b» | c]`,
		`[a | b] «c»`,
		`[a | b«»`,
		`(a)«->»(b)`,
		`(a)«---»(b)`,
		`(a)-[r]«=>»(b)`,
		`(a)--«[»r]-->(b)`,
		`(a)-->«b»`,
		`(a)-->«[»b]`,
		`(«"a"»)`,
		`(a«,» b)==>(c)`,
		`(a:«)»`,
		`({a: "x«\d»y", b: "«\q»"})`,
		`({a: «"unclosed})»`,
		"({a: «\"x\\\n\"», b: «'y\\\r\n'»})",
		`({d: «2024-01-15», e: 1})`,
		`({n: «089»}) ({n: «1e10»}) ({n: «0o17»})`,
		`({r: 1...«9»})`,
		`(na«ï»ve)`,
		`@k«»`,
		`@«"k"»(1) (a)`,
		`@k(«)» (a)`,
		`@k(1) «@@»p (a)`,
		`(a) «{»k: 1} (b)`,
		`(a)«,» (b)«,» (c)`,
		"[a:Agent {x: 1} |\n  [t:Tool {y: 2} | (z)==>(w)]«»\n[b:Agent {x: «}»]\n[c | «5.5»]\n",
		"({s: «\"one\ntwo\"», t: 1})",
		"({s: «\"\"\"one\ntwo\"\"\"», t: 1})",
		"({s: «\"\"\"»one})",
		"(a«»==>(b)",
		"(a::List«<»Text>)==>(b)",
		"(a)«=>»(b)",
		"({m: OpenAI«/»gpt-4o, n: 1})",
		"({s: «```a b»\n})",
		"({s: «```»\nnever closed})",
		"[a:Agent {\n  description: «\"d,»\n  model: \"m\"\n} | t]\n",
	} {
		text := strings.NewReplacer("«", "", "»", "").Replace(in)
		var want []string
		for at, rest := 0, in; ; {
			before, after, ok := strings.Cut(rest, "«")
			if !ok {
				break
			}
			inside, tail, _ := strings.Cut(after, "»")
			at += len(before)
			want = append(want, fmt.Sprintf("%d-%d", at, at+len(inside)))
			at, rest = at+len(inside), tail
		}
		if text == "@k" {
			want = []string{"2-2"}
		}
		_, problems := grammar.Parse("f", text)
		var got []string
		for _, d := range problems {
			got = append(got, fmt.Sprintf("%d-%d", d.Span.Start, d.Span.End))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s%v", in, diff, problems.Err())
		}
	}
}

func TestAgentsAroundMistakesStayInTheTree(t *testing.T) {
	file, problems := grammar.Parse("f", `
[first:Agent {instruction: "i", model: "m"} | one]
[second:Agent {instruction "i" model: "m", x: } | one, "two", three]
[third:Agent {instruction: "i", model: "m"} | [four:Tool {d: 1} | (a)->(b)]]
`)
	if len(problems) != 5 {
		t.Errorf("%d diagnostics, want 5: %v", len(problems), problems.Err())
	}
	var got []string
	for _, p := range file.Patterns {
		a, ok := ast.AsAgent(p)
		if !ok {
			t.Errorf("no agent: %s", ast.Print(p))
			continue
		}
		elements := []string{a.Name(), a.Model()}
		for tool := range a.Tools() {
			elements = append(elements, tool.Identity())
		}
		got = append(got, strings.Join(elements, " "))
	}
	want := []string{"first m one", "second m one  three", "third m four"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestValuesMeanWhatTheySay(t *testing.T) {
	for in, want := range map[string]string{
		`"a\"\\\/\n\t\b\f\r"`:            `"a\"\\/\n\t\b\f\r"`,
		`'it\'s \"'`:                     `"it's \""`,
		"`tick`":                         `"tick"`,
		"\"abc\n  // c\n \"":             `"abc"`,
		`"// no comment"`:                `"// no comment"`,
		"```\nabc\n  ```":                `"abc"`,
		"```\r\nabc\r\n```":              `"abc"`,
		"```\n\n\n  x\n```":              `"\n\n  x"`,
		"```\nx```":                      `"x"`,
		"```\n```":                       `""`,
		"```md\n# Title\n```":            `{"type":"tagged","tag":"md","content":"# Title"}`,
		"``` md // c\nx\n```":            `{"type":"tagged","tag":"md","content":"x"}`,
		"date`2024-01-15`":               `{"type":"tagged","tag":"date","content":"2024-01-15"}`,
		"md `x`":                         `{"type":"tagged","tag":"md","content":"x"}`,
		"true":                           "true",
		"trueish":                        `{"type":"symbol","value":"trueish"}`,
		"0xCAFE":                         "51966",
		"0755":                           "493",
		"-0":                             "-0",
		"0.50":                           "0.50",
		"3.5s":                           `{"type":"measurement","unit":"s","value":3.5}`,
		"-5kg":                           `{"type":"measurement","unit":"kg","value":-5}`,
		"0xFFkg":                         `{"type":"measurement","unit":"xFFkg","value":0}`,
		"123456789012345678901234567890": "123456789012345678901234567890",
		"1..5":                           `{"type":"range","lower":1,"upper":5}`,
		"...1m":                          `{"type":"range","lower":null,"upper":{"type":"measurement","unit":"m","value":1}}`,
		"1.5...":                         `{"type":"range","lower":1.5,"upper":null}`,
		`[1, [], {a: {b:: "c"}}]`:        `[1,[],{"a":{"b":"c"}}]`,
	} {
		file, problems := grammar.Parse("f", "({v: "+in+"})")
		if problems.HasErrors() {
			t.Errorf("%s: %v", in, problems.Err())
			continue
		}
		var b strings.Builder
		if err := ast.WriteJSON(&b, file); err != nil {
			t.Fatal(err)
		}
		const head, tail = `[{"subject":{"identity":"","labels":[],"properties":{"v":`, `}},"elements":[]}]` + "\n"
		got := strings.TrimSuffix(strings.TrimPrefix(b.String(), head), tail)
		if got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}

func TestPathsDesugarInTheDirectionOfTheirArrows(t *testing.T) {
	for in, want := range map[string]string{
		"(a)-->(b)":               "[|a,b]",
		"(a)-[r:R]->(b)":          "[r|a,b]",
		"(a)<=[r]=(b)":            "[r|b,a]",
		"(a)~~(b)":                "[|a,b]",
		"(a)<-[r]->(b)":           "[r|a,b]",
		"(a)-[r]->(b)<-[s]-(c)":   "[|[r|a,b],[s|c,b]]",
		"@k(1) (a)":               "[|a]",
		"@k([1, {a: [2]}]) (a)":   "[|a]",
		"@@p @k([1]) [a|(b)]":     "[p|[a|b]]",
		"@@p:L @k(1) @j(2) [a|b]": "[p|[a|b]]",
		"{k: 1} (a)":              "[]a",
	} {
		file, problems := grammar.Parse("f", in)
		if problems.HasErrors() {
			t.Errorf("%s: %v", in, problems.Err())
			continue
		}
		var b bytes.Buffer
		if err := ast.WriteJSON(&b, file); err != nil {
			t.Fatal(err)
		}
		var patterns []jsonPattern
		if err := json.Unmarshal(b.Bytes(), &patterns); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, p := range patterns {
			got += p.String()
		}
		if got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}

type jsonPattern struct {
	Subject  struct{ Identity string }
	Elements []jsonPattern
}

func (p jsonPattern) String() string {
	if len(p.Elements) == 0 && p.Subject.Identity != "" {
		return p.Subject.Identity
	}
	var parts []string
	for _, e := range p.Elements {
		parts = append(parts, e.String())
	}
	bar := ""
	if len(parts) > 0 {
		bar = "|"
	}
	return "[" + p.Subject.Identity + bar + strings.Join(parts, ",") + "]"
}

func TestEveryCommentBelongsToOneNode(t *testing.T) {
	const text = `// head
{kind: "x"} // of the header

// before a
[a:Agent { // opens
  // before k
  k: 1, // of k
  l: 2 // of l
  // end of record
} | // elements
  // before b
  b, // of b
  (c)-->// in the path
  (d)
  // end of list
] // of a
@k(1) // of k(1)
// after k(1)
@l( // opens l
  2
  // end of l
)
// after l
(x) - // in the arrow
// before the arrow
- (y {r: 1
  // before the range
  ..2})
// end of file`
	file, problems := grammar.Parse("f", text)
	if problems.HasErrors() {
		t.Fatal(problems.Err())
	}
	got := map[string]string{}
	for n := range ast.Preorder(file) {
		c := n.Comments()
		if c == nil {
			continue
		}
		for where, list := range map[string][]*ast.Comment{"before": c.Before, "suffix": c.Suffix, "after": c.After} {
			for _, comment := range list {
				if _, twice := got[comment.Text()]; twice {
					t.Errorf("%s belongs to two nodes", comment.Text())
				}
				got[comment.Text()] = where + " " + strings.TrimPrefix(fmt.Sprintf("%T", n), "*ast.")
			}
		}
	}
	want := map[string]string{
		"// head": "before Record", "// of the header": "suffix Record", "// before a": "before Pattern",
		"// opens": "before Property", "// before k": "before Property", "// of k": "suffix Property",
		"// of l": "suffix Property", "// end of record": "after Record", "// elements": "before Pattern",
		"// before b": "before Pattern", "// of b": "suffix Pattern", "// in the path": "suffix Arrow",
		"// end of list": "after Pattern", "// of a": "suffix Pattern", "// end of file": "after File",
		"// of k(1)": "suffix Annotation", "// after k(1)": "before Annotation", "// opens l": "before Number",
		"// end of l": "after Annotation", "// after l": "after Annotation", "// in the arrow": "before Arrow",
		"// before the arrow": "before Arrow", "// before the range": "before Range",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSpansCoverExactlyTheirText(t *testing.T) {
	const text = `@k("v") [a:A::B {x: [1, 2..3], "y":: tag` + "`t`" + `} | (b)-[r:R]->(c), d]`
	file, problems := grammar.Parse("f", text)
	if problems.HasErrors() {
		t.Fatal(problems.Err())
	}
	for n := range ast.Preorder(file) {
		got := n.Span().Text()
		if _, isFile := n.(*ast.File); isFile || got == "" {
			continue
		}
		// What a node prints from its own text is that text, whitespace aside.
		if p, c := squeeze(ast.Print(n)), squeeze(got); p != c {
			t.Errorf("%T spans %q and prints %q", n, got, ast.Print(n))
		}
	}
}

func squeeze(s string) string { return strings.ReplaceAll(s, " ", "") }

func TestUnreadableBytesGiveOneDiagnostic(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		at       int
		code     diag.Code
	}{
		{"UTF-16", "\xff\xfe[\x00a\x00]\x00", 0, diag.CodeNotUTF8},
		{"latin 1", "// caf\xe9\n(a)", 6, diag.CodeNotUTF8},
		{"broken between patterns", "(a) \xc3 (b)", 4, diag.CodeNotUTF8},
		{"NUL", "(a)\x00(b)", 3, diag.CodeSyntax},
		{"no-break space", "(a)\u00a0(b)", 3, diag.CodeSyntax},
		{"too large", strings.Repeat(" ", grammar.MaxSize+1), 0, diag.CodeTooLarge},
	} {
		_, problems := grammar.Parse("f", tt.in)
		if len(problems) != 1 || problems[0].Code != tt.code || problems[0].Span.Start != tt.at {
			t.Errorf("%s: %v", tt.name, problems)
		}
	}
	for _, in := range []string{"", "\ufeff(a)", "(a)\r\n\v\f(b)", "// only\r", "(a)//c\r(b)"} {
		if _, problems := grammar.Parse("f", in); problems.HasErrors() {
			t.Errorf("%q: %v", in, problems.Err())
		}
	}
}

func TestMessagesAboutBytesThatAreNoTextAreCut(t *testing.T) {
	_, problems := grammar.Parse("f", "{\""+strings.Repeat("\xb0", 200)+"\" 1}")
	if len(problems) != 2 || len(problems[1].Message) > 200 {
		t.Errorf("%v", problems)
	}
}

func TestParseFileKeepsTheFile(t *testing.T) {
	src := source.NewFile("name.gram", "(a)")
	file, _ := grammar.ParseFile(src)
	if file.Source != src || file.Patterns[0].Span().File != src {
		t.Error("the tree is of another file")
	}
}
