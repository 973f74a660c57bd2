package format_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// formatted formats a text, twice.
func formatted(t *testing.T, text string) string {
	t.Helper()
	file, _ := grammar.Parse("input", text)
	once := format.File(file, nil)
	again, _ := grammar.Parse("formatted", once)
	if diff := cmp.Diff(once, format.File(again, nil)); diff != "" {
		t.Errorf("formatting again changes\n%s", diff)
	}
	return once
}

func TestGoldenFilesAreLaidOut(t *testing.T) {
	for _, input := range golden.Inputs(t) {
		golden.Compare(t, input, ".fmt", []byte(formatted(t, golden.Read(t, input))))
	}
}

func TestExamplesAreFormatted(t *testing.T) {
	files, err := filepath.Glob("../examples/*.gram")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	for _, file := range files {
		text := golden.Read(t, file)
		if diff := cmp.Diff(text, formatted(t, text)); diff != "" {
			t.Errorf("%s (-now +formatted):\n%s", file, diff)
		}
	}
}

func TestWhatOtherFormattersDamageStays(t *testing.T) {
	for _, text := range []string{
		"(a {r: 1...})", "(a {r: 1.5..2.5, k: 1})", "(a {r: ...0x1F, s: 01..07, t: 1m..5m})", "(a {j: trueish, k: true.x})", // ranges, symbols
		"(a {n: 0xCAFE, o: 0755, d: 1.50, z: -0, m: 3.5s, i: 123456789012345678901234567890})", // numbers
		"(a {t: md`# x`, u: url`//x`, s: '\"', b: `'`, e: \"\\\"\\/\\n\", c: \"// no\"})",      // texts
		"({\n  t: ```md\n   # x\n\n\n  y  \n ```,\n  u: ```\n```\n})",                          // fences
		"({\n  s: \"abc\n  // in the text\n \"\n})",
		"[t:ToolSpecification]", "(a)-[:worksWith]->(b)", "(x:lower:UPPER:CamelCase)", // labels
		"[a | b]", "[a | (b)]", "[a | [b]]", "[ | x, `y z`, 1]", "[]", "()", "[a]", // references
		"(`x y`:`L M` {`k k`: 1, \"l l\": 2, m: 3})",                                                                   // names
		"(a {k: 1, k: 2, b: 1, a: 2})",                                                                                 // keys
		"(a:B)", "(a::B)", "(a:B::C)", "({k::v, l: v})", "@@p:L [a]", "@@::L @k({x: 1}) @`q`(5kg) (a)", "@k(1...) (a)", // separators, annotations
		"(a)--(b)-->(c)<--(d)<-->(e)==(f)==>(g)<==(h)<==>(i)~~(j)~~>(k)<~~(l)<~~>(m)",
		"(a)-[r]-(b)-[:R]->(c)<-[r {k: 1}]-(d)<-[]->(e)=[r]=(f)=[r]=>(g)~[r]~(h)<~[r]~>(i)",
		"{k: \"header\"}\n(a)", "{}",
		"(a {x: [], y: [[1, 2], [3]], z: {a: {b: [{}]}}})",
	} {
		if diff := cmp.Diff(text+"\n", formatted(t, text)); diff != "" {
			t.Errorf("%q changes:\n%s", text, diff)
		}
	}
}

func TestPartsThatDoNotParseKeepTheirBytes(t *testing.T) {
	for in, want := range map[string]string{
		"(a":                            "(a",
		" ( a  {k:1})  (b":              "(a {k: 1})\n(b",
		"(a {k:  1 l:2})\n( b )":        "(a {k:  1 l:2})\n(b)\n",
		"( a )\n\n  [b |  ]\n( c )":     "(a)\n\n  [b |  ]\n(c)\n",
		"( a ),( b )":                   "(a)\n,\n(b)\n",
		"[a|b]  x y // c\n\n( d )":      "[a | b]\nx y // c\n\n(d)\n",
		"( a ) @k // c\n":               "( a ) @k // c\n",
		"@k @l( 1 ) ( a )":              "@k @l( 1 )\n(a)",
		"( a )->( b )\n( c )":           "( a )->( b )\n(c)\n",
		"({a:[1,2,]})\n( b )":           "({a:[1,2,]})\n(b)\n",
		"// c\n[a|b,]// d\n// e\n( f )": "// c\n[a|b,]// d\n// e\n(f)\n",
		"({s:\"\\d\"})":                 "({s: \"\\d\"})\n", // a mistake that leaves nothing out
		"\xff\xfe(\x00a\x00)\x00":       "\xff\xfe(\x00a\x00)\x00",
	} {
		file, problems := grammar.Parse("input", in)
		if !problems.HasErrors() {
			t.Errorf("%q has no mistake", in)
		}
		got := format.File(file, nil)
		if diff := cmp.Diff(strings.TrimSuffix(want, "\n"), strings.TrimSuffix(got, "\n")); diff != "" {
			t.Errorf("%q:\n%s", in, diff)
		}
	}
}

func TestLineEndsAreThoseOfTheFirstLine(t *testing.T) {
	for in, want := range map[string]string{
		"(a)\r\n\r\n\r\n( b )":            "(a)\r\n\r\n(b)\r\n",
		"(a) // c \r\n// d\r\n":           "(a) // c\r\n// d\r\n",
		"// c\n(a)\r\n(b)\r\n":            "// c\n(a)\n(b)\n",
		"({k:```\r\n x\r\n ```,l:1})\r\n": "({\r\n  k: ```\r\n x\r\n ```,\r\n  l: 1\r\n})\r\n",
		"\n({k:```\r\n x\r\n ```})\n":     "({\n  k: ```\r\n x\r\n ```\n})\n",
		"\ufeff\n\n( a )":                 "\ufeff(a)\n",
		"\ufeff  // c":                    "\ufeff// c\n",
		"\ufeff\n":                        "\ufeff",
		"\n \r\n\t":                       "",
	} {
		if diff := cmp.Diff(want, formatted(t, in)); diff != "" {
			t.Errorf("%q:\n%s", in, diff)
		}
	}
}

// TestRunawayInputsStaySmall formats what grows with depth, and what is broken
// into the most lines.
func TestRunawayInputsStaySmall(t *testing.T) {
	deep := func(open, shut string, n int) string { return strings.Repeat(open, n) + strings.Repeat(shut, n) }
	for _, in := range []string{
		deep("[a|", "]", 999), "({k:" + deep("[", "]", 990) + "})", "({k:" + deep("{k:", "}", 990) + "})", deep("[\n", "]", 1000),
		strings.ReplaceAll(deep("[a|", "]", 999), "|]", "|"+strings.Repeat("b,", 50_000)+"b]"),
		"({k:[" + strings.Repeat("1,", 50_000) + "1]})", "(a)" + strings.Repeat("-->(b)", 50_000), strings.Repeat("@k(1)", 50_000) + "(a)",
		"(a" + strings.Repeat(":L", 50_000) + ")", strings.Repeat("(a)", 50_000), strings.Repeat("// c\n", 50_000),
		"[a|" + strings.Repeat("// c\n", 50_000) + "b]", "[a|b" + strings.Repeat(" , b// c\n", 50_000) + "]", "({k: \"" + strings.Repeat("x", 1<<20) + "\"})",
		strings.Repeat("(a)\n)\n", 50_000), strings.Repeat("\n", 1<<20) + "(a)" + strings.Repeat("\n", 1<<20),
	} {
		file, _ := grammar.Parse("input", in)
		if got := len(format.File(file, nil)); got > 50*len(in)+1000 {
			t.Errorf("%.20q… of %d bytes becomes %d", in, len(in), got)
		}
	}
}
