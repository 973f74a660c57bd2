package compile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/source"
)

const remembered = `{import: ["./shared.gram"]}

[a:Agent {instruction: "Call ` + "`find`" + ` before you answer.", model: "OpenAI/m"} | find, lookup, [own:Tool {description: "Its own"} | (order::Order)==>(::Bool)]]
[b:Agent {instruction: "Call ` + "`count`" + `.", model: "OpenAI/m"} | count, find]
[Order:Type | (id::Text {pattern: "^[0-9]+$"}), (city::City), (amount::Double {min: 0})]
[Unit:Enum {values: ["m", "ft"]}]
[find:Tool {description: "Finds"} | (query::Text {description: "What"})==>(limit::Int {default: 10, min: 1})==>(::Array {of: "Order"})]
[count:Tool {description: "Counts", timeout: 5s} | (unit::Unit {default: "m"})==>(order::Order)==>(::Int)]
[old:Tool {description: "Counts", deprecated: "use count"} | (unit::Unit {optional: true})==>(::Int)]
`

// places returns all that a list says, with the places that it mentions.
func places(list diag.List) []string {
	lines := []string{}
	for _, d := range list {
		line := fmt.Sprintf("%s %s %s", d.Severity, d.Code, d.Message)
		eachSpan(d, func(s source.Span) { line += fmt.Sprintf(" %s-%d", s, s.End) })
		lines = append(lines, line)
	}
	return lines
}

// A file that is changed over and over is reported what one that is new is reported.
func TestAMemoChangesNothing(t *testing.T) {
	shared, _ := grammar.Parse("shared.gram", "[City:Type | (name::Text)]\n[lookup:Tool {description: \"d\"} | (city::City)==>(::Text)]\n")
	words := []string{
		"Order", "City", "Unit", "find", "count", "own", "old", "lookup", "Text", "Int", "id", "city", "m", "1", "0", "{", "}", "(", ")", "[", "]", "|", ",", " ", "==>",
		"::", "\"", "x", "description: \"d\"", "optional: true", "default: 3", "deprecated: true", "[c:Tool {description: \"c\"} | (::Order)]", "// no\n", "😀",
	}
	reused, anew := 0, 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		memo := new(Memo)
		text := remembered
		for range 60 {
			f, _ := grammar.Parse("main.gram", text)
			o := &Options{Imported: []*ast.File{shared}, ReachableFrom: map[string][]*ast.File{"./shared.gram": {shared}}, Strict: seed%7 == 0}
			before := memo.last.Load()
			want := Check(f, o)
			o.Memo = memo
			got := Check(f, o)
			if diff := cmp.Diff(places(want), places(got)); diff != "" {
				t.Fatalf("seed %d:\n%s\n%s", seed, text, diff)
			}
			if c := prepare(f, o); before != nil && before.holds(c) {
				reused++
			} else {
				anew++
			}
			// One change, or the last one taken back, so that most versions are right.
			if next := edited(r, remembered, words); r.IntN(3) > 0 {
				text = next
			} else {
				text = edited(r, text, words)
			}
		}
	}
	if reused < 500 || anew < 100 {
		t.Errorf("%d checks could use what was kept, %d could not", reused, anew)
	}
}

// edited returns a text with a word more, a word less, or another one.
func edited(r *rand.Rand, text string, words []string) string {
	cut := []int{0}
	for i, c := range text {
		if strings.ContainsRune(" \n{}()[]|,:\"", c) {
			cut = append(cut, i, i+1)
		}
	}
	cut = append(cut, len(text))
	slices.Sort(cut)
	i := r.IntN(len(cut) - 1)
	start, end := cut[i], cut[i+1]
	word := words[r.IntN(len(words))]
	switch r.IntN(3) {
	case 0:
		return text[:start] + word + text[start:]
	case 1:
		return text[:start] + text[end:]
	}
	return text[:start] + word + text[end:]
}
