package compile_test

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// pieces finds the tokens of a valid file.
var pieces = regexp.MustCompile("(?s)```.*?```|\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`(?:[^`\\\\]|\\\\.)*`|//[^\n]*|" +
	"<?[-=~]>|<?[-=~]|-?[0-9][0-9A-Za-z]*(?:\\.[0-9]+[A-Za-z]*)?|[A-Za-z_][0-9A-Za-z_.@-]*|::|@@|\\.\\.\\.|\\.\\.|\\S")

// tokensOf returns where the tokens of a text start and end, without comments.
func tokensOf(text string) (list [][]int) {
	for _, at := range pieces.FindAllStringIndex(text, -1) {
		if !strings.HasPrefix(text[at[0]:], "//") {
			list = append(list, at)
		}
	}
	return list
}

// errorsOf returns the errors of a text: those of its syntax, and only without
// such those of its agents.
func errorsOf(text string) diag.List {
	file, problems := grammar.Parse("input", text)
	if !problems.HasErrors() {
		problems = compile.Check(file, nil)
	}
	return slices.DeleteFunc(problems, func(d *diag.Diagnostic) bool { return d.Severity != diag.Error })
}

// agentFile returns an agent file of 20 to 60 lines.
func agentFile(r *rand.Rand) string {
	var b strings.Builder
	fmt.Fprintf(&b, "{kind: \"agents\"}\n// The desk.\n[desk:Agent {\n  description: 'Helps at the desk',\n  instruction: ```md\n  Use `tool0` first.\n  ```,\n  model: \"OpenAI/gpt-5.4-mini\"\n} |\n")
	tools := 2 + r.Intn(9)
	for i := range tools {
		fmt.Fprintf(&b, "  [tool%d:Tool {\n    description: \"Does thing %d\"\n  } |\n", i, i)
		b.WriteString([]string{
			"    (city::Text)==>(days::Int {default: 3})==>(::String)],\n",
			"    (user::Object {fields: [{name: \"id\", type: \"Int\"}, {name: \"tags\", type: \"Array\", elementType: \"Text\"}]})\n      ==>(::Object)],\n",
			"    (tags::Array {elementType: \"Text\", default: [\"a\", \"b\"]})==>(ok::Bool {default: true})==>(::Double)],\n",
			"    ()==>(::String)],\n",
		}[r.Intn(4)])
	}
	b.WriteString("  shared\n]\n\n[shared:Tool {description: \"Does it for all\"} |\n  (count::Int)==>(::Int)]\n\n@note(\"a graph\")\n(a:Place {size: 5kg})-[:To {miles: 1..2}]->(b:Place)\n[team | a, b, (c)]\n")
	return b.String()
}

// validFiles returns files without errors: the golden ones, the examples, and
// as many generated ones as make 60.
func validFiles(t *testing.T, r *rand.Rand) (files []string) {
	paths, _ := filepath.Glob(filepath.Join(golden.Shared(t, "corpus", "examples"), "*.gram"))
	for _, path := range append(golden.Inputs(t), paths...) {
		if text := golden.Read(t, path); len(errorsOf(text)) == 0 {
			files = append(files, text)
		}
	}
	for len(files) < 60 {
		files = append(files, agentFile(r))
	}
	return files
}

// TestOneMistakeGivesOneMessage deletes one token of a valid file, 200 times.
func TestOneMistakeGivesOneMessage(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	files := validFiles(t, r)
	var counts []int
	near, valid, most := 0, 0, ""
	for len(counts) < 200 {
		text := files[r.Intn(len(files))]
		tokens := tokensOf(text)
		i := r.Intn(len(tokens))
		at, end := tokens[i][0], tokens[i][1]
		broken := text[:at] + text[end:]
		problems := errorsOf(broken)
		if len(problems) == 0 {
			valid++
			continue
		}
		distance := distanceOf(tokensOf(broken), at, problems[0].Span.Start)
		if distance <= 3 {
			near++
		}
		if counts = append(counts, len(problems)); len(problems) > 1 || distance > 3 {
			line := text[strings.LastIndexByte(text[:at], '\n')+1 : end]
			most += fmt.Sprintf("%d errors, %d tokens away, without the last of %q:\n%v\n", len(problems), distance, line, problems.Err())
		}
	}
	slices.Sort(counts)
	sum := 0
	for _, n := range counts {
		sum += n
	}
	median, share := counts[len(counts)/2], float64(near)/float64(len(counts))
	t.Logf("%d deletions: median %d, mean %.2f, p90 %d, most %d errors; %.0f %% within 3 tokens; %d more left a valid file",
		len(counts), median, float64(sum)/float64(len(counts)), counts[len(counts)*9/10], counts[len(counts)-1], 100*share, valid)
	if median != 1 || share < 0.95 || testing.Verbose() {
		t.Log(most)
	}
	if median != 1 || share < 0.95 {
		t.Error("one mistake gives too many messages, or they are too far away")
	}
}

// distanceOf returns how many tokens lie between two offsets.
func distanceOf(tokens [][]int, a, b int) int {
	if a > b {
		a, b = b, a
	}
	n := 0
	for _, at := range tokens {
		if at[1] > a && at[1] <= b {
			n++
		}
	}
	return n
}
