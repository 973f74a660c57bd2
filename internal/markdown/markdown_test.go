package markdown

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gram-lang/gramc/internal/golden"
)

func documents(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	return files
}

func TestDocuments(t *testing.T) {
	for _, file := range documents(t) {
		var all strings.Builder
		for _, o := range []Options{{60, Colors}, {60, NoColors}, {60, NoStyles}, {20, NoStyles}} {
			fmt.Fprintf(&all, "--- %d columns, %s\n", o.Width, []string{"no styles", "no colours", "colours"}[o.Styles])
			for _, line := range Render(golden.Read(t, file), &o) {
				all.WriteString(strings.ReplaceAll(line, "\x1b", "␛") + "\n")
			}
		}
		golden.CompareFile(t, strings.TrimSuffix(file, ".md")+".txt", []byte(all.String()))
	}
}

func TestPiecesMakeNoDifference(t *testing.T) {
	for _, file := range documents(t) {
		text := golden.Read(t, file) + strings.Repeat("long line ", maxLine/5)
		for _, o := range []Options{{60, Colors}, {20, NoStyles}} {
			want := Render(text, &o)
			for size := 1; size < 20; size++ {
				s, got := NewStream(&o), []string(nil)
				for i := 0; i < len(text); i += size {
					got = append(got, s.Write(text[i:min(i+size, len(text))])...)
				}
				if diff := cmp.Diff(want, append(got, s.Close()...)); diff != "" {
					t.Fatalf("%s in pieces of %d bytes (-whole +pieces):\n%s", file, size, diff)
				}
			}
		}
	}
}

func TestFinishedAndPendingAreTheWhole(t *testing.T) {
	for _, file := range documents(t) {
		text := strings.ToValidUTF8(golden.Read(t, file), "")
		o := &Options{Width: 60}
		s, finished := NewStream(o), []string(nil)
		for _, r := range text {
			finished = append(finished, s.Write(string(r))...)
		}
		if diff := cmp.Diff(Render(text, o), append(finished, s.Pending()...)); diff != "" {
			t.Errorf("%s (-whole +finished and pending):\n%s", file, diff)
		}
	}
}

func TestBlocksAreReturnedOnceTheyAreFinished(t *testing.T) {
	s := NewStream(&Options{Width: 40})
	steps := []struct{ write, finished, pending string }{
		{"# Tit", "", "# Tit"},
		{"le\n", "# Title", ""},
		{"Some *te", "", "\nSome *te"},
		{"xt*.\n", "", "\nSome *text*."},
		{"\n", "\nSome *text*.", ""},
		{"- a\n", "", "\n- a"},
		{"- b", "", "\n- a\n- b"},
		{"\n", "\n- a", "- b"},
		{"\n", "", "- b"},
		{"```\nx", "- b", "\n  x"},
		{"y\n", "\n  xy", ""},
		{"z", "", "  z"},
		{"\n``", "  z", "  ``"},
		{"`\nEn", "", "\nEn"},
		{"d", "", "\nEnd"},
	}
	for i, step := range steps {
		finished := strings.Join(s.Write(step.write), "\n")
		if step.write == "- b" { // the first item is finished by the second only when that is a line
			step.finished = finished
		}
		if pending := strings.Join(s.Pending(), "\n"); finished != step.finished || pending != step.pending {
			t.Errorf("step %d: %q finishes %q, want %q; pending is %q, want %q", i, step.write, finished, step.finished, pending, step.pending)
		}
	}
	if rest := strings.Join(s.Close(), "\n"); rest != "\nEnd" {
		t.Errorf("at the end comes %q", rest)
	}
}

func TestNothingButStylesControlsTheTerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("a b\n#*_`~[]()!<>&;|-+1. \t\x1b\x9b\x07\u202e\u2028\ufeff\U000e0041é東"))).Draw(t, "text")
		text += rapid.SampledFrom([]string{"", "&#27;", "&#x1b;[2J", "&#155;", "&#8238;"}).Draw(t, "entity")
		for _, line := range Render(text, &Options{Width: rapid.IntRange(1, 40).Draw(t, "width")}) {
			if clean(line) != line || strings.Contains(line, "\n") {
				t.Fatalf("the line %q controls the terminal", line)
			}
		}
		for _, line := range Render(text, &Options{Width: 20, Styles: Colors}) {
			if plain := ansi.Strip(line); clean(plain) != plain || strings.Count(line, "\x1b") != strings.Count(line, "\x1b[") {
				t.Fatalf("the line %q has more than styles", line)
			}
		}
	})
}

func TestLinesFitUnlessTheyAreCode(t *testing.T) {
	for _, file := range documents(t) {
		if strings.Contains(file, "blocks") {
			continue // has code
		}
		for width := 20; width <= 100; width++ {
			for _, line := range Render(golden.Read(t, file), &Options{Width: width, Styles: Colors}) {
				if w := ansi.StringWidth(line); w > width {
					t.Errorf("%s: %d columns are too many for %d: %q", file, w, width, line)
				}
			}
		}
	}
}

// hostile texts make Markdown parsers slow, or deep.
func hostile(size int) map[string]string {
	whole := map[string]string{"code without end": "```\n" + strings.Repeat("x\n", size/2), "no line end": strings.Repeat("x ", size/2)}
	for _, unit := range []string{"[", "![", "*a", "**a ", "_a*", "`", "<", "&", ">", "> ", "- ", "1. ", "[a](", "](", "a|", "\\", "~~", "|-", "<a ", "<!--", "![[]()", "#", "\t", "- a\n", "> a\n>> b\n", "a\n\n", "| a |\n|-|\n", "*_**__", "``a`", "<?", "\u0301", "[^", "[x]: y\n", "東", "\xff"} {
		whole[unit] = strings.Repeat(unit, size/len(unit))
	}
	nested := ""
	for i := 0; len(nested) < size; i++ {
		nested += strings.Repeat(" ", 2*i) + "- a\n"
	}
	whole["nested items"] = nested
	return whole
}

func TestHostileTextsAreRendered(t *testing.T) {
	for name, text := range hostile(20_000) {
		s := NewStream(&Options{Width: 80, Styles: Colors})
		lines := 0
		for i := 0; i < len(text); i += 10_000 {
			lines += len(s.Write(text[i:min(i+10_000, len(text))]))
			if kept := len(s.rest) + len(s.lines.block.text); kept > maxBlock+2*maxLine {
				t.Errorf("%s: %d bytes are kept", name, kept)
			}
			s.Pending()
		}
		if lines += len(s.Close()); lines == 0 && !strings.ContainsAny(name, "\t>`~") { // white space, and marks around nothing
			t.Errorf("%s: nothing is rendered", name)
		}
	}
}

func BenchmarkStream(b *testing.B) {
	text := strings.Repeat(golden.Read(b, "testdata/blocks.md"), 10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := NewStream(&Options{Width: 80, Styles: Colors})
		for i := 0; i < len(text); i += 8 {
			s.Write(text[i:min(i+8, len(text))])
			s.Pending()
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, text := range hostile(20_000) {
		b.Run(fmt.Sprintf("%.8q", name), func(b *testing.B) {
			for b.Loop() {
				Render(text, &Options{Width: 80, Styles: Colors})
			}
		})
	}
}
