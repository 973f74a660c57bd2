package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// A reader reads the properties of a test or a step. Each method returns the zero
// value when there is no such property, or when it reported what is wrong with it.
type reader struct {
	*Lowerer
	pattern *ast.Pattern
	agent   *Agent // nil when it is not known
	what    string // "the test "late"", "the step"
}

// property returns a property that has a value.
func (r *reader) property(key string) *ast.Property {
	if p := r.pattern.Property(key); p != nil && p.Value != nil {
		return p
	}
	return nil
}

// known reports the properties that mean nothing. They are errors: a misspelt
// expectation would hold always.
func (r *reader) known(kind string, owner vocabulary.Owner) {
	before := len(r.Diags)
	r.UnknownProperties(r.pattern.Subject.Record, kind, vocabulary.Keys(owner))
	for _, d := range r.Diags[before:] {
		d.Severity, d.Code = diag.Error, diag.CodeInvalidTest
		d.Message = strings.Replace(d.Message, " and is ignored", "", 1)
		if word := usualWords[d.Span.Text()]; word != "" && owner == vocabulary.OwnerExpect {
			d.Message, _, _ = strings.Cut(d.Message, "; did you mean ")
			d.Message += "; did you mean " + word + "?"
			d.Fixes = nil
			report.Fix(d, "write "+word, d.Span, word)
		}
	}
}

func (r *reader) wrong(p *ast.Property, wanted string) {
	r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidTest, "%s of %s is %s; it must be %s", p.Key.Text, r.what, report.KindOf(p.Value), wanted)
}

func (r *reader) wordOf(p *ast.Property) (string, bool) {
	word, ok := ast.WordOf(p.Value)
	if !ok {
		r.wrong(p, "text")
	}
	return word, ok
}

// word reads a text that may stand without quotes.
func (r *reader) word(key string) string {
	if p := r.property(key); p != nil {
		word, _ := r.wordOf(p)
		return word
	}
	return ""
}

// text reads a text.
func (r *reader) text(key string) string {
	p := r.property(key)
	if p == nil {
		return ""
	}
	text, ok := ast.TextOf(p.Value)
	switch {
	case !ok:
		r.wrong(p, "text")
	case report.Blank(text):
		r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidTest, "%s of %s is empty", key, r.what)
	}
	return text
}

// required reads a text that must be there.
func (r *reader) required(key string) string {
	if r.pattern.Property(key) == nil {
		r.missing(key)
	}
	return r.text(key)
}

func (r *reader) missing(key string) {
	if types.IncompleteProperties(r.pattern) {
		return
	}
	d := r.Diags.Errorf(report.EndOf(r.pattern.Subject), diag.CodeInvalidTest, "%s has no %s", r.what, key)
	report.AddProperty(d, r.pattern.Subject, key+`: "…"`)
}

// texts reads a text, or a list of them.
func (r *reader) texts(key string) []string {
	var texts []string
	for _, v := range listed(r.property(key)) {
		text, ok := ast.WordOf(v)
		if !ok || text == "" {
			r.Diags.Errorf(v.Span(), diag.CodeInvalidTest, "%s of %s must be text, or a list of texts", key, r.what)
			continue
		}
		texts = append(texts, text)
	}
	return texts
}

// listed returns the values of a property that may be one or a list of them.
func listed(p *ast.Property) []ast.Value {
	if p == nil || p.Value == nil {
		return nil
	}
	if array, ok := p.Value.(*ast.Array); ok {
		return array.Elements
	}
	return []ast.Value{p.Value}
}

// notRelative reports whether a path is absolute, or of one system only.
func notRelative(text string) bool {
	return strings.Contains(text, "://") || strings.HasPrefix(text, "/") || strings.ContainsAny(text, "\\\x00") || len(text) > 1 && text[1] == ':'
}

// paths reads a path or a list of them, which stay in the project.
func (r *reader) paths(key string) []string {
	texts := r.texts(key)
	for _, text := range texts {
		if notRelative(text) {
			r.Diags.Errorf(r.property(key).Value.Span(), diag.CodeInvalidTest, "%s is not a relative path with / between folders, such as ./%s.gram", report.Quote(text), key)
			return nil
		}
	}
	return texts
}

// oneOf reads a word of a closed vocabulary.
func (r *reader) oneOf(key string, known []string) string {
	p := r.property(key)
	if p == nil {
		return ""
	}
	word, ok := r.wordOf(p)
	if !ok || slices.Contains(known, word) {
		return word
	}
	r.unknown(p.Value, word, known, diag.CodeInvalidTest, "%s of %s cannot be %s", key, r.what, report.Quote(word))
	return ""
}

// flag reads true or false.
func (r *reader) flag(key string) bool {
	yes := r.optionalFlag(key)
	return yes != nil && *yes
}

func (r *reader) optionalFlag(key string) *bool {
	p := r.property(key)
	if p == nil {
		return nil
	}
	value, ok := p.Value.(*ast.Bool)
	if !ok {
		r.wrong(p, "true or false")
		return nil
	}
	return &value.Value
}

// number reads a number above 0, which is whole if that is asked for.
func (r *reader) number(key string, whole bool) float64 {
	p := r.property(key)
	if p == nil {
		return 0
	}
	digits, ok := types.PlainNumber(p.Value)
	n, err := strconv.ParseFloat(digits, 64)
	switch {
	case ok && err == nil && n <= 0:
		r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidTest, "%s of %s is %s; it must be a number above 0", key, r.what, digits)
	case !ok || err != nil || n > 1e12:
		r.wrong(p, "a number above 0")
	case whole && n != float64(int64(n)):
		r.wrong(p, "a whole number above 0")
	default:
		return n
	}
	return 0
}

func (r *reader) count(key string) int { return int(r.number(key, true)) }

// regexp reads a regular expression.
func (r *reader) regexp(key string) string {
	text := r.text(key)
	if text != "" {
		r.validRegexp(r.property(key).Value, text)
	}
	return text
}

func (r *reader) validRegexp(v ast.Value, text string) {
	if _, err := regexp.Compile(text); err != nil {
		r.Diags.Errorf(v.Span(), diag.CodeInvalidTest, "%s is no regular expression: %s", report.Quote(text), report.Clip(strings.TrimPrefix(err.Error(), "error parsing regexp: ")))
	}
}

// passes reads "4 of 5".
func (r *reader) passes() (passes, runs int) {
	p := r.property("passes")
	if p == nil {
		return 1, 1
	}
	text, _ := ast.TextOf(p.Value)
	const most = 1000
	if n, err := fmt.Sscanf(text, "%d of %d", &passes, &runs); err != nil || n != 2 || fmt.Sprintf("%d of %d", passes, runs) != text || passes < 1 || passes > runs || runs > most {
		r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidTest, "passes of %s must be such as %q, with at most %d runs", r.what, "4 of 5", most)
		return 1, 1
	}
	return passes, runs
}

// tool reads the name of a tool of the agent.
func (r *reader) tool(key string) (string, *Tool) {
	p := r.property(key)
	if p == nil {
		return "", nil
	}
	name, ok := r.wordOf(p)
	if !ok {
		return "", nil
	}
	return name, r.toolNamed(p.Value, name)
}

func (r *reader) toolNamed(v ast.Value, name string) *Tool {
	if r.agent == nil {
		return nil
	}
	t := r.agent.Tool(name)
	if t == nil && !r.Open {
		var names []string
		for _, t := range r.agent.Tools {
			names = append(names, t.Name)
		}
		r.unknown(v, name, names, diag.CodeTestMismatch, "the agent %s has no tool %s", report.Quote(r.agent.Name), report.Quote(name))
	}
	return t
}

// tools reads a list of names of tools.
func (r *reader) tools(key string) []string {
	names := r.texts(key)
	for _, v := range listed(r.property(key)) {
		if name, ok := ast.WordOf(v); ok && name != "" {
			r.toolNamed(v, name)
		}
	}
	return names
}
