package lsp_test

import (
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/lsp"
	"github.com/gram-lang/gramc/internal/models"
)

func TestProvidersOfTheUserAreKnown(t *testing.T) {
	const text = `[a:Agent {instruction: "i", model: "work/large"}]`
	table := models.Builtin().With(models.Provider{Name: "work", Dialect: models.Chat, Address: "https://models.example.test/v1"})
	for _, o := range []*lsp.Options{nil, {Models: table}} {
		c := Start(t, o)
		folder := t.TempDir()
		c.Initialize(folder)
		told := string(c.Diagnose(folder+"/a.gram", text))
		if known := o != nil; known == strings.Contains(told, "unknown model provider") {
			t.Errorf("known %v: %s", known, told)
		}
	}
}
