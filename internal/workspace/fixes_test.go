package workspace_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/workspace"
)

// A subject is a correct text that is changed.
type subject struct {
	name, text string
	options    *compile.Options
	formatted  string
	program    string
	before     map[string]int // its problems, by code
}

// subjects returns the correct files of testdata/golden and examples.
func subjects(t *testing.T) (all []*subject) {
	files := golden.Inputs(t)
	for _, glob := range []string{"*.gram", "*/*.gram"} {
		examples, _ := filepath.Glob(filepath.Join(golden.Root(t), "examples", filepath.FromSlash(glob)))
		files = append(files, examples...)
	}
	for _, file := range files {
		s := &subject{name: filepath.Base(file), text: golden.Read(t, file), options: &compile.Options{}}
		tree, problems := grammar.Parse(s.name, s.text)
		if len(compile.Imports(tree)) > 0 {
			neighbours, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.gram"))
			for _, n := range neighbours {
				if n != file {
					other, _ := grammar.Parse(filepath.Base(n), golden.Read(t, n))
					s.options.Imported = append(s.options.Imported, other)
				}
			}
		}
		if problems = workspace.ExamineUnit(tree, problems, s.options); problems.HasErrors() {
			continue
		}
		s.text = diag.ApplySafe(s.text, problems, s.check).Text
		tree, problems = grammar.Parse(s.name, s.text)
		problems = workspace.ExamineUnit(tree, problems, s.options)
		s.formatted, s.program = format.File(tree, nil), s.lower(tree)
		s.before = map[string]int{}
		for _, d := range problems {
			s.before[string(d.Code)]++
		}
		all = append(all, s)
	}
	return all
}

var spans = regexp.MustCompile(`"span":\{[^}]*\},?`)

// lower returns the program of a tree without its spans, "" when there is none.
func (s *subject) lower(tree *ast.File) string {
	program, problems := compile.File(tree, s.options)
	if program == nil || problems.HasErrors() {
		return ""
	}
	text, err := json.Marshal(program)
	if err != nil {
		return err.Error()
	}
	return spans.ReplaceAllString(string(text), "")
}

// check returns the problems of a text.
func (s *subject) check(text string) diag.List {
	tree, problems := grammar.Parse(s.name, text)
	return workspace.ExamineUnit(tree, problems, s.options)
}

// same reports whether a text means what the subject means.
func (s *subject) same(text string) bool {
	tree, problems := grammar.Parse(s.name, text)
	if problems.HasErrors() {
		return false
	}
	return format.File(tree, nil) == s.formatted || s.program != "" && s.lower(tree) == s.program
}

// A change is a text of which one token differs.
type change struct {
	kind, text string
	at         int
}

// similar has what people write for a token by mistake.
var similar = map[string][]string{
	"(": {"", "{", "["}, ")": {"", "}", "]"}, "[": {"", "(", "{"}, "]": {"", ")", "}"}, "{": {"", "(", "["}, "}": {"", ")", "]"},
	"|": {"", ",", ":", "||"}, ",": {"", ";", ",,", "."}, ":": {"", "=", ";"}, "::": {"", ":", "="},
}

// changesOf returns the one-token changes of a text.
func changesOf(text string) (all []change) {
	scan := grammar.NewScanner(text)
	var tokens []grammar.Token
	for t := scan.Next(); t.Kind != grammar.EndToken; t = scan.Next() {
		tokens = append(tokens, t)
	}
	for i, t := range tokens {
		word := text[t.Start:t.End]
		add := func(kind string, end int, written string) {
			all = append(all, change{kind, text[:t.Start] + written + text[end:], t.Start})
		}
		if next := tokens[min(i+1, len(tokens)-1)]; i%3 == 0 && next.Start > t.Start {
			add("swapped with the next", next.End, text[next.Start:next.End]+text[t.End:next.Start]+word)
		}
		switch t.Kind {
		case grammar.SignToken:
			if other := tokens[(7*i+3)%len(tokens)]; other.Kind == grammar.SignToken {
				add("another sign", t.End, text[other.Start:other.End])
			}
			for _, other := range similar[word] {
				add(fmt.Sprintf("%s as %s", word, other), t.End, other)
			}
			if i+1 < len(tokens) && word == "=" && text[tokens[i+1].Start:tokens[i+1].End] == "=>" {
				for _, other := range []string{"", "=>", "-->", "->", "="} {
					add(fmt.Sprintf("==> as %s", other), tokens[i+1].End, other)
				}
			}
		case grammar.TextToken:
			if strings.HasPrefix(word, "```") {
				add("fence opened", t.End, word[1:])
				add("opening fence lost", t.End, word[3:])
				add("fence closed", t.End, word[:len(word)-1])
				add("fence lost", t.End, strings.TrimRight(word[:len(word)-3], " "))
			} else {
				add("closing quote", t.End, word[:len(word)-1])
				add("opening quote", t.End, word[1:])
			}
		case grammar.WordToken:
			if len(word) > 3 {
				what := "word"
				switch after := text[t.End:]; {
				case t.Start > 0 && text[t.Start-1] == ':':
					what = "label"
				case strings.HasPrefix(after, ": "), strings.HasPrefix(after, "::{"):
					what = "key"
				}
				n := 1 + i%(len(word)-2)
				add(what+" misses a letter", t.End, word[:n]+word[n+1:])
				add(what+" with swapped letters", t.End, word[:n]+word[n+1:n+2]+word[n:n+1]+word[n+2:])
			}
		}
	}
	return all
}

// A tally counts what became of changes.
type tally struct {
	changes, reported int
	problems          int // in all
	first             int // the first fix is right
	right, silent     int // all safe fixes are right; there are none
	harmful           int // they are wrong
}

// TestFixesOfOneTokenChanges changes one token of a correct file after the other.
func TestFixesOfOneTokenChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	byKind := map[string]*tally{}
	total := &tally{}
	var wrong []string
	for _, s := range subjects(t) {
		all := changesOf(s.text)
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, c := range all[:min(len(all), 60)] {
			kind := byKind[c.kind]
			if kind == nil {
				kind = &tally{}
				byKind[c.kind] = kind
			}
			for _, n := range []*tally{kind, total} {
				n.changes++
			}
			if s.same(c.text) {
				continue
			}
			problems := s.check(c.text)
			counts := map[string]int{}
			i := slices.IndexFunc(problems, func(d *diag.Diagnostic) bool {
				counts[string(d.Code)]++
				return counts[string(d.Code)] > s.before[string(d.Code)]
			})
			if i < 0 {
				continue
			}
			first := ""
			if fixes := problems[i].Fixes; len(fixes) > 0 {
				first, _ = diag.Apply(c.text, fixes[:1])
			}
			fixed := diag.ApplySafe(c.text, problems, s.check)
			right := s.same(first)
			safe := s.same(fixed.Text)
			for _, n := range []*tally{kind, total} {
				n.reported++
				n.problems += len(problems)
				if right {
					n.first++
				}
				switch {
				case fixed.Applied == 0:
					n.silent++
				case safe:
					n.right++
				default:
					n.harmful++
				}
			}
			context := func(text string) string {
				return text[max(0, c.at-40):min(len(text), c.at+40)]
			}
			if !right {
				wrong = append(wrong, fmt.Sprintf("%s: %q: %v\n      %q", c.kind, context(c.text), problems[i], context(first+strings.Repeat(" ", c.at))))
			}
			if fixed.Applied > 0 && !safe {
				wrong = append(wrong, fmt.Sprintf("HARM %s: %q: %v\n      %q", c.kind, context(c.text), problems[i], context(fixed.Text)))
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		t.Logf("%-28s %+v", kind, *byKind[kind])
	}
	t.Logf("%+v", *total)
	for _, w := range wrong {
		t.Log(w)
	}
	if total.first*100 < total.reported*91 {
		t.Errorf("the first fix is right in %d of %d", total.first, total.reported)
	}
	if total.harmful > 0 {
		t.Errorf("%d texts are fixed wrongly", total.harmful)
	}
}

// The problems of parsing and of imports may come in any order, and stay as
// they are: an editor keeps them for the next check.
func TestExaminingChangesNoProblem(t *testing.T) {
	text := "[a:Agent {instruction: \"x\" model: \"OpenAI/gpt-5.4-mini\"} | [b:Agent {instruction: \"y\" model: \"OpenAI/gpt-5.4-mini\"}]]\n"
	f, problems := grammar.Parse("a.gram", text)
	if len(problems) < 2 {
		t.Fatalf("%d mistakes, 2 expected", len(problems))
	}
	slices.Reverse(problems)
	problems[0].Fixes = nil
	problems[1].Fixes[0].Safe = true
	all := workspace.ExamineUnit(f, problems, nil)
	if len(all) < 2 || all[0].Span.Start > all[1].Span.Start {
		t.Errorf("not in the order of the text: %v", all)
	}
	if !problems[1].Fixes[0].Safe {
		t.Error("the problems of parsing were changed")
	}
}
