package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/lsp"
	"github.com/gram-lang/gramc/internal/models"
)

func TestProvidersOfTheUserAreKnown(t *testing.T) {
	const text = `[a:Agent {instruction: "i", model: "work/large"}]`
	table := models.Builtin().With(models.Provider{Name: "work", Dialect: models.Chat, Address: "https://models.example.test/v1"})
	for _, o := range []*lsp.Options{{}, {Models: table}} {
		c := Start(t, o)
		c.Initialize(nil)
		c.Open("file:///a.gram", text)
		reported := fmt.Sprint(c.Diagnostics("file:///a.gram"))
		if known := o.Models != nil; known == strings.Contains(reported, "unknown model provider") {
			t.Errorf("known %v: %s", known, reported)
		}
	}
}
