package fuzz

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/migrate"
)

// unusual are seeds with comments and whitespace where hardly anyone puts them.
var unusual = []string{
	"@k(1) // a\n// b\n@l( // c\n 2 // d\n // e\n) // f\n\n// g\n(x // h\n :L // i\n {k // j\n : // k\n 1, l: // m\n [ // n\n ]} // o\n) // p\n",
	"(a) // b\n- // c\n[ // d\n r // e\n // f\n] // g\n-> // h\n (b) // i\n-- // j\n (c)", "[ // a\n b // c\n | // d\n e // f\n , // g\n h // i\n // j\n] // k",
	"({r: 1 // a\n .. // b\n 5, s: md // c\n `x`, t: 1 // d\n ..., u: ... // e\n 2, v: \"a\n // f\n\"})", "(a)\r\n// b\r\n({c: ```\r\nd\r\n```})\r\n", "\ufeff// a\n\n\n{}\n\n\n(b)",
	"@@p:L@k({a:1})(x)-[r:R{n:1}]->(y)<==>()~~()", "[a|b,\n\n// c\n\nd,[e|f],(g)]", "(a) ] // b\n (c) @k // d\n", "[|(a)--\n// b\n(c)]",
	`(u::Object {a: 1, fields:[{name:"a b", type:"Maybe [Int]", default:'x\'"', description:"\\` + "`" + `"}, {name:c, type:Array, of:Object, fields:[{name:"", type:"Int|Text", min:1}]}]})`,
	"(u::Array { // a\n of:Object, // b\n fields:[ // c\n {name:of, type:Int}, {name:p, type:Object, title:```\n`\n```, fields:[{name:q, type:Text, enum:-0.5}]}]}) [:Type {fields:[{name:r, type:Text}]}]",
}

// FuzzFormat formats text: all that is there stays, in the same tree, with the
// comments at the same nodes, and formatting again changes nothing.
func FuzzFormat(f *testing.F) {
	addFiles(f)
	for _, text := range unusual {
		f.Add(text)
	}
	examples, _ := filepath.Glob(filepath.Join(golden.Root(f), "examples", "*.gram"))
	for _, file := range examples {
		f.Add(golden.Read(f, file))
	}
	for _, name := range []string{"tree-sitter-gram.jsonl", "tricky.jsonl", "agents.jsonl"} {
		if _, err := os.Stat(filepath.Join(sharedFolder(f), "corpus", name)); err != nil {
			continue
		}
		for _, row := range golden.Lines[struct{ Input string }](f, "corpus", name) {
			f.Add(row.Input)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxInput {
			t.Skip()
		}
		file, problems := grammar.Parse("fuzz", text)
		for _, o := range []*format.Options{nil, {Width: 20}} {
			formatted := format.File(file, o)
			if before, after := bytesOf(text), bytesOf(formatted); before != after {
				t.Fatalf("%q becomes %q: other bytes", text, formatted)
			}
			if !problems.HasErrors() {
				checkFormatted(t, file, formatted, o)
			}
		}
		if !problems.HasErrors() {
			checkPortable(t, file)
		}
	})
}

func checkFormatted(t *testing.T, file *ast.File, formatted string, o *format.Options) {
	text := file.Source.Text()
	again, problems := grammar.Parse("formatted", formatted)
	if problems.HasErrors() {
		t.Fatalf("%q becomes %q: %v", text, formatted, problems.Err())
	}
	if diff := cmp.Diff(file, again, places); diff != "" {
		t.Fatalf("%q becomes %q:\n%s", text, formatted, diff)
	}
	if diff := cmp.Diff(comments(file), comments(again)); diff != "" {
		t.Fatalf("%q becomes %q:\n%s", text, formatted, diff)
	}
	if twice := format.File(again, o); twice != formatted {
		t.Fatalf("%q becomes %q, and that %q", text, formatted, twice)
	}
}

// checkPortable rewrites a file, to text that parses and holds the same comments.
func checkPortable(t *testing.T, file *ast.File) {
	text, left := migrate.Fields(file)
	again, problems := grammar.Parse("portable", text)
	if problems.HasErrors() {
		t.Fatalf("%q becomes %q: %v", file.Source.Text(), text, problems.Err())
	}
	if n, m := len(comments(file)), len(comments(again)); n != m {
		t.Fatalf("%q with %d comments becomes %q with %d", file.Source.Text(), n, text, m)
	}
	if twice, more := migrate.Fields(again); twice != text || len(more) != len(left) {
		t.Fatalf("%q becomes %q, and that %q", file.Source.Text(), text, twice)
	}
}

// bytesOf counts the bytes of a text that are no whitespace.
func bytesOf(text string) (count [256]int) {
	for i := range len(text) {
		if strings.IndexByte(" \t\n\v\f\r", text[i]) < 0 {
			count[text[i]]++
		}
	}
	return count
}

// comments lists the comments of a tree, with the number of their node.
func comments(n ast.Node) (list []string) {
	number := 0
	for n := range ast.Preorder(n) {
		number++
		if n.Comments() == nil {
			continue
		}
		add := func(where string, of []*ast.Comment) {
			for _, c := range of {
				list = append(list, fmt.Sprintf("%d %T %s: %s", number, n, where, c.Text()))
			}
		}
		add("before", n.Comments().Before)
		add("suffix", n.Comments().Suffix)
		add("after", n.Comments().After)
	}
	return list
}
