package lsp

import (
	"context"
	"slices"
	"testing"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/diag"
)

// fixable has a text for each code that has fixes, but not where the catalogue
// shows it.
var fixable = map[diag.Code]string{
	diag.CodeModelRefuses:        `[a:Agent {instruction: "i", model: "Anthropic/claude-haiku-4-5", temperature: 1.5}]` + "\n",
	diag.CodeHaskellType:         agentWith("(x::`Array<Text>`)==>(::Text)"),
	diag.CodeDefaultTypeMismatch: agentWith("(x::Text {default: hello})==>(::Text)"),
	diag.CodeMalformedFields:     agentWith(`(x::Array {fields: [{name: "a", type: "Text"}]})==>(::Text)`),
	diag.CodeInvalidType:         "[Shape:Union | (::Round), (Square)]\n[Round:Type {r::Int}]\n[Square:Type {s::Int}]\n",
	diag.CodeInvalidTypeName:     "[unit:Enum {values: [\"a\"]}]\n[Point:Type {x::unit, y:: type`[unit]`}]\n",
	diag.CodeInvalidTemplate:     `[local:Library | [t:Http {url: "https://api.example.com/?a=}"}]]` + "\n",
	diag.CodeDeprecated:          `[t:Tool {description: "d"} | (x::Old)==>(::Text)] [Old:Type {deprecated: "use New", a::Int}] [New:Type {a::Int}]` + "\n",
	diag.CodeMisplacedEntry:      `[local | [t:Http {url: "https://api.example.com/"}]]` + "\n",
}

func agentWith(signature string) string {
	return `[a:Agent {instruction: "i", model: "OpenAI/gpt-5.4-mini"} | [t:Tool {description: "d"} | ` + signature + "]]\n"
}

// wrongs returns a text for each code: what the catalogue shows, or fixable.
func wrongs() map[diag.Code]string {
	texts := map[diag.Code]string{}
	for _, e := range diag.Catalogue() {
		texts[e.Code] = e.Wrong
		if e.Signature {
			texts[e.Code] = agentWith(e.Wrong)
		}
		if text := fixable[e.Code]; text != "" {
			texts[e.Code] = text
		}
	}
	return texts
}

// TestFixes tests for each code with fixes that an editor is offered all of them,
// that each removes its problem and brings no other one, and that all safe fixes
// together leave nothing to be fixed.
func TestFixes(t *testing.T) {
	fixed := map[diag.Code]bool{}
	for code, text := range wrongs() {
		s := showing(map[string]string{"/w/a.gram": text, "/w/shared/types.gram": ""})
		d := s.open["/w/a.gram"]
		for _, p := range s.examine(d).problems {
			if p.Code == code && len(p.Fixes) > 0 {
				fixed[code] = true
				tryFixes(t, s, p)
			}
		}
		tryFixAll(t, s)
	}
	for name, text := range goldens(t) {
		s := showing(map[string]string{"/w/" + name: text})
		for _, p := range s.examine(s.open["/w/"+name]).problems {
			if len(p.Fixes) > 0 && !fixed[p.Code] {
				t.Errorf("%s has a fix for %s; write a text that has it into the table", name, p.Code)
				fixed[p.Code] = true
			}
		}
	}
}

// tryFixes makes each fix of a problem of /w/a.gram.
func tryFixes(t *testing.T, s *snapshot, p *diag.Diagnostic) {
	t.Helper()
	d := s.open["/w/a.gram"]
	before := judge(s)
	o, err := s.actionsAt(context.Background(), d, d.rangeOf(p.Span), []string{kindQuickFix})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Fixes {
		if p.Code == diag.CodeInvalidTypeName {
			f.Title = "rename the type to Unit" // with its references
		}
		i := slices.IndexFunc(o.actions, func(a action) bool { return a.Title == f.Title && a.Diagnostics[0].Message == p.Message })
		if i < 0 {
			t.Errorf("%s: %q is not offered", p.Code, f.Title)
			continue
		}
		c := s.changes()
		o.actions[i].change(c)
		texts := applied(t, c)
		after := judge(showing(texts))
		for reported, n := range after.reported {
			if n > before.reported[reported] {
				t.Errorf("%s: %q brings %s:\n%s", p.Code, f.Title, reported, texts["/w/a.gram"])
			}
		}
		if reported := string(p.Code) + ": " + p.Message; after.reported[reported] >= before.reported[reported] {
			t.Errorf("%s: after %q there is still %s:\n%s", p.Code, f.Title, reported, texts["/w/a.gram"])
		}
	}
}

// tryFixAll makes all safe fixes of /w/a.gram.
func tryFixAll(t *testing.T, s *snapshot) {
	t.Helper()
	offers := func(s *snapshot) []action {
		o, err := s.actionsAt(context.Background(), s.open["/w/a.gram"], protocol.Range{}, []string{kindFixAll})
		if err != nil {
			t.Fatal(err)
		}
		return o.actions
	}
	all := offers(s)
	if len(all) == 0 {
		return
	}
	c := s.changes()
	all[0].change(c)
	texts := applied(t, c)
	next := showing(texts)
	if judge(next).errors > judge(s).errors || len(offers(next)) > 0 {
		t.Errorf("all safe fixes make\n%s\nof\n%s", texts["/w/a.gram"], s.open["/w/a.gram"].text)
	}
}
