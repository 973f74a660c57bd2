package compile

import (
	"testing"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

func TestRulesOfNamesAndLayout(t *testing.T) {
	checkRules(t, []rule{
		{"defined twice alike", "(a:A:B {k:1}) (a:B:A {k:1})", []string{"hint duplicate-definition a"}},
		{"defined twice otherwise", "(a:A) (a:B)", []string{"warning duplicate-definition a"}},
		{"a bracket and a node", "[a:A | (b)] (a:B)", []string{"warning duplicate-definition a"}},
		{"brackets with other elements", "[a | (b)] [a | (c)]", []string{"warning duplicate-definition a"}},
		{"defined and used", "(a:A)-->(b:B) (b)-->(a) [x | a, b] (y)-[r:R]->(z) (z)-[r]->(y)", []string{}},
		{"an arrow twice", "(a)-[r:R]->(b) (c)-[r:S]->(d)", []string{"warning duplicate-definition r"}},
		{"parameters of signatures", "(a::Text)==>(::Int) (a::Int)==>(::Int)", []string{}},
		{"what types hold", "[A:Type | (f:Text)] [B:Type | (f:Int)]", []string{}},
		{"undefined", "[a | b, c] (c)", []string{"hint undefined-reference b"}},
		{"an element of itself", "[a | a]", []string{"warning self-reference a"}},
		{"the first element of itself", "[a | a, (b)]", []string{"warning self-reference a"}},
		{"the last element of itself", "[a | (b), a]", []string{"warning self-reference a"}},
		{"annotations twice", "@k(1) @k(2) (a)", []string{"warning duplicate-annotation k"}},
		{"a flag that takes a node", "@k (a) (b)", []string{"hint odd-layout a"}},
		{"labels twice", "(a:A:B:A)", []string{"warning duplicate-label :A"}},
		{"octal", "({n:042, m:07})", []string{"warning odd-number 042", "hint odd-number 07"}},
		{"large", "({n:18446744073709551615, m:18446744073709551616})", []string{"information odd-number 18446744073709551616"}},
		{"other notations", "({n:1e, m:0xFFkg, o:0XFF})", []string{"warning odd-number 1e", "warning odd-number 0xFFkg", "warning odd-number 0XFF"}},
		{"halves of arrows", "(b)= =(c)-// c\n->(d)", []string{"warning odd-layout  ", "hint odd-layout // c\n"}},
		{"a line of dashes", "(a)\n--\n(b)", []string{"warning odd-layout --"}},
		{"a name over lines", "(`a\n`)", []string{"warning odd-layout \n"}},
		{"a text over lines", "({k:\"b\n // c\n\"})", []string{"warning odd-layout \n // c\n"}},
		{"tags", "({k:md `x`, l:md// c\n`x`, m:```md // c\nx\n```})",
			[]string{"warning odd-layout  ", "hint odd-layout // c\n", "hint odd-layout // c"}},
		{"carriage return", "(a) // b\r(c)\r\n", []string{"warning odd-layout \r"}},
	}, func(t *testing.T, text string) diag.List {
		f, problems := grammar.Parse("test.gram", text)
		if problems != nil {
			t.Fatal(problems.Err())
		}
		return Check(f, nil)
	})
}

func TestRulesTakeTreesThatWereMadeInCode(t *testing.T) {
	f, _ := grammar.Parse("test.gram", "(x) [a:A | b, a] (a:B)--(c) @k (v) (w)")
	made := ast.NewAgent("n", "", "i", "m").Pattern
	f.Patterns[1].Elements = append(f.Patterns[1].Elements, made)
	f.Patterns[1].Subject.Labels = append(f.Patterns[1].Subject.Labels, made.Subject.Labels...)
	f.Patterns[1].Elements[0] = &ast.Pattern{Form: ast.FormRef, Subject: &ast.Subject{Identity: ast.NewName("a")}}
	f.Patterns[2].Elements[1] = &ast.Pattern{Form: ast.FormNode, Subject: made.Subject}
	if problems := Check(f, nil); len(problems) < 4 {
		t.Errorf("%v", problems)
	}
}
