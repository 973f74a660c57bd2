package compile

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/grammar"
)

// manyTypes returns a file with types that hold the next one, and with tools: of
// each five types one ends the chain. T91 is wrong, and T92 is defined twice.
func manyTypes() string {
	var b strings.Builder
	for i := range 100 {
		switch {
		case i == 91:
			b.WriteString("[T91:Type | (a::Nothing)]\n")
		case i == 92:
			b.WriteString("[T92:Type | (a::Int)] [T92:Type | (a::Text)]\n")
		case i%5 == 4:
			fmt.Fprintf(&b, "[T%d:Type | (name::Text {minLength: 1})]\n", i)
		default:
			fmt.Fprintf(&b, "[T%d:Type | (next::T%d)]\n", i, i+1)
		}
	}
	b.WriteString("[find:Tool {description: \"d\"} | (x::T60)==>(::T71)]\n")
	b.WriteString("[`look up`:Tool {description: \"d\"} | (x::T81)==>(::Text)]\n")
	return b.String()
}

// What is skipped changes nothing of what is reported or made.
func TestSparedTypesChangeNothing(t *testing.T) {
	imported, _ := grammar.Parse("types.gram", manyTypes())
	const agent = `[a:Agent {instruction: "i", model: "OpenAI/m"} | `
	for _, tt := range []struct {
		text    string
		lowered int // types, of 101
		missed  bool
	}{
		{agent + "find]", 5 + 4, false}, // T60 to T64, T71 to T74
		{agent + "`look up`]", 4, false},
		{agent + "[t:Tool {description: \"d\"} | (x::T3)==>(::`[T12]`)]]", 2 + 3, false},
		{agent + `[t:Tool {description: "d"} | (x::Array {of: "\tT4"})==>(::Text)]]`, 0, true},
		{agent + "[t:Tool {description: \"d\"} | (x::T91)==>(::T92)]]", 1 + 2, false},
		{agent + "[t:Tool {description: \"d\"} | (x::T9O)==>(::t1)]]", 0, false},
		{agent + "[t:Tool {description: \"d\"} | (x::T3)==>(::T4)], find] [T3:Type | (other::T7)] [T200:Type | (x::T8)]", 0, false},
		{"[T:Union | (::T4), (::T9)]", 2, false},
		{"[T:Type | (a::Text)]", 0, false},
	} {
		f, problems := grammar.Parse("main.gram", tt.text)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		o := &Options{Imported: []*ast.File{imported}, ReachableFrom: map[string][]*ast.File{"./types.gram": {imported}}}
		if diff := cmp.Diff(summary(newCompiler(f, o).check(f)), summary(Check(f, o))); diff != "" {
			t.Errorf("%s is reported otherwise:\n%s", tt.text, diff)
		}
		whole, _ := newCompiler(f, o).program(f)
		spare, _ := File(f, o)
		if a, b := marshalled(t, whole), marshalled(t, spare); a != b {
			t.Errorf("%s\n is %s\nand not %s", tt.text, b, a)
		}
		c := prepare(f, o)
		c.Mentions = c.lazyTypeMentions
		c.LowerNamedTypes()
		others := 0
		for _, d := range c.Named.Order {
			if c.IsImported(d.Pattern.Span()) {
				others++
			}
		}
		c.check(f)
		if c.Missed != tt.missed || tt.lowered > 0 && others != tt.lowered {
			t.Errorf("%s: %d types are lowered, missed is %v", tt.text, others, c.Missed)
		}
	}
}

func marshalled(t *testing.T, p *Program) string {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
