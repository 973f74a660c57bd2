package compile

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/spell"
)

// A Model names a language model and who serves it.
type Model struct {
	Provider string `json:"provider"` // as package models spells it, such as OpenAI
	ID       string `json:"id"`       // what the provider calls it
}

// String returns the model as gram files write it: OpenAI/gpt-5.4-mini.
func (m Model) String() string { return m.Provider + "/" + m.ID }

// ParseModel reads Provider/id or Provider:id with the providers of a table; nil is the
// built-in one. The case of the provider does not matter, and the id may hold slashes
// and colons. An id by itself is one of the provider that makes models with such
// names, or that alone is known to have it, or else of the first one, OpenAI.
func ParseModel(text string, t *models.Table) (Model, error) {
	m := Model{Provider: t.Providers()[0].Name, ID: text}
	name, id, separator := cutModelProvider(text)
	p, known := t.ProviderNamed(name)
	switch {
	case separator == "/" && !known:
		return Model{}, &modelError{name, t}
	case separator == "/", separator == ":" && known && !isModelTag(id):
		m = Model{Provider: p.Name, ID: id}
	default:
		if p, alone := t.ProviderNamed(text); alone && text != "" {
			return Model{}, fmt.Errorf("%s names a provider and no model; write %s", report.Quote(text), exampleModel(p))
		}
		if owner, ok := t.ProviderOf(text); ok {
			m.Provider = owner.Name
		}
	}
	switch {
	case text == "":
		return Model{}, fmt.Errorf("the model is empty; write %s", modelExample)
	case m.ID == "":
		return Model{}, fmt.Errorf("the model %s has no id; write %s", report.Quote(text), modelExample)
	case strings.ContainsFunc(m.ID, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return Model{}, fmt.Errorf("the id of the model %s contains whitespace", report.Quote(text))
	}
	return m, nil
}

// ChooseModel is [ParseModel] for a model that a person has chosen for a run, and that no
// check has seen: it refuses an id by itself that no provider is known to have, which
// would go to the first one with its key, and what is an error in a file.
func ChooseModel(text string, t *models.Table) (Model, error) {
	m, err := ParseModel(text, t)
	switch {
	case err != nil:
		return m, err
	case !isGuess(m, text, t):
		for _, d := range CheckModel(text, m, t) {
			if d.Severity == diag.Error {
				return Model{}, errors.New(d.Message)
			}
		}
		return m, nil
	}
	if server, ok := t.ServerOf(text); ok {
		return Model{}, fmt.Errorf("the model %s names no provider; did you mean %s/%s?", report.Quote(text), server.Name, report.Clip(text))
	}
	if near := t.Providers()[0].Meant(text); near != "" {
		return Model{}, fmt.Errorf("no known model has the id %s; did you mean %s?", report.Quote(text), near)
	}
	return Model{}, fmt.Errorf("the model %s names no provider, and none is known to have it; write Provider/id, such as %s", report.Quote(text), report.Clip(m.String()))
}

// isGuess reports whether the provider of a model that was read from a text is the first
// one only because nothing else is known.
func isGuess(m Model, text string, t *models.Table) bool {
	_, known := t.ProviderOf(text)
	return m.ID == text && !known
}

const modelExample = `"Provider/id", such as "OpenAI/gpt-5.4-mini"`

// cutModelProvider cuts a model at the first slash or colon.
func cutModelProvider(text string) (provider, id, separator string) {
	i := strings.IndexAny(text, "/:")
	if i < 0 {
		return "", text, ""
	}
	return text[:i], text[i+1:], text[i : i+1]
}

// isModelTag reports whether a text is what Ollama writes behind a colon, as in mistral:7b.
func isModelTag(text string) bool {
	size := strings.TrimRight(strings.ToLower(text), "b")
	return text == "latest" || size != text && size != "" && strings.Trim(size, "0123456789.") == ""
}

// exampleModel returns a model of a provider as gram files write it.
func exampleModel(p *models.Provider) string {
	id := "id"
	if len(p.Models) > 0 {
		id = p.Models[0].ID
	}
	return `"` + p.Name + "/" + id + `"`
}

// A modelError says that nobody knows the provider of a model.
type modelError struct {
	provider string
	table    *models.Table
}

// nearest returns the provider that was probably meant, "" when none is near.
func (e *modelError) nearest() string { return spell.Nearest(e.provider, e.table.Names()) }

func (e *modelError) Error() string {
	if near := e.nearest(); near != "" {
		return fmt.Sprintf("unknown model provider %s; did you mean %s?", report.Quote(e.provider), near)
	}
	return fmt.Sprintf("unknown model provider %s; known are %s, and those of a file for --providers", report.Quote(e.provider), strings.Join(e.table.Names(), ", "))
}
