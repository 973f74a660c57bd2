package workspace

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/models"
)

// The files of the user's own configuration. Nothing in a project, an environment file of
// it included, can name others: they decide where keys are sent.
const (
	UserProviders = "providers.gram" // providers, as in a file of --providers
	UserModels    = "models.json"    // what gramc models --import has read
)

// UserFile returns the path of a file of the user's configuration; "" where the system
// has no place for it.
func UserFile(name string) string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "gramc", name)
}

// ReadUserProviders returns the providers of models that a gram file defines, none if the list
// of problems has an error.
func ReadUserProviders(name string) ([]models.Provider, diag.List, error) {
	text, err := ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	file, problems := grammar.Parse(name, text)
	list, more := compile.DefinedProviders(file, nil)
	problems = append(problems[:len(problems):len(problems)], more...)
	if problems.HasErrors() {
		return nil, problems, nil
	}
	return list, problems, nil
}

// AddUserModels returns a table with the models that the user has imported.
func AddUserModels(t *models.Table) (*models.Table, error) {
	text, err := ReadFile(UserFile(UserModels))
	if err != nil {
		return t, err
	}
	var list []models.Provider
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return t, errors.New("it is not what gramc models --import writes; import again")
	}
	for _, p := range list { // facts of models alone, of providers that are known
		if _, ok := t.Provider(p.Name); ok {
			t = t.With(models.Provider{Name: p.Name, Models: p.Models})
		}
	}
	return t, nil
}

// UserTable returns the table of providers and models with what the user has added to
// it. What cannot be read of that is left out.
func UserTable() *models.Table {
	t := models.Builtin()
	if list, _, err := ReadUserProviders(UserFile(UserProviders)); err == nil {
		t = t.With(list...)
	}
	t, _ = AddUserModels(t)
	return t
}
