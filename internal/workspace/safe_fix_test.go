package workspace_test

import (
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/workspace"
)

// What --fix would change into something else stays as it is.
func TestDoubtfulTextsStayAsTheyAre(t *testing.T) {
	check := func(text string) diag.List {
		f, problems := grammar.Parse("f.gram", text)
		return workspace.ExamineUnit(f, problems, &compile.Options{})
	}
	for _, text := range []string{
		`[t:Tool {description: "d"} | (n::Int {range: 05})==>(::Text)]`,                        // not 5, 0..5
		`[t:Tool {description: "d"} | (a::Text) kind ==>(b::Text)==>(::Text)]`,                 // two signatures
		`[t:Tool {description: "d"} | (a::Tool)==>(::Text)]`,                                   // not Bool
		`[t:Tool {description: "d"} | (a::"Text")==>(::Text)]`,                                 // the type, or the text
		`[t:Tool {description: "d"} | (a::Any {default: json})==>(::Text)]`,                    // its text is lost
		`[t:Tool {description: "d"} | (a::` + "`Text?`" + ` {default: nullnull})==>(::Text)]`,  // null?
		`[D:Type {title::text, size::Int}][t:Tool {description: "d"} | (d::D)==>(::Text)]`,     // a field
		`[E:Enum {values: ["a" and "b", "c"]}][t:Tool {description: "d"} | (e::E)==>(::Text)]`, // and is no value
		`[agent : tool1, tool2]`, // the elements, or labels
		"[f:Function |\n  (\n  // (a:Integer)==>(b:Text)\n]",
		`[m:Mission {pages: 25....41}]`,                                          // a range
		`[m:Mission {tags: [red and blue]}]`,                                     // and is no value
		`@owner("o") company[:Company {name: "n"}]`,                              // the name of the bracket
		`[m:Mission {day: 2024-10-14}]`,                                          // a date, or text
		`[t:Tool {description: "d"} | ("Sell tickets. Ask before.")==>(::Text)]`, // no name
		`[t:Tool {description: "d"} | (orderId::Text)==>(::Text)][a:Agent {instruction: "i", model: "OpenAI/gpt-5.4-mini"} | t]` +
			`[x:Test | [:User {text: "u"}], [:Model {call: "t", with: {ordrId: "1"}}], [:Model {text: "m"}], [:Expect {text: "m"}]]`, // which is misspelt
	} {
		problems := check(text)
		if len(problems) == 0 {
			t.Errorf("%s has no problem", text)
		}
		if fixed := diag.ApplySafe(text, problems, check); fixed.Text != text {
			t.Errorf("%s\nis fixed as %s", text, fixed.Text)
		}
	}
}
