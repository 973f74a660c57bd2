package lsp_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gram-lang/gramc/internal/golden"
)

// TestMarkers runs the archives of testdata. Each holds a workspace. Comments
// in its gram files are calls of the functions in markers_test.go:
//
//	[clerk:Agent {instruction: "i"} | weather]
//	//@hover("weather", "Looks up the weather") //@diag("clerk", "no model")
//
// A place is a text on the line of the comment, or else on the nearest line
// above it that has it: "weather", or with what stands around it "| ‹weather›".
// "wea‸ther" puts the cursor inside, which is otherwise at the start. A bare word
// is a place that //@loc(word, "text") names, in whatever file. The files with
// markers are open. What the server finds wrong in any file must be claimed by
// //@diag.
//
// Files whose name starts with @ hold what is expected, "@name/file.gram"; -update
// rewrites them. The file client.json holds the capabilities of the client.
func TestMarkers(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, file := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			runMarkers(t, file)
		})
	}
}

// A workspace is one archive under test.
type workspace struct {
	t         *testing.T
	c         *Client
	root      string
	archive   *txtar.Archive
	files     []*file // those with markers, which are open
	closed    []*file // the other gram files
	named     map[string]place
	claimed   map[*file][]claim
	rewritten bool

	capabilities map[string]any // of the server
}

// A file is a gram file of the archive, which is open.
type file struct {
	name, uri, text string
	marks           []*mark
}

// A place is bytes of a file.
type place struct {
	*file
	start, end, cursor int
}

// A claim is a diagnostic that is expected on a line.
type claim struct {
	line    int
	place   *place
	pattern *regexp.Regexp
	where   string
}

// A mark is one call in a comment.
type mark struct {
	*workspace
	file *file
	name string
	args []ast.Expr
	line int // of the comment, from 0
	from int // offset of the comment
}

func runMarkers(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &workspace{t: t, c: Start(t, nil), root: root, archive: archive, named: map[string]place{}, claimed: map[*file][]claim{}}
	capabilities := json.RawMessage(`{"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": true}}}`)
	for _, f := range archive.Files {
		if f.Name == "client.json" {
			capabilities = f.Data
		}
		if !strings.HasPrefix(f.Name, "@") && f.Name != "client.json" {
			w.write(f.Name, f.Data)
		}
	}
	w.capabilities, _ = w.c.Initialize(capabilities, "file://"+root)["capabilities"].(map[string]any)
	for _, f := range w.files {
		w.c.Open(f.uri, f.text)
	}
	for _, f := range w.files {
		w.c.Diagnostics(f.uri) // what hover shows of them
	}
	for _, m := range w.marks("loc") {
		w.named[m.word(0)] = m.place(1)
	}
	for _, f := range w.files {
		for _, m := range f.marks {
			if run := markers()[m.name]; run != nil {
				run(m)
			} else {
				m.errorf("there is no such marker")
			}
		}
	}
	w.checkClaims()
	if code := w.c.Shutdown(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if w.rewritten {
		if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
		t.Error("rewritten")
	}
}

// write puts a file of the archive into the workspace.
func (w *workspace) write(name string, data []byte) {
	path := filepath.Join(w.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		w.t.Fatal(err)
	}
	f := &file{name: name, uri: "file://" + path, text: string(data)}
	switch {
	case !strings.HasSuffix(name, ".gram"):
	case strings.Contains(f.text, "//@"):
		w.parse(f)
		w.files = append(w.files, f)
	default:
		w.closed = append(w.closed, f)
	}
}

// parse finds the markers of a file.
func (w *workspace) parse(f *file) {
	offset := 0
	for i, line := range strings.SplitAfter(f.text, "\n") {
		start := strings.Index(line, "//@")
		for at := start; at >= 0; {
			text := line[at+len("//@"):]
			length := callLength(text)
			call, err := parser.ParseExpr(text[:length])
			c, ok := call.(*ast.CallExpr)
			if err != nil || !ok {
				w.t.Fatalf("%s:%d: %q is no call", f.name, i+1, text)
			}
			f.marks = append(f.marks, &mark{w, f, c.Fun.(*ast.Ident).Name, c.Args, i, offset + start})
			next := strings.Index(text[length:], "//@")
			if at += len("//@") + length + next; next < 0 {
				break
			}
		}
		offset += len(line)
	}
}

// callLength returns the length of the call that a text starts with.
func callLength(text string) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '`':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// marks returns the markers of a name, of all files.
func (w *workspace) marks(name string) []*mark {
	var list []*mark
	for _, f := range w.files {
		for _, m := range f.marks {
			if m.name == name {
				list = append(list, m)
			}
		}
	}
	return list
}

// errorf fails the test at the marker.
func (m *mark) errorf(format string, args ...any) {
	m.t.Helper()
	m.t.Errorf("%s:%d: @%s: %s", m.file.name, m.line+1, m.name, fmt.Sprintf(format, args...))
}

func (m *mark) fatalf(format string, args ...any) {
	m.t.Helper()
	m.t.Fatalf("%s:%d: @%s: %s", m.file.name, m.line+1, m.name, fmt.Sprintf(format, args...))
}

// text returns an argument that is a text.
func (m *mark) text(i int) string {
	m.t.Helper()
	if i < len(m.args) {
		if lit, ok := m.args[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, _ := strconv.Unquote(lit.Value)
			return text
		}
	}
	m.fatalf("argument %d is no text", i+1)
	return ""
}

// texts returns the arguments from i on, which are texts.
func (m *mark) texts(i int) []string {
	var list []string
	for ; i < len(m.args); i++ {
		list = append(list, m.text(i))
	}
	return list
}

// word returns an argument that is a bare word.
func (m *mark) word(i int) string {
	m.t.Helper()
	if i < len(m.args) {
		if name, ok := m.args[i].(*ast.Ident); ok {
			return name.Name
		}
	}
	m.fatalf("argument %d is no word", i+1)
	return ""
}

// number returns an argument that is a whole number.
func (m *mark) number(i int) int {
	m.t.Helper()
	if i < len(m.args) {
		if lit, ok := m.args[i].(*ast.BasicLit); ok && lit.Kind == token.INT {
			n, _ := strconv.Atoi(lit.Value)
			return n
		}
	}
	m.fatalf("argument %d is no number", i+1)
	return 0
}

// pattern returns an argument that is a regular expression.
func (m *mark) pattern(i int) *regexp.Regexp {
	m.t.Helper()
	pattern, err := regexp.Compile(m.text(i))
	if err != nil {
		m.fatalf("argument %d: %v", i+1, err)
	}
	return pattern
}

// place returns an argument that is a place.
func (m *mark) place(i int) place {
	m.t.Helper()
	if i < len(m.args) {
		if _, ok := m.args[i].(*ast.Ident); ok {
			p, known := m.named[m.word(i)]
			if !known {
				m.fatalf("there is no place %s", m.word(i))
			}
			return p
		}
	}
	// What is looked for, and where in it the place and the cursor are.
	text, marks := m.text(i), map[string]int{"‹": 0, "›": -1, "‸": -1}
	for _, sign := range []string{"‹", "›", "‸"} {
		if at := strings.Index(text, sign); at >= 0 {
			marks[sign] = len(strings.NewReplacer("‹", "", "›", "", "‸", "").Replace(text[:at]))
		}
	}
	text = strings.NewReplacer("‹", "", "›", "", "‸", "").Replace(text)
	at := m.find(text)
	if at < 0 {
		m.fatalf("%q does not stand before the marker", text)
	}
	p := place{m.file, at + marks["‹"], at + len(text), at + marks["‹"]}
	if marks["›"] >= 0 {
		p.end = at + marks["›"]
	}
	if marks["‸"] >= 0 {
		p.cursor = at + marks["‸"]
	}
	return p
}

// find returns where a text stands first on the line of the marker, or on the
// nearest line above that has it; -1 when there is none. Markers do not count.
func (m *mark) find(text string) int {
	plain := regexp.MustCompile("//@.*").ReplaceAllStringFunc(m.file.text[:m.from], func(s string) string { return strings.Repeat(" ", len(s)) })
	for end := len(plain); end >= 0; {
		line := strings.LastIndexByte(plain[:end], '\n') + 1
		if at := strings.Index(plain[line:], text); at >= 0 && (line+at < end || text == "") {
			return line + at
		}
		end = line - 1
	}
	return -1
}

// places returns the arguments from i on, which are places.
func (m *mark) places(i int) []place {
	var list []place
	for ; i < len(m.args); i++ {
		list = append(list, m.place(i))
	}
	return list
}

// position returns the position of an offset. The archives are not to need more
// than this: what columns are is tested elsewhere.
func (f *file) position(offset int) Position {
	line := strings.Count(f.text[:offset], "\n")
	start := strings.LastIndexByte(f.text[:offset], '\n') + 1
	column := 0
	for _, r := range f.text[start:offset] {
		if column++; r > 0xFFFF {
			column++
		}
	}
	return Position{Line: line, Character: column}
}

// params returns the parameters of a request about a place, at its cursor.
func (p place) params() map[string]any {
	at := p.position(p.cursor)
	return At(p.uri, at.Line, at.Character)
}

// rng returns the range of a place.
func (p place) rng() Range {
	return Range{Start: p.position(p.start), End: p.position(p.end)}
}

// String returns where the place is, for messages.
func (p place) String() string {
	at := p.position(p.start)
	return fmt.Sprintf("%s:%d:%d %q", p.name, at.Line+1, at.Character+1, p.text[p.start:p.end])
}

// call asks the server, and fails the test if that is an error.
func (m *mark) call(method string, params, result any) {
	m.t.Helper()
	if err := m.c.Call(method, params, result); err != nil {
		m.fatalf("%s: %v", method, err)
	}
}

// golden compares a text with the file "@name/file" of the archive.
func (m *mark) golden(name, file, got string) {
	m.t.Helper()
	full := "@" + name + "/" + file
	i := slices.IndexFunc(m.archive.Files, func(f txtar.File) bool { return f.Name == full })
	if got != "" && !strings.HasSuffix(got, "\n") {
		got += "\n"
	}
	switch {
	case i >= 0 && string(m.archive.Files[i].Data) == got:
	case golden.Updating() && i >= 0:
		m.archive.Files[i].Data, m.rewritten = []byte(got), true
	case golden.Updating():
		m.archive.Files, m.rewritten = append(m.archive.Files, txtar.File{Name: full, Data: []byte(got)}), true
	default:
		m.errorf("%s differs; -update rewrites it:\n%s", full, got)
	}
}

// checkClaims compares what the server finds wrong with what is claimed.
func (w *workspace) checkClaims() {
	for _, f := range slices.Concat(w.files, w.closed) {
		claims := w.claimed[f]
		for _, d := range w.c.Diagnostics(f.uri) {
			text := d.Code + ": " + d.Message
			i := slices.IndexFunc(claims, func(c claim) bool {
				return c.line == d.Range.Start.Line && c.pattern.MatchString(text) && (c.place == nil || c.place.rng() == d.Range)
			})
			if i < 0 {
				w.t.Errorf("%s:%d:%d: nobody claims %q", f.name, d.Range.Start.Line+1, d.Range.Start.Character+1, text)
				continue
			}
			claims = slices.Delete(claims, i, i+1)
		}
		for _, c := range claims {
			w.t.Errorf("%s: nothing matches %q", c.where, c.pattern)
		}
	}
}

// where returns the place of a marker, for messages.
func (m *mark) where() string { return fmt.Sprintf("%s:%d", m.file.name, m.line+1) }

// target returns the line that a marker is on, or when there is nothing else on
// it the one above.
func (m *mark) target() int {
	lines := strings.Split(m.file.text, "\n")
	line := m.line
	for line > 0 && strings.HasPrefix(strings.TrimSpace(lines[line]), "//@") {
		line--
	}
	return line
}

// An edit is a change of a text by the server.
type edit struct {
	Range   Range
	NewText string
	Snippet struct{ Kind, Value string } // instead of the text
}

// offset returns the offset of a position.
func (f *file) offset(p Position) int {
	start := 0
	for range p.Line {
		start += strings.IndexByte(f.text[start:], '\n') + 1
	}
	for i := range f.text[start:] {
		if f.position(start+i).Character >= p.Character {
			return start + i
		}
	}
	return len(f.text)
}

// edited returns the text of the file after edits, which do not overlap.
func (f *file) edited(edits []edit) string {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return f.offset(a.Range.Start) - f.offset(b.Range.Start) })
	var b strings.Builder
	end := 0
	for _, e := range edits {
		b.WriteString(f.text[end:f.offset(e.Range.Start)] + e.NewText + e.Snippet.Value)
		end = f.offset(e.Range.End)
	}
	return b.String() + f.text[end:]
}
