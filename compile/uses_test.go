package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/grammar"
)

func TestUses(t *testing.T) {
	shared, _ := grammar.Parse("shared.gram", "[City:Type | (name::Text)] [weather:Tool {description: \"d\"} | (city::City)==>(::Text)]")
	main, _ := grammar.Parse("main.gram", "{import: [\"./shared.gram\"]}\n"+
		"[Trip:Type | (from::City), (stops::`[City]`), (hotel::`{where: City?}`)]\n"+
		"[clerk:Agent {instruction: \"Use `weather` with `city`; \\\"`book()`\\\" and `nothing`.\", model: \"OpenAI/m\"} | weather, book, lost]\n"+
		"[book:Tool {description: \"d\"} | (trip::Trip)==>(::`Map<City>`)]\n")
	var got []string
	for _, u := range compile.Uses(main, &compile.Options{Imported: []*ast.File{shared}}) {
		text := fmt.Sprintf("%s %s of %s", u.Span, u.Span.Text(), u.Definition.Span())
		if u.Mention {
			text += ", mentioned"
		}
		got = append(got, text)
	}
	want := `main.gram:2:21 City of shared.gram:1:1
main.gram:2:38 City of shared.gram:1:1
main.gram:2:64 City of shared.gram:1:1
main.gram:3:34 weather of shared.gram:1:28, mentioned
main.gram:3:49 city of shared.gram:1:63, mentioned
main.gram:3:59 book of main.gram:4:1, mentioned
main.gram:3:107 weather of shared.gram:1:28
main.gram:3:116 book of main.gram:4:1
main.gram:4:40 Trip of main.gram:2:1
main.gram:4:56 City of shared.gram:1:1`
	if diff := cmp.Diff(strings.Split(want, "\n"), got); diff != "" {
		t.Error(diff)
	}
}
