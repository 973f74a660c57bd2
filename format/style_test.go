package format_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestTheStyle(t *testing.T) {
	long := strings.Repeat("x", 40)
	for in, want := range map[string]string{
		// What fits stays on a line, with one kind of whitespace.
		"[ a:A{k:1,l::v}|b ,c ]": "[a:A {k: 1, l::v} | b, c]\n",
		"(a) -  -> (b)":          "(a)-->(b)\n",
		"@k ( 1 ) @l(2)\t(a)":    "@k(1) @l(2) (a)\n",
		"(a)(b)":                 "(a)\n(b)\n",
		"({a::`[T]`,b::{c:1},d::t`x`,e::\"T\",f::1})": "({a::`[T]`, b::{c: 1}, d:: t`x`, e:: \"T\", f:: 1})\n",
		"({r: 1 .. 5, s: ... 2, t: md `x`})":          "({r: 1..5, s: ...2, t: md`x`})\n",
		// A break behind an opening bracket is kept, others are not.
		"(a {\nk:1,l:2})":     "(a {\n  k: 1,\n  l: 2\n})\n",
		"(a {k:1,\nl:2\n})":   "(a {k: 1, l: 2})\n",
		"[a|\nb,c]":           "[a |\n  b,\n  c\n]\n",
		"[a\n|b,\nc]":         "[a | b, c]\n",
		"({k:[\n1,2]})":       "({\n  k: [\n    1,\n    2\n  ]\n})\n",
		"(a)\n==>(b)==>(c)":   "(a)\n  ==>(b)\n  ==>(c)\n",
		"(a)==>\n(b)\n==>(c)": "(a)==>(b)==>(c)\n",
		"@k(1)\n@l(2) (a)":    "@k(1)\n@l(2)\n(a)\n",
		"@k(1) @l(2)\n(a)":    "@k(1) @l(2) (a)\n",
		"@k(1) (a {\nk:1})":   "@k(1) (a {\n  k: 1\n})\n",
		"[a {\nk:1}|b]":       "[a {\n  k: 1\n} | b]\n",
		"[a|[b|\nc]]":         "[a |\n  [b |\n    c\n  ]\n]\n",
		// One arrow stays behind a record that is broken; several do not.
		"(a {\nk:1})==>(b)":       "(a {\n  k: 1\n})==>(b)\n",
		"(a)==>(b {\nk:1})":       "(a)==>(b {\n  k: 1\n})\n",
		"(a {\nk:1})==>(b)==>(c)": "(a {\n  k: 1\n})\n  ==>(b)\n  ==>(c)\n",
		// Fences break what holds them.
		"(a {k:```\n x\n```})": "(a {\n  k: ```\n x\n```\n})\n",
		// One blank line is kept between what stands on lines of its own.
		"\n\n(a)\n\n\n(b)\n(c)\n\n":       "(a)\n\n(b)\n(c)\n",
		"({\n\nk:1,\n\n\nl:2,\nm:3\n\n})": "({\n  k: 1,\n\n  l: 2,\n  m: 3\n})\n",
		"[a|\n\nb,\n\nc]":                 "[a |\n  b,\n\n  c\n]\n",
		"[a|b,\n\nc]":                     "[a | b, c]\n",
		"{k:1}\n\n\n(a)":                  "{k: 1}\n\n(a)\n",
		// What is too long is broken, from the outside.
		"(" + long + " {k: " + long + ", l: " + long + "})":      "(" + long + " {\n  k: " + long + ",\n  l: " + long + "\n})\n",
		"[" + long + " | " + long + ", [" + long + " | b]]":      "[" + long + " |\n  " + long + ",\n  [" + long + " | b]\n]\n",
		"(" + long + ")==>(" + long + ")==>(" + long + ")":       "(" + long + ")\n  ==>(" + long + ")\n  ==>(" + long + ")\n",
		"(" + long + ")-[" + long + "]->(" + long + ")":          "(" + long + ")\n  -[" + long + "]->(" + long + ")\n",
		"({k: [" + long + ", " + long + ", " + long + "]})":      "({\n  k: [\n    " + long + ",\n    " + long + ",\n    " + long + "\n  ]\n})\n",
		"({k: \"" + long + long + long + "\"})":                  "({\n  k: \"" + long + long + long + "\"\n})\n",
		"@a(" + long + ") @b(" + long + ") @c(" + long + ") (d)": "@a(" + long + ")\n@b(" + long + ")\n@c(" + long + ")\n(d)\n",
	} {
		if diff := cmp.Diff(want, formatted(t, in)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", in, diff)
		}
	}
}

func TestALineHasUpToAHundredColumns(t *testing.T) {
	for _, form := range []string{"[a | %s, y]", "[a {k: %s}]", "(a)-->(%s)", "({k: [%s]})", "[a {k: 1, l: %s} | \nb\n]", "@k(%s) (a)"} {
		for columns, fits := range map[int]bool{100: true, 101: false} {
			line, _, _ := strings.Cut(form, "\n")
			name := strings.Repeat("x", columns-len(strings.TrimSuffix(line, " "))+len("%s"))
			text := "`" + strings.Replace(name[2:], "x", "é", 1) + "`" // a character is one column
			got := formatted(t, strings.Replace(form, "%s", text, 1))
			if first, _, _ := strings.Cut(got, "\n"); (utf8.RuneCountInString(first) == columns) != fits {
				t.Errorf("%s with %d columns becomes\n%s", form, columns, got)
			}
		}
	}
}

func TestCommentsKeepTheirPlaces(t *testing.T) {
	for in, want := range map[string]string{
		"//a\n(b)//c\n\n\n//d\n\n//e":           "//a\n(b) //c\n\n//d\n\n//e\n",
		"// a  \n\n\n// b\n(c)":                 "// a\n\n// b\n(c)\n",
		"(a {k:1,// b\nl:2// c\n})":             "(a {\n  k: 1, // b\n  l: 2 // c\n})\n",
		"(a { // b\nk:1})":                      "(a { // b\n  k: 1\n})\n",
		"(a {\n// b\nk:1\n// c\n})":             "(a {\n  // b\n  k: 1\n  // c\n})\n",
		"(a {k:1\n// b\n, l:2})":                "(a {\n  k: 1,\n  // b\n  l: 2\n})\n",
		"(a {k // b\n: 1})":                     "(a {\n  k: // b\n    1\n})\n",
		"(a {k:\n// b\n1})":                     "(a {\n  k:\n    // b\n    1\n})\n",
		"({k:[ // a\n]})":                       "({\n  k: [ // a\n  ]\n})\n",
		"({k:[\n// a\n]})":                      "({\n  k: [\n    // a\n  ]\n})\n",
		"[a | // b\nc, // d\n\n// e\nf // g\n]": "[a | // b\n  c, // d\n\n  // e\n  f // g\n]\n",
		"[a // b\n| c]":                         "[a // b\n|\n  c\n]\n",
		"[a:A {k:1} |\n// b\nc]":                "[a:A {k: 1} |\n  // b\n  c\n]\n",
		"(a)//b\n==>(c)":                        "(a) //b\n  ==>(c)\n",
		"(a)==>//b\n(c)//d":                     "(a)\n  ==> //b\n  (c) //d\n",
		"(a)\n//b\n-->(c)":                      "(a)\n  //b\n  -->(c)\n",
		"(a)-\n//b\n->(c)":                      "(a)\n  //b\n  -->(c)\n",
		"(a)-[r//b\n]->(c)":                     "(a)\n  -[r //b\n  ]->(c)\n",
		"@k(1)//a\n(b)":                         "@k(1) //a\n(b)\n",
		"@k(1)\n//a\n\n//b\n()":                 "@k(1)\n//a\n\n//b\n()\n",
		"(a // b\n)":                            "(a // b\n)\n",
		"({t: md // a\n`x`})":                   "({\n  t:\n    // a\n    md`x`\n})\n",
		"({r: 1 // a\n..2})":                    "({\n  r:\n    // a\n    1..2\n})\n",
		"({s: \"// a\"}) // b":                  "({s: \"// a\"}) // b\n",
		"// only":                               "// only\n",
	} {
		if diff := cmp.Diff(want, formatted(t, in)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", in, diff)
		}
	}
}
