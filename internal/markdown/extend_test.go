package markdown

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

func TestTheExtensionsReadWhatThoseOfGoldmarkRead(t *testing.T) {
	theirs := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList)).Parser()
	ours := extendedParser()
	pieces := []string{
		"a", "b c", "|", "|", "\n", "\n", "|-|-|\n", "| a | b |\n", ":-:|--:\n", "|:-|\n", "- [ ] x\n", "- [x]\n", "[X] ", "- ", "~", "~~", "~~a~~", "*", "`", "`a\\|b`",
		"\\|", "\\", " ", "\t", "    ", "> ", "-", ":", "---\n", "é", "<b>", "[a](b)", "![", "\f", "\v", "1. ",
	}
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 30).Draw(t, "pieces"), "")
		d := document{renderer: renderer{width: 60}, source: []byte(source)}
		got := strings.Join(d.blocks(ours.Parse(text.NewReader(d.source)), d.width, 0), "\n")
		want := strings.Join(d.blocks(theirs.Parse(text.NewReader(d.source)), d.width, 0), "\n")
		if got != want {
			t.Fatalf("%q\ngot:\n%s\nwant:\n%s", source, got, want)
		}
	})
}
