package diag

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// An Entry is the explanation of one code. "gramc explain",
// docs/diagnostics.md and the rules of SARIF reports are made from it.
//
// To add a code, add its constant to codes.go and a section to the file of its
// group in the folder catalogue, at the same position, and run "go generate
// ./diag". Tests report what is missing, and examples that do not show the code.
type Entry struct {
	Code        Code
	Severity    Severity // that of most of its diagnostics, and of Wrong
	Title       string   // one sentence
	Explanation string   // 1 to 4 sentences: what the code means, why it matters, how to fix it
	Wrong       string   // a text with this problem and no other
	Right       string   // the same text without any problem
	Signature   bool     // Wrong and Right are type signatures, not files
	Unshown     string   // why there are no examples; "" if there are
	Peers       []string // the codes of the same problem in "gram check", the checker of other gram programs
}

//go:embed catalogue/*.md
var files embed.FS

// Catalogue returns the entries of all codes, in the order of codes.go.
func Catalogue() []Entry { return slices.Clone(catalogue()) }

// catalogue parses the texts when they are first needed.
var catalogue = sync.OnceValue(func() []Entry {
	groups := []string{ // in the order of codes.go
		"syntax", "gram", "agents", "tools", "signatures", "types", "targets", "imports", "libraries", "tests", "lint", "definitions",
	}
	var entries []Entry
	for _, group := range groups {
		text, err := files.ReadFile("catalogue/" + group + ".md")
		if err != nil {
			panic("diag: " + err.Error())
		}
		for section := range strings.SplitSeq("\n"+string(text), "\n## ") {
			if section != "" {
				entries = append(entries, parseEntry(section))
			}
		}
	}
	return entries
})

// parseEntry parses a section, without the marker of its heading.
func parseEntry(section string) Entry {
	text, examples, _ := strings.Cut(section, "\nWrong:\n")
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	e := Entry{Code: Code(paragraphs[0])}
	severity, title, _ := strings.Cut(paragraphs[1], " · ")
	e.Title = title
	for s := Error; s <= Hint; s++ {
		if severity == "**"+s.String()+"**" {
			e.Severity = s
		}
	}
	for _, p := range paragraphs[2:] {
		p = strings.ReplaceAll(p, "\n", " ")
		if peers, ok := strings.CutPrefix(p, "`gram check` calls it "); ok {
			e.Peers = strings.Split(strings.Trim(peers, "`."), "`, `")
		} else if why, ok := strings.CutPrefix(p, "There is no example: "); ok {
			e.Unshown = strings.TrimSuffix(why, ".")
		} else {
			e.Explanation = p
		}
	}
	wrong, right, _ := strings.Cut(examples, "\nRight:\n")
	e.Signature = strings.Contains(wrong, "~~~gram signature\n")
	e.Wrong, e.Right = catalogueExample(wrong), catalogueExample(right)
	return e
}

// catalogueExample returns the text in a fence. A character that is not printed is
// written there as Escape shows it.
func catalogueExample(fence string) string {
	_, text, _ := strings.Cut(strings.TrimSpace(fence), "\n")
	text = strings.TrimSuffix(text, "\n~~~")
	return strings.ReplaceAll(text, `\u{200b}`, "\u200b")
}

// Explain returns the entries of a code: its own, or those whose Peers have it.
func Explain(code string) []Entry {
	all := Catalogue()
	if i := slices.IndexFunc(all, func(e Entry) bool { return string(e.Code) == code }); i >= 0 {
		return all[i : i+1]
	}
	return slices.DeleteFunc(all, func(e Entry) bool { return !slices.Contains(e.Peers, code) })
}

// Markdown returns the entry as the body of a section: everything but its
// heading.
func (e Entry) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** · %s\n\n%s\n", e.Severity, e.Title, e.Explanation)
	if len(e.Peers) > 0 {
		fmt.Fprintf(&b, "\n`gram check` calls it `%s`.\n", strings.Join(e.Peers, "`, `"))
	}
	if e.Unshown != "" {
		fmt.Fprintf(&b, "\nThere is no example: %s.\n", e.Unshown)
		return b.String()
	}
	fmt.Fprintf(&b, "\nWrong:\n\n%s\nRight:\n\n%s", catalogueFence(e.Wrong), catalogueFence(e.Right))
	return b.String()
}

// catalogueFence returns text as a Markdown block, in tildes since gram has backticks.
func catalogueFence(text string) string {
	var b strings.Builder
	b.WriteString("~~~gram\n")
	for line := range strings.Lines(text) {
		b.WriteString(Escape(strings.TrimSuffix(line, "\n")))
		b.WriteByte('\n')
	}
	b.WriteString("~~~\n")
	return b.String()
}
