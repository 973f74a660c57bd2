package library

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// entryKinds returns the kinds of entries.
func entryKinds() []EntryKind { return []EntryKind{EntryCommand, EntryHTTP, EntryMCP, EntryBuiltin} }

// labelledKind returns the kinds of entries whose labels a pattern has.
func labelledKind(p *ast.Pattern) []EntryKind {
	return slices.DeleteFunc(entryKinds(), func(kind EntryKind) bool { return !p.HasLabel(string(kind)) })
}

// EntryKindOf returns the kind of an element of a library, "" when it is no entry.
func EntryKindOf(p *ast.Pattern) EntryKind {
	for _, kind := range labelledKind(p) {
		return kind
	}
	return ""
}

// foreignKind returns the kind of entry that a label of other tools means, ""
// when it means none.
func foreignKind(label string) EntryKind {
	switch strings.ToLower(strings.ReplaceAll(label, "_", "")) {
	case "command", "cmd", "exec", "process", "program", "shell", "script":
		return EntryCommand
	case "http", "https", "rest", "api", "httpservice", "service", "webservice", "endpoint":
		return EntryHTTP
	case "mcp", "mcpserver", "server":
		return EntryMCP
	case "builtin", "internal":
		return EntryBuiltin
	}
	return ""
}

// kindByProperties returns the kind of entry that a record belongs to, "" when
// it may be anything.
func kindByProperties(p *ast.Pattern) EntryKind {
	has := func(key string) bool { return p.Property(key) != nil }
	switch {
	case has("run"), has("shell"):
		return EntryCommand
	case has("command"), has("url") && has("allow"), has("url") && has("prefix"):
		return EntryMCP
	case has("url") && (has("method") || has("headers") || has("body") || has("result")):
		return EntryHTTP
	case has("builtin"):
		return EntryBuiltin
	}
	return ""
}

// kindOfEntry returns what does the work of an element of a library; "" when
// it reported that nothing does.
func (c *Lowerer) kindOfEntry(e *ast.Pattern, what string) EntryKind {
	const written = `an entry is written [name:Command {run: ["./program"]}], with one of the labels Command, Http, Mcp and Builtin`
	if e.Form != ast.FormBracket {
		d := c.Diags.Errorf(e.Span(), diag.CodeUnknownEntry, "this element of %s is not an entry; %s", what, written)
		if e.Form == ast.FormNode && len(labelledKind(e)) == 1 {
			report.SafeFix(d, "write square brackets", e.Span(), "["+ast.Print(e.Subject)+"]")
		}
		return ""
	}
	switch kinds := labelledKind(e); {
	case len(kinds) == 1:
		return kinds[0]
	case len(kinds) > 1:
		c.Diags.Errorf(report.NameSpan(e), diag.CodeUnknownEntry, "an entry is of one kind; here are %s and %s", kinds[0], kinds[1])
		return ""
	}
	name := report.Quote(e.Identity())
	if e.Subject.Identity == nil {
		name = "an entry of " + what
	}
	if len(e.Subject.Labels) == 0 {
		d := c.Diags.Errorf(report.NameSpan(e), diag.CodeUnknownEntry, "%s has no label that says what does its work: Command, Http, Mcp or Builtin", name)
		kind := kindByProperties(e)
		if i := slices.IndexFunc(entryKinds(), func(k EntryKind) bool { return strings.HasSuffix(e.Identity(), string(k)) }); i >= 0 {
			kind = entryKinds()[i] // the colon before it is missing
		}
		if kind != "" && e.Subject.Identity != nil {
			report.LabelName(d, e.Subject.Identity, string(kind))
		}
		return ""
	}
	c.unknownEntryKind(e, name)
	return ""
}

// unknownEntryKind reports that none of the labels of an entry says what does its
// work.
func (c *Lowerer) unknownEntryKind(e *ast.Pattern, name string) {
	label := e.Subject.Labels[0].Name
	d := c.Diags.Errorf(label.Span(), diag.CodeUnknownEntry, "%s does not say what does the work of %s; an entry is a Command, Http, Mcp or Builtin", report.Clip(label.Text), name)
	near := string(foreignKind(label.Text))
	if near == "" {
		near = c.Guess(label.Text, []string{"Command", "Http", "Mcp", "Builtin"})
	}
	if _, isTool := ast.AsTool(e); isTool {
		d.Message = fmt.Sprintf("the tool %s is what a model sees, and stands in the file of an agent; an entry of a library says what does its work: Command, Http, Mcp or Builtin", name)
	}
	if near == "" {
		near = string(kindByProperties(e))
	}
	if near != "" {
		d.Message += fmt.Sprintf("; did you mean %s?", near)
		report.Respell(d, label.Span(), label.Text, near)
	}
}

// meansEntryKind reports whether a pattern is an entry of a library, maybe with a
// mistake: by its label, or by what it says.
func meansEntryKind(p *ast.Pattern) bool {
	switch p.Form {
	case ast.FormNode:
		return kindByProperties(p) != "" && len(labelledKind(p)) > 0
	case ast.FormBracket:
	default:
		return false
	}
	foreign := func(l *ast.Label) bool { return foreignKind(l.Name.Text) != "" }
	return slices.ContainsFunc(p.Subject.Labels, foreign) || kindByProperties(p) != ""
}

// hasEntryKind reports whether a pattern is the entry of a library without any
// doubt.
func hasEntryKind(p *ast.Pattern) bool {
	if p.Form != ast.FormBracket {
		return false
	}
	kind := kindByProperties(p)
	return kind != "" && p.HasLabel(string(kind)) ||
		p.HasLabel(string(EntryHTTP)) && p.Property("url") != nil ||
		p.HasLabel(string(EntryBuiltin)) && p.Property("root") != nil
}

// kindWords returns what the entry is called in messages about its properties,
// and which it may have.
func (r *entryReader) kindWords() (kind string, properties []string) {
	known := vocabulary.Keys(vocabulary.Owner(r.entry.Kind))
	switch r.entry.Kind {
	case EntryCommand:
		return "a Command", known
	case EntryHTTP:
		return "an Http entry", known
	case EntryMCP:
		return "an Mcp entry", known
	}
	b, found := BuiltinNamed(r.entry.Builtin.Builtin)
	if !found { // nobody knows which one is meant
		return "a Builtin", known
	}
	foreign := func(key string) bool {
		return !slices.Contains(b.Properties, key) &&
			slices.ContainsFunc(Builtins(), func(b BuiltinTool) bool { return slices.Contains(b.Properties, key) })
	}
	return "the built-in " + b.Name, slices.DeleteFunc(known, foreign)
}

// foreignKindProperty returns the property that a word of other tools means on an
// entry of a kind, "" when it means none.
func foreignKindProperty(kind EntryKind, key string) string {
	switch key {
	case "cwd", "workdir", "workingDirectory", "folder":
		if kind == EntryBuiltin {
			return "root"
		}
		return "dir"
	case "dir", "path", "directory":
		if kind == EntryBuiltin {
			return "root"
		}
	case "cmd", "exec", "args", "argv", "program":
		if kind == EntryMCP {
			return "command"
		}
		return "run"
	case "command":
		return "run"
	case "run":
		return "command"
	case "uri", "endpoint", "address":
		return "url"
	case "verb":
		return "method"
	case "environment":
		return "env"
	case "apiKey", "api_key", "token":
		return "key"
	case "tools", "allowedTools":
		return "allow"
	case "approval", "confirm", "permission":
		return "approve"
	case "replace", "override", "overrides":
		return "replaces"
	}
	return ""
}
