package diag

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/golden"
)

//go:generate go test -run TestDocumentationOfTheCodesIsUpToDate -update

// unshown are the codes that need no examples.
var unshown = []Code{CodeNotGram, CodeTooDeep, CodeTooLarge, CodeNotUTF8, CodeTooManyErrors, CodeUnknownAgent, CodeTargetDrops, CodeImportNotFound, CodeUnusedImport,
	CodeNoLibrary, CodeMissingImplementation, CodeContractMismatch, CodeMissingEnvironment, CodeShadowedTool,
	CodeNotJSON, CodeNoDefinition, CodeImportLost, CodeImportRewritten, CodeImportAssumed}

// declaredCodes reads the codes from the source of this package.
func declaredCodes(t *testing.T) []Code {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "codes.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []Code
	for _, decl := range file.Decls {
		constants, ok := decl.(*ast.GenDecl)
		if !ok || constants.Tok != token.CONST {
			continue
		}
		for _, spec := range constants.Specs {
			text, err := strconv.Unquote(spec.(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, Code(text))
		}
	}
	return codes
}

func TestEveryCodeHasItsEntryInTheOrderOfTheCodes(t *testing.T) {
	var entries []Code
	for _, e := range Catalogue() {
		entries = append(entries, e.Code)
	}
	if diff := cmp.Diff(declaredCodes(t), entries); diff != "" {
		t.Errorf("codes without entry (-), entries out of place (+):\n%s", diff)
	}
}

func TestEntriesAreWhole(t *testing.T) {
	sentence := regexp.MustCompile(`[.:;]( |$)`)
	for _, e := range Catalogue() {
		if !strings.HasSuffix(e.Title, ".") || strings.Count(e.Title, ". ") > 0 || len(e.Title) > 100 {
			t.Errorf("%s: the title is not one short sentence: %q", e.Code, e.Title)
		}
		if !strings.HasSuffix(e.Explanation, ".") || len(sentence.FindAllString(e.Explanation, -1)) > 7 {
			t.Errorf("%s: the explanation is not 1 to 4 sentences: %q", e.Code, e.Explanation)
		}
		if e.Severity < Error || e.Severity > Hint {
			t.Errorf("%s: the severity is %d", e.Code, e.Severity)
		}
		switch {
		case e.Unshown == "" && (e.Wrong == "" || e.Right == ""):
			t.Errorf("%s: an example is missing", e.Code)
		case e.Unshown != "" && !slices.Contains(unshown, e.Code):
			t.Errorf("%s: a text can show this; write examples", e.Code)
		case e.Unshown != "" && e.Wrong+e.Right != "":
			t.Errorf("%s: there are examples, and it says that there are none", e.Code)
		}
	}
}

func TestExplainKnowsTheCodesOfGramCheck(t *testing.T) {
	for code, want := range map[string][]Code{
		"syntax-error": {CodeSyntax}, "missing-node": {CodeSyntax}, "duplicate-key": {CodeDuplicateKey},
		"unknown-type": {CodeUnknownType}, "nothing": nil,
	} {
		var got []Code
		for _, e := range Explain(code) {
			got = append(got, e.Code)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", code, diff)
		}
	}
	if got := len(Explain("duplicate-element")); got < 2 {
		t.Errorf("duplicate-element corresponds to %d codes", got)
	}
}

func TestDocumentationOfTheCodesIsUpToDate(t *testing.T) {
	const file = "../docs/diagnostics.md"
	if diff := cmp.Diff(golden.Read(t, file), documentation()); diff != "" {
		if golden.Updating() {
			if err := os.WriteFile(file, []byte(documentation()), 0o644); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s rewritten", file)
			return
		}
		t.Errorf("go generate ./diag rewrites it:\n%s", diff)
	}
}

// documentation is docs/diagnostics.md.
func documentation() string {
	var b strings.Builder
	b.WriteString("<!-- Written by go generate ./diag from diag/catalogue/*.md; edit those. -->\n\n" +
		"# Diagnostics\n\n" +
		"All diagnostics of gramc, by code. `gramc explain CODE` shows the same on a terminal. The severity is that of most\n" +
		"diagnostics of the code; `--strict` reports warnings as errors.\n\n| Code | Severity | |\n|---|---|---|\n")
	for _, e := range Catalogue() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", e.Code, e.Code, e.Severity, e.Title)
	}
	for _, e := range Catalogue() {
		fmt.Fprintf(&b, "\n## %s\n\n%s", e.Code, e.Markdown())
	}
	return b.String()
}
