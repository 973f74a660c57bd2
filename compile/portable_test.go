package compile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

func TestRulesOfAnyGramFile(t *testing.T) {
	checkRules(t, []rule{
		{"portable", "{a:[1, 'x', 5kg], b:{c:1, d:\"e\"}} @k(1..2) (a:`b c` {\"k\":: md`x`, l:'a//b', m:\"\\\"\", n:```\n// x\n```})-[r {a:1}]->(b)", []string{}},
		{"keys twice", "(a {k:1, `k`:2, \"k\":3})", []string{"error duplicate-key `k`", `error duplicate-key "k"`}},
		{"keys twice in a map", "(a {m:{k:1, k:2}})", []string{"error duplicate-key k"}},
		{"keys twice in the header, an annotation, an arrow", "{k:1, k:2} @a({l:1, l:2}) (a)-[{m:1, m:2}]->(b)",
			[]string{"error duplicate-key k", "error duplicate-key l", "error duplicate-key m"}},
		{"keys twice in a map in an array", "(a {m:[{k:1, k:2}]})", []string{"information not-portable {k:1, k:2}", "error duplicate-key k"}},
		{"keys twice in a large record", "(a {b:1,c:1,d:1,e:1,f:1,g:1,h:1,i:1,j:1,k:1,c:2})", []string{"error duplicate-key c"}},
		{"nested values, reported once each", "(a {x:[[1], [2]], y:{z:{}}, z:{y:[]}})",
			[]string{"information not-portable [1]", "information not-portable {}", "information not-portable []", "information not-portable []"}},
		{"nested in the header", "{x:[{}]}", []string{"information not-portable {}"}},
		{"empty array", "(a {x:[]})", []string{"information not-portable []"}},
		{"double colon in a map", "(a {x:: {y::1}})", []string{"information not-portable y"}},
		{"measurement with decimals", "(a {x:3.5s, y:[1.5kg..2kg, 1...]})", []string{"information not-portable 3.5s", "information not-portable 1.5kg"}},
		{"escape of another quote", "(`a\\\"`:`b\\'` {`c\\\"`:'d\\\"', e:\"f\\'\", g:h`i\\'`, j:{`k\\'`:1}})",
			[]string{"information not-portable `a\\\"`", "information not-portable `b\\'`", "information not-portable `c\\\"`",
				"information not-portable 'd\\\"'", "information not-portable \"f\\'\"", "information not-portable h`i\\'`", "information not-portable `k\\'`"}},
		{"escapes of its own quote", "(a {b:'\\'', c:\"\\\"\", d:`\\``, e:'\\\\\"'})", []string{}},
		{"text that starts like a comment", "(`//a` {b:'// no', c:url` //x`, d:\"/x\"})",
			[]string{"information not-portable `//a`", "information not-portable '// no'", "information not-portable url` //x`"}},
	}, func(t *testing.T, text string) diag.List {
		f, problems := grammar.Parse("test.gram", text)
		if problems != nil {
			t.Fatal(problems.Err())
		}
		lenient := Check(f, nil)
		want := strings.ReplaceAll(strings.Join(summary(lenient), "\n"), "information", "error")
		if diff := cmp.Diff(want, strings.Join(summary(Check(f, &Options{StrictGram: true})), "\n")); diff != "" {
			t.Errorf("strict gram: %s", diff)
		}
		return lenient
	})
}

func TestAQuotedAnnotationKeyIsNotPortable(t *testing.T) {
	p := &ast.Pattern{
		Form:        ast.FormNode,
		Annotations: []*ast.Annotation{{Key: ast.NewName("a key"), Value: &ast.Bool{}}},
		Subject:     &ast.Subject{},
	}
	got := summary(Check(&ast.File{Patterns: []*ast.Pattern{p}}, nil))
	if diff := cmp.Diff([]string{"information not-portable "}, got); diff != "" {
		t.Error(diff)
	}
}
