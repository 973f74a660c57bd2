package library

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/template"
)

// An entryReader reads the properties of one entry, or of a library. Each
// method returns the zero value when there is no such property, or when it reported
// what is wrong with it.
type entryReader struct {
	*Lowerer
	pattern *ast.Pattern
	entry   *Entry // nil for a library
	what    string // "the entry "sayHello""

	allowed  []string // allowHosts, once it is read
	misspelt []string // properties that are there under another name, which is already reported
	unsigned bool     // there is a signature, which is wrong
}

// property returns a property that has a value.
func (r *entryReader) property(key string) *ast.Property {
	if p := r.pattern.Property(key); p != nil && p.Value != nil {
		return p
	}
	return nil
}

// has reports whether a property is there, right or wrong.
func (r *entryReader) has(key string) bool {
	return r.pattern.Property(key) != nil || slices.Contains(r.misspelt, key)
}

// textOf returns the text of a value; the words say whose it is.
func (r *entryReader) textOf(v ast.Value, whose string, code diag.Code) (string, bool) {
	text, ok := ast.TextOf(v)
	if ok {
		return text, true
	}
	d := r.Diags.Errorf(v.Span(), code, "%s is %s; it must be text", whose, report.KindOf(v))
	switch v := v.(type) {
	case *ast.Symbol:
		if name := entryForeignVariable(v.Text); name != "" {
			d.Message += "; an environment variable is written \"${" + name + "}\""
			report.SafeFix(d, "write \"${"+name+"}\"", v.Span(), `"${`+name+`}"`)
			break
		}
		report.SafeFix(d, "put it in quotes", v.Span(), strconv.Quote(v.Text))
	case *ast.Number:
		report.SafeFix(d, "put it in quotes", v.Span(), strconv.Quote(v.Raw))
	case *ast.Bool:
		report.SafeFix(d, "put it in quotes", v.Span(), strconv.Quote(strconv.FormatBool(v.Value)))
	}
	return "", false
}

// entryForeignVariable returns the environment variable that other languages write as a
// word, process.env.NAME; "" for other words.
func entryForeignVariable(word string) string {
	for _, object := range []string{"process.env.", "import.meta.env.", "Deno.env.", "Bun.env.", "os.environ.", "env.", "ENV."} {
		if name, found := strings.CutPrefix(word, object); found && template.VariableName(name) == name {
			return name
		}
	}
	return ""
}

// whose returns "the url of the entry "x"".
func (r *entryReader) whose(key string) string { return "the " + key + " of " + r.what }

// plain reads a text in which nothing has a meaning.
func (r *entryReader) plain(key string) string {
	p := r.property(key)
	if p == nil {
		return ""
	}
	text, _ := r.textOf(p.Value, r.whose(key), diag.CodeInvalidEntry)
	return text
}

// text reads a text with environment variables, and as a template one with
// arguments too. It may not be empty.
func (r *entryReader) text(key string, template bool) Text {
	p := r.property(key)
	if p == nil {
		return Text{}
	}
	text, ok := r.textOf(p.Value, r.whose(key), diag.CodeInvalidEntry)
	if ok && report.Blank(text) {
		r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s is empty", r.whose(key))
		return Text{}
	}
	return r.libraryText(p.Value, text, template)
}

// word reads a word of a closed vocabulary, in quotes or without.
func (r *entryReader) word(key string, known []string) string {
	p := r.property(key)
	if p == nil {
		return ""
	}
	word, _ := r.oneOf(p.Value, "the "+key+" of", known)
	return word
}

func (r *entryReader) oneOf(v ast.Value, thing string, known []string) (string, bool) {
	word, ok := ast.WordOf(v)
	if ok && slices.Contains(known, word) {
		return word, true
	}
	choice := strings.Join(known[:len(known)-1], ", ") + " or " + known[len(known)-1]
	if !ok {
		r.Diags.Errorf(v.Span(), diag.CodeInvalidEntry, "%s %s is %s; it must be %s", thing, r.what, report.KindOf(v), choice)
		return "", false
	}
	d := r.Diags.Errorf(v.Span(), diag.CodeInvalidEntry, "%s %s is %s; it must be %s", thing, r.what, report.Quote(word), choice)
	if near := r.oneNear(word, known); near != "" {
		d.Message += fmt.Sprintf("; did you mean %s?", near)
		text := near
		if _, bare := v.(*ast.Symbol); !bare {
			text = strconv.Quote(near)
		}
		report.Fix(d, "write "+near, v.Span(), text)
	}
	return "", false
}

// oneNear returns the word of a closed vocabulary that was meant by another:
// also by a part of it, or by more.
func (r *entryReader) oneNear(word string, known []string) string {
	if near := r.Guess(word, known); near != "" {
		return near
	}
	const short = 3
	lower := strings.ToLower(word)
	for _, candidate := range known {
		if c := strings.ToLower(candidate); len(word) > short && (strings.Contains(c, lower) || strings.Contains(lower, c)) {
			return candidate
		}
	}
	return ""
}

// list reads an array; the example shows how it is written.
func (r *entryReader) list(key, example string) []ast.Value {
	p := r.property(key)
	if p == nil {
		return nil
	}
	if a, ok := p.Value.(*ast.Array); ok {
		return a.Elements
	}
	d := r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s is %s; it must be a list: %s", r.whose(key), report.KindOf(p.Value), example)
	if _, ok := ast.WordOf(p.Value); ok {
		report.SafeFix(d, "write a list", p.Value.Span(), "["+p.Value.Span().Text()+"]")
	}
	return nil
}

// names reads a list of names, in quotes or without; nil when there is none.
func (r *entryReader) names(key, example string) []string {
	p := r.property(key)
	if p == nil {
		return nil
	}
	names := []string{}
	for _, item := range r.list(key, example) {
		if name, ok := ast.WordOf(item); ok && !report.Blank(name) {
			names = append(names, name)
			continue
		}
		r.Diags.Errorf(item.Span(), diag.CodeInvalidEntry, "%s holds what is not a name; it is written %s", r.whose(key), example)
	}
	return names
}

// variables reads a map of texts: env, headers.
func (r *entryReader) variables(key, example string) []Variable {
	p := r.property(key)
	if p == nil {
		return nil
	}
	record, ok := p.Value.(*ast.Record)
	if !ok {
		r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s is %s; it must be a map: %s", r.whose(key), report.KindOf(p.Value), example)
		return nil
	}
	var list []Variable
	written := map[string]string{} // as they are written, by what counts of them
	for _, each := range record.Properties {
		if each.Value == nil {
			continue
		}
		name := each.Key.Text
		counts := name
		if key == "headers" {
			counts = strings.ToLower(name)
		}
		first, twice := written[counts]
		written[counts] = name
		switch problem := entryVariableProblem(key, name, r.entry.Kind); {
		case problem != "":
			r.Diags.Errorf(each.Key.Span(), diag.CodeInvalidEntry, "%s", problem)
			continue
		case twice && first != name: // the same key twice is already reported
			r.Diags.Errorf(each.Key.Span(), diag.CodeInvalidEntry, "the header %s is there in other letters already; the case of letters does not count", report.Quote(name))
			continue
		}
		text, ok := r.textOf(each.Value, report.Quote(name)+" in "+r.whose(key), diag.CodeInvalidEntry)
		if !ok {
			continue
		}
		if i := strings.IndexAny(text, "\r\n\x00"); i >= 0 && key == "headers" {
			r.Diags.Errorf(each.Value.Span(), diag.CodeInvalidEntry, "the header %s holds the end of a line", report.Quote(name))
			continue
		}
		v := Variable{Name: name, Value: r.libraryText(each.Value, text, key == "headers" && r.entry.Kind == EntryHTTP)}
		r.literalSecret(each.Value, v)
		list = append(list, v)
	}
	return list
}

// entryVariableProblem says why a name can be none of an environment variable or a
// header, "" when it can.
func entryVariableProblem(key, name string, kind EntryKind) string {
	if key == "env" {
		if name == "" || template.VariableName(name) != name {
			return fmt.Sprintf("%s is not the name of an environment variable; those are of letters, digits and _", report.Quote(name))
		}
		return ""
	}
	const token = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	switch strings.ToLower(name) {
	case "cookie":
		if kind != EntryHTTP {
			return "a server of MCP gets no cookies"
		}
	case "host", "content-length", "transfer-encoding", "te", "trailer", "connection", "keep-alive", "upgrade",
		"proxy-connection", "proxy-authorization", "expect", "accept-encoding", "content-encoding":
		return fmt.Sprintf("the header %s is set by gramc itself", report.Quote(name))
	}
	if name == "" || strings.Trim(name, token) != "" || strings.ContainsFunc(name, func(c rune) bool { return !strings.ContainsRune(token, c) }) {
		return fmt.Sprintf("%s is not the name of a header", report.Quote(name))
	}
	return ""
}

// hosts reads allowHosts.
func (r *entryReader) hosts() []string {
	const example = `{allowHosts: ["127.0.0.1:8080"]}`
	hosts := r.names("allowHosts", example)
	r.allowed = hosts
	if len(hosts) == 0 {
		return hosts
	}
	for _, item := range r.list("allowHosts", example) {
		text, _ := ast.WordOf(item)
		if strings.ContainsAny(text, "/@?# \t") {
			d := r.Diags.Errorf(item.Span(), diag.CodeInvalidEntry, "%s is not a host; a host is written %s", report.Quote(text), `"127.0.0.1:8080"`)
			if _, rest, ok := strings.Cut(text, "://"); ok {
				if host, _, _ := strings.Cut(rest, "/"); host != "" && !strings.ContainsAny(host, "@?# \t") {
					report.SafeFix(d, "write "+report.Clip(host), item.Span(), strconv.Quote(host))
				}
			}
		}
	}
	return hosts
}

// missing reports that nothing says what does the work of the entry.
func (r *entryReader) missing(message, example string) {
	if types.IncompleteProperties(r.pattern) {
		return
	}
	d := r.Diags.Errorf(report.EndOf(r.pattern.Subject), diag.CodeMissingEntryProperty, "%s %s", r.what, message)
	report.AddProperty(d, r.pattern.Subject, example)
}

// both reports that two properties exclude each other.
func (r *entryReader) both(first, second string) {
	p, q := r.pattern.Property(first), r.pattern.Property(second)
	d := r.Diags.Errorf(q.Key.Span(), diag.CodeInvalidEntry, "%s has both %s and %s; one of them does the work", r.what, first, second)
	report.Relate(d, p.Key.Span(), first)
}

// only reports that a property has no meaning without another one.
func (r *entryReader) only(key, with string) {
	if p := r.pattern.Property(key); p != nil {
		r.Diags.Errorf(p.Key.Span(), diag.CodeInvalidEntry, "%s has no meaning on %s: it goes with %s", key, r.what, with)
	}
}

// yesOrNo reads a property that is true or false; nil when nothing is said.
func (r *entryReader) yesOrNo(key string) *bool {
	p := r.pattern.Property(key)
	if p == nil || p.Value == nil {
		return nil
	}
	flag := r.Flag(p, r.what)
	return &flag
}
