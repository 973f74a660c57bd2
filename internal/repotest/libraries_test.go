package repotest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

const librariesPage = "docs/libraries.md"

// TestTheLibrariesPageIsTrue checks each block of docs/libraries.md, and that the
// first agent works with the first library.
func TestTheLibrariesPageIsTrue(t *testing.T) {
	var libraries []*library.Library
	var agent string
	builtins := false
	for _, b := range blocks(t, librariesPage) {
		if b.kind != "gram" {
			continue
		}
		file, problems := grammar.Parse(librariesPage, b.text)
		o := &compile.Options{Strict: true, StrictGram: true}
		problems = append(problems, compile.Check(file, o)...)
		if strings.Contains(b.text, ":Library") {
			more, list := compile.Libraries(file, o)
			problems, libraries = append(problems, list...), append(libraries, more...)
		} else {
			agent = b.text
		}
		builtinsFile, _ := grammar.Parse(librariesPage, library.BuiltinsText(library.Builtins()))
		builtins = builtins || b.text == format.File(builtinsFile, nil)
		if len(problems) > 0 {
			t.Errorf("%s:%d:\n%s", librariesPage, b.line, printed(problems))
		}
		if diff := cmp.Diff(format.File(file, nil), b.text); diff != "" {
			t.Errorf("%s:%d:\n%s", librariesPage, b.line, diff)
		}
	}
	if !builtins {
		t.Error("the page does not show what gramc builtins prints")
	}
	file, _ := grammar.Parse(librariesPage, agent)
	if problems := compile.Check(file, &compile.Options{Libraries: libraries[:1]}); len(problems) > 0 {
		t.Errorf("the first library: %s", printed(problems))
	}
	// The second library says itself what its tool takes, and agrees.
	if problems := compile.Check(file, &compile.Options{Libraries: libraries[:2]}); len(problems) > 0 {
		t.Errorf("the second library: %s", printed(problems))
	}
	if len(libraries) < 10 {
		t.Errorf("%d libraries", len(libraries))
	}
}

// TestTheLibrariesPageNamesEverything looks for what a library can say, as the
// messages of the compiler know it.
func TestTheLibrariesPageNamesEverything(t *testing.T) {
	page := golden.Read(t, librariesPage)
	for _, builtin := range []string{"read_file", "web_search", "wikipedia", "web_scraper", "calculator", "current_time", "sayHello"} {
		entry := `[x:Builtin {builtin: ` + builtin + `, frob: 1}]`
		if messages := reported(entry); !strings.Contains(messages, "has no meaning on the built-in "+builtin) {
			t.Errorf("%s: %s", builtin, messages)
		}
		b, _ := library.BuiltinNamed(builtin)
		for _, name := range b.ParameterNames() {
			if !strings.Contains(page, "("+name+"::") {
				t.Errorf("the page says nothing of the parameter %s of %s", name, builtin)
			}
		}
	}
	messages := reported(`[x:Builtin {builtin: nothing}]`)
	_, names, _ := strings.Cut(messages, "there are ")
	list := strings.Split(strings.TrimSpace(names), ", ")
	if len(list) < 10 {
		t.Errorf("the built-ins are %q", names)
	}
	for _, name := range list {
		if !strings.Contains(page, "["+name+":Builtin") {
			t.Errorf("the page says nothing of the built-in %s", name)
		}
	}
	keys := regexp.MustCompile(`json:"(\w+)`)
	declared := golden.Read(t, "compile/library/library.go") + golden.Read(t, "compile/library/entry.go")
	for _, m := range keys.FindAllStringSubmatch(declared, -1) {
		if slices.Contains([]string{"name", "definition", "schema", "outputSchema", "entries", "span", "kind", "timeoutMs", "rules", "typeSignature", "arguments", "argument", "pattern", "value", "http", "mcp", "content"}, m[1]) {
			continue // of the IR alone
		}
		if !strings.Contains(page, "`"+m[1]+"`") {
			t.Errorf("the page says nothing of the property %s", m[1])
		}
	}
}

// reported returns the messages about an entry.
func reported(entry string) string {
	file, _ := grammar.Parse("entry", "[l:Library | "+entry+"]")
	var messages []string
	for _, d := range compile.Check(file, nil) {
		if d.Severity == diag.Error {
			messages = append(messages, d.Message)
		}
	}
	return strings.Join(messages, "\n")
}
