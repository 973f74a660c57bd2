package library

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/template"
)

// This file decides which environment variables of a library are secrets.

// A VariableUse is a text of an entry in which environment variables stand.
type VariableUse struct {
	Text  Text
	Place VariablePlace
	Name  string // of the header or the variable of a program; else ""
}

// A VariablePlace is what the text of a VariableUse is for.
type VariablePlace uint8

// The places.
const (
	UseProgram     VariablePlace = iota // a program or an argument of one
	UseFolder                           // where a program runs, or what a tool sees
	UseAddress                          // where requests go
	UseCredential                       // a header, or a key: sent to the address
	UseEnvironment                      // a variable of a program
)

// VariableUses returns the texts of the entry in which environment variables may stand.
func (e *Entry) VariableUses() (uses []VariableUse) {
	add := func(place VariablePlace, texts ...Text) {
		for _, t := range texts {
			uses = append(uses, VariableUse{Text: t, Place: place})
		}
	}
	variables := func(place VariablePlace, list []Variable) {
		for _, v := range list {
			uses = append(uses, VariableUse{v.Value, place, v.Name})
		}
	}
	switch e.Kind {
	case EntryCommand:
		add(UseProgram, e.Command.Run...)
		add(UseFolder, e.Command.Dir)
		variables(UseEnvironment, e.Command.Env)
	case EntryMCP:
		add(UseProgram, e.MCP.Command...)
		add(UseFolder, e.MCP.Dir)
		add(UseAddress, e.MCP.URL)
		variables(UseEnvironment, e.MCP.Env)
		variables(UseCredential, e.MCP.Headers)
	case EntryHTTP:
		add(UseAddress, e.HTTP.URL)
		variables(UseCredential, e.HTTP.Headers)
	case EntryBuiltin:
		add(UseFolder, e.Builtin.Root)
		add(UseAddress, e.Builtin.URL)
		add(UseCredential, e.Builtin.Key, e.Builtin.ID)
	}
	return uses
}

// SecretVariables returns the names of the environment variables whose values must not be
// shown, in the order of the entry and with repetitions.
func (e *Entry) SecretVariables() (names []string) {
	for _, u := range e.VariableUses() {
		for i, p := range u.Text.Template {
			if p.Kind == template.Environment && e.isSecretVariable(u, i) {
				names = append(names, p.Text)
			}
		}
	}
	return names
}

// isSecretVariable reports whether the variable that is part i of a text is a secret: because
// the entry says so, because of its name, or because it stands where secrets belong.
func (e *Entry) isSecretVariable(u VariableUse, i int) bool {
	switch {
	case e.Secret != nil:
		return *e.Secret
	case IsSecretName(u.Text.Template[i].Text), u.Place == UseCredential:
		return true
	case u.Place == UseEnvironment:
		return e.Kind == EntryMCP || IsSecretName(u.Name)
	case u.Place != UseAddress:
		return false
	}
	literal := func(t template.Template) string { return t.Expand(func(string) string { return "" }) }
	head, _ := u.Text.Template.CutHost()
	inUser := i < len(head) && strings.Contains(literal(head[i:]), "@")
	return inUser || strings.Contains(literal(u.Text.Template[:i]), "?")
}

// undecidedSecretVariables gives a hint for each variable that may be a secret, and is shown.
func (r *entryReader) undecidedSecretVariables() {
	if r.entry.Secret != nil {
		return
	}
	seen := r.entry.SecretVariables()
	for _, u := range r.entry.VariableUses() {
		for i, p := range u.Text.Template {
			if p.Kind != template.Environment || u.Place == UseFolder || slices.Contains(seen, p.Text) || isPublicVariable(p.Text) || u.isBase(i) {
				continue
			}
			seen = append(seen, p.Text)
			d := r.Diags.Hintf(u.Text.spans[i], diag.CodeUndecidedSecret,
				"the value of ${%s} is shown in results; write secret: true if it is one, else secret: false", report.Clip(p.Text))
			report.AddProperty(d, r.pattern.Subject, "secret: true")
			report.AddProperty(d, r.pattern.Subject, "secret: false")
		}
	}
}

// isBase reports whether a variable is the start of an address of which the rest is written
// there: ${API_URL}/orders.
func (u VariableUse) isBase(i int) bool {
	return u.Place == UseAddress && i == 0 && len(u.Text.Template) > 1 && u.Text.Template[1].Kind == template.Literal && strings.HasPrefix(u.Text.Template[1].Text, "/")
}

// isPublicVariable reports whether an environment variable is one that every system has,
// and no secret.
func isPublicVariable(name string) bool {
	return slices.Contains([]string{"HOME", "USER", "USERNAME", "LOGNAME", "PATH", "PWD", "TMPDIR", "TEMP", "TMP", "LANG", "SHELL", "HOST", "HOSTNAME", "PORT"}, name)
}
