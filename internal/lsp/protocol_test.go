package lsp_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// code returns the code of an error of the server, 0 for any other.
func code(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}

const memo = "untitled:memo"

// started returns a client of a session without folders.
func started(t testing.TB) *Client {
	t.Helper()
	c := Start(t, nil)
	c.Initialize(nil)
	return c
}

func TestLifeCycle(t *testing.T) {
	c := Start(t, nil)
	if err := c.Call("textDocument/hover", At(memo, 0, 0), nil); code(err) != -32002 {
		t.Errorf("before initialize: %v", err)
	}
	c.Notify("textDocument/didOpen", "nobody reads this")
	c.Initialize(nil)
	if err := c.Call("initialize", map[string]any{"capabilities": struct{}{}}, nil); code(err) != -32600 {
		t.Errorf("initialize twice: %v", err)
	}
	if err := c.Call("gram/nothing", nil, nil); code(err) != -32601 {
		t.Errorf("unknown method: %v", err)
	}
	c.Notify("gram/nothing", nil)
	if err := c.Call("shutdown", nil, nil); err != nil {
		t.Error(err)
	}
	if err := c.Call("textDocument/hover", At(memo, 0, 0), nil); code(err) != -32600 {
		t.Errorf("after shutdown: %v", err)
	}
	c.Notify("exit", nil)
	if got := c.Exit(); got != 0 {
		t.Errorf("exit code %d", got)
	}
}

func TestExitCodes(t *testing.T) {
	for name, end := range map[string]func(*Client){
		"exit without shutdown": func(c *Client) { c.Notify("exit", nil) },
		"the client hangs up":   (*Client).Hangup,
		"SIGTERM":               (*Client).Terminate,
		"half a frame":          func(c *Client) { c.SendBytes([]byte("Content-Length: 100\r\n\r\n{")); c.Hangup() },
		"an endless header":     func(c *Client) { c.SendBytes([]byte(strings.Repeat("x", 9000))) },
	} {
		c := started(t)
		end(c)
		if got := c.Exit(); got != 1 {
			t.Errorf("%s: exit code %d", name, got)
		}
	}
	c := Start(t, nil)
	c.Notify("exit", nil)
	if got := c.Exit(); got != 1 {
		t.Errorf("exit before initialize: exit code %d", got)
	}
}

func TestTheServerEndsWithItsClient(t *testing.T) {
	t.Parallel() // the server looks for its client every three seconds
	c := Start(t, nil)
	child, err := os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{})
	if err != nil {
		t.Skip(err)
	}
	if _, err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := c.Call("initialize", map[string]any{"processId": child.Pid, "capabilities": struct{}{}}, nil); err != nil {
		t.Fatal(err)
	}
	if got := c.Exit(); got != 1 {
		t.Errorf("exit code %d", got)
	}
}

// TestMalformedMessages sends what is no message between messages.
func TestMalformedMessages(t *testing.T) {
	c := started(t)
	alive := func() {
		t.Helper()
		if err := c.Call("textDocument/hover", At(memo, 0, 0), nil); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	}
	for _, tt := range []struct {
		content string
		code    int
	}{
		{`{"jsonrpc":"2.0",`, -32700},
		{"\xff\xfe", -32700},
		{strings.Repeat("[", 100_000), -32700},
		{`[]`, -32600},
		{`[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]`, -32600},
		{`1`, -32600},
		{`null`, -32600},
		{`{}`, -32600},
		{`{"jsonrpc":"2.0","id":-1,"method":"shutdown"}`, -32600},
		{`{"jsonrpc":"2.0","id":1.5,"method":"shutdown"}`, -32600},
		{`{"jsonrpc":"2.0","id":{},"method":"shutdown"}`, -32600},
		{`{"jsonrpc":"2.0","id":1,"method":7}`, -32600},
	} {
		c.SendText(tt.content)
		m := c.Await(tt.content[:min(len(tt.content), 50)], func(m Message) bool { return m.Error != nil })
		if m.Error.Code != tt.code {
			t.Errorf("%.50q: %v, want %d", tt.content, m.Error, tt.code)
		}
		alive()
	}
	hover := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"textDocument/hover","params":{"textDocument":{"uri":"untitled:x"},"position":{"line":0,"character":0}}}`
	}
	for i, frame := range []string{
		"content-length: %d\r\n\r\n%s",
		"CONTENT-LENGTH:%d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n%s",
		"Content-Length: %d\n\n%s",
		"\r\n\r\nstray\r\n\r\nContent-Length: %d\r\n\r\n%s",
		"Content-Length: many\r\nContent-Length: %d\r\n\r\n%s",
	} {
		id := fmt.Sprintf(`"frame %d"`, i)
		c.SendBytes(fmt.Appendf(nil, frame, len(hover(id))+6000, hover(id)+strings.Repeat(" ", 6000)))
		c.Await(frame, func(m Message) bool { return string(m.ID) == id && m.Error == nil })
	}
	// Parameters that cannot be read.
	for _, params := range []any{nil, []int{1}, "x", map[string]any{"position": 1}, At(memo, -1, 0)} {
		if err := c.Call("textDocument/hover", params, nil); err != nil && code(err) != -32602 {
			t.Errorf("%v: %v", params, err)
		}
	}
	c.Notify("textDocument/didChange", "x")
	c.Change("file:///nowhere.gram", 2, Change{Text: "x"})
	c.CloseDocument("file:///nowhere.gram")
	c.SendText(`{"jsonrpc":"2.0","id":99,"result":null}`)
	alive()
	if got := c.Shutdown(); got != 0 {
		t.Errorf("exit code %d", got)
	}
}

func TestLiesAboutTheLengthCostNothing(t *testing.T) {
	c := started(t)
	c.SendBytes([]byte("Content-Length: 99999999999\r\n\r\n{}"))
	c.Hangup()
	if got := c.Exit(); got != 1 {
		t.Errorf("exit code %d", got)
	}
}

// large returns a text of several megabytes with something to say of it.
func large() string {
	return strings.Repeat("[a:Tool {description: \"d\"} | (x::Txt)==>(::Text)]\n", 60_000)
}

func TestCancelledRequestsAreAnsweredOnceAndAtOnce(t *testing.T) {
	c := started(t)
	c.Open(memo, large())
	for range 5 {
		p := c.Start("textDocument/diagnostic", map[string]any{"textDocument": Document(memo)})
		c.Notify("$/cancelRequest", map[string]any{"id": p.ID})
		if err := p.Wait(nil); err != nil && code(err) != -32800 {
			t.Errorf("%v", err)
		}
	}
	c.Notify("$/cancelRequest", map[string]any{"id": 4711})
	c.Notify("$/cancelRequest", map[string]any{"id": "none"})
	c.Notify("$/cancelRequest", nil)
	if err := c.Call("textDocument/hover", At(memo, 0, 0), nil); err != nil {
		t.Error(err)
	}
	if got := c.Shutdown(); got != 0 {
		t.Errorf("exit code %d", got)
	}
}

func TestDiagnosticsNeverGoBack(t *testing.T) {
	c := started(t)
	c.Open(memo, "[a:Agent {instruction: \"\"}]\n")
	const last = 201
	for version := 2; version <= last; version++ {
		c.Change(memo, version, Change{Range: &Range{}, Text: "// 😀\n"})
	}
	before := 0
	c.Await("the last version", func(m Message) bool {
		var p Published
		if m.Method != "textDocument/publishDiagnostics" || json.Unmarshal(m.Params, &p) != nil || p.URI != memo {
			return false
		}
		if *p.Version <= before {
			t.Errorf("version %d comes after %d", *p.Version, before)
		}
		before = *p.Version
		if before == last && (len(p.Diagnostics) == 0 || p.Diagnostics[0].Range.Start.Line != last-1) {
			t.Errorf("the diagnostics are %v", p.Diagnostics)
		}
		return before == last
	})
	c.CloseDocument(memo)
	if list := c.Published(memo, 0); len(list) != 0 {
		t.Errorf("closed, the document still has %v", list)
	}
}

// folder writes files into a new folder and returns its path.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, filepath.Join(root, name), text)
	}
	return root
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

const (
	user   = "{import: [\"./types.gram\"]}\n[t:Tool {description: \"d\"} | (city::City)==>(::Text)]"
	types  = "[City:Type | (name::Text)]"
	sorted = "[Town:Type | (name::Text)]"
)

// codes returns the codes of diagnostics.
func codes(list []Diagnostic) []string {
	all := []string{}
	for _, d := range list {
		all = append(all, d.Code)
	}
	return all
}

func TestAChangeOfASharedFileRefreshesItsUsers(t *testing.T) {
	root := folder(t, map[string]string{"user.gram": user, "types.gram": types})
	uri, shared := "file://"+root+"/user.gram", "file://"+root+"/types.gram"
	c := Start(t, nil)
	c.Initialize(nil, "file://"+root)
	c.Open(uri, user)
	expect := func(what string, want ...string) {
		t.Helper()
		if got := codes(c.Published(uri, 1)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	expect("at first")
	c.Open(shared, sorted)
	expect("the type has another name in the editor", "unknown-type")
	c.Change(shared, 2, Change{Text: types})
	expect("and its own again")
	c.Change(shared, 3, Change{Text: sorted})
	expect("the other once more", "unknown-type")
	c.CloseDocument(shared)
	expect("closed, the text on disk counts")
	write(t, filepath.Join(root, "types.gram"), sorted+" ")
	c.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": shared, "type": 2}}})
	expect("changed on disk", "unknown-type")
	if err := os.Remove(filepath.Join(root, "types.gram")); err != nil {
		t.Fatal(err)
	}
	c.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": shared, "type": 3}}})
	expect("removed", "import-not-found", "unknown-type")
}

func TestNothingOutsideOfTheFoldersIsRead(t *testing.T) {
	root := folder(t, map[string]string{
		"in/user.gram": strings.ReplaceAll(user, "./types.gram", "../types.gram"), "types.gram": types, "in/.git/HEAD": "",
		"in/linked.gram": user,
	})
	if err := os.Symlink("../types.gram", filepath.Join(root, "in", "types.gram")); err != nil {
		t.Skip(err)
	}
	c := Start(t, nil)
	c.Initialize(nil, "file://"+root+"/in")
	for _, name := range []string{"user.gram", "linked.gram"} {
		uri := "file://" + root + "/in/" + name
		list := c.Diagnostics(uri)
		if got := codes(list); len(got) != 2 || got[0] == "unknown-type" || list[1].Severity != 2 {
			t.Errorf("%s: %v", name, list)
		}
	}
	if list := c.Diagnostics("file://" + root + "/types.gram"); len(list) > 0 {
		t.Errorf("a file outside: %v", list)
	}
	if list := c.Diagnostics("file:///etc/passwd"); len(list) > 0 {
		t.Errorf("a file outside: %v", list)
	}
	write(t, filepath.Join(root, "broken.gram"), "[")
	didChangeFolders(c, []string{"file://" + root + "/broken.gram"}, nil)
	if list := c.Diagnostics("file://" + root + "/broken.gram"); len(list) > 0 {
		t.Errorf("a root that is a file: %v", list)
	}
}

func TestAnActionIsOfTheDocumentAsItWas(t *testing.T) {
	c := Start(t, nil)
	c.Initialize(json.RawMessage(`{"textDocument": {"codeAction": {"dataSupport": true, "resolveSupport": {"properties": ["edit"]}}}}`))
	const text = `[t:Tool {descripton: "d"} | (::Text)]`
	c.Open(memo, text)
	params := Params(memo, Position{})
	var offered []map[string]any
	if err := c.Call("textDocument/codeAction", params, &offered); err != nil || len(offered) == 0 {
		t.Fatalf("%v, %v", offered, err)
	}
	if err := c.Call("codeAction/resolve", offered[0], nil); err != nil {
		t.Error(err)
	}
	c.Change(memo, 2, Change{Text: text + "\n"})
	if err := c.Call("codeAction/resolve", offered[0], nil); code(err) != -32801 {
		t.Errorf("after a change: %v", err)
	}
}

// A file that is open by a link counts as open for those that import it by its
// own path.
func TestAFileThatIsOpenByALinkIsOpen(t *testing.T) {
	root := folder(t, map[string]string{"user.gram": user, "types.gram": types})
	if err := os.Symlink("types.gram", filepath.Join(root, "link.gram")); err != nil {
		t.Skip(err)
	}
	c := Start(t, nil)
	c.Initialize(nil, "file://"+root)
	c.Open("file://"+root+"/link.gram", sorted)
	if got := codes(c.Diagnostics("file://" + root + "/user.gram")); !slices.Equal(got, []string{"unknown-type"}) {
		t.Errorf("%v", got)
	}
}

func TestURIsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	root := folder(t, map[string]string{"a b.gram": ""})
	for _, uri := range []string{
		memo, "untitled:Untitled-1", "file://" + root + "/a%20b.gram", "file://" + root + "/%61%20b.gram", "FILE://" + root + "/a%20b.gram",
		"file:///c%3A/x.gram", "vscode-notebook-cell:/x#1", "file://" + root + "/gone/ü😀.gram", "", "::",
	} {
		c := Start(t, nil)
		c.Initialize(nil, "file://"+root)
		c.Open(uri, "[")
		if list := c.Published(uri, 1); len(list) == 0 {
			t.Errorf("%s: nothing is wrong", uri)
		}
		c.Change(uri, 2, Change{Text: ""})
		c.Published(uri, 2)
		if err := c.Call("textDocument/hover", At(uri, 5, 5), nil); err != nil {
			t.Errorf("%s: %v", uri, err)
		}
		c.CloseDocument(uri)
		c.Published(uri, 0)
		c.Shutdown()
	}
}

func TestFoldersComeAndGo(t *testing.T) {
	root := folder(t, map[string]string{"a/x.gram": "[", "b/y.gram": "["})
	c := Start(t, nil)
	c.Initialize(nil, "file://"+root+"/a")
	broken := func() []string {
		var report struct {
			Items []struct {
				URI   string
				Items []Diagnostic
			}
		}
		if err := c.Call("workspace/diagnostic", map[string]any{"previousResultIds": []any{}}, &report); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range report.Items {
			if len(r.Items) > 0 {
				names = append(names, strings.TrimPrefix(r.URI, "file://"+root+"/"))
			}
		}
		return names
	}
	if got := broken(); !slices.Equal(got, []string{"a/x.gram"}) {
		t.Errorf("at first %v", got)
	}
	didChangeFolders(c, []string{"file://" + root + "/b"}, nil)
	if got := broken(); !slices.Equal(got, []string{"a/x.gram", "b/y.gram"}) {
		t.Errorf("with b %v", got)
	}
	didChangeFolders(c, nil, []string{"file://" + root + "/a"})
	if got := broken(); !slices.Equal(got, []string{"b/y.gram"}) {
		t.Errorf("without a %v", got)
	}
	write(t, filepath.Join(root, "b", "z.gram"), "[")
	c.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": "file://" + root + "/b/z.gram", "type": 1}}})
	if got := broken(); !slices.Equal(got, []string{"b/y.gram", "b/z.gram"}) {
		t.Errorf("with a new file %v", got)
	}
}

func TestAClientThatPullsIsNotPushedTo(t *testing.T) {
	root := folder(t, map[string]string{"user.gram": user, "types.gram": types})
	uri, shared := "file://"+root+"/user.gram", "file://"+root+"/types.gram"
	c := Start(t, nil)
	c.Initialize(json.RawMessage(`{"textDocument":{"diagnostic":{}},"workspace":{"diagnostics":{"refreshSupport":true}}}`), "file://"+root)
	c.Open(uri, user)
	var report struct{ Kind, ResultID string }
	params := map[string]any{"textDocument": Document(uri)}
	if err := c.Call("textDocument/diagnostic", params, &report); err != nil || report.Kind != "full" {
		t.Errorf("%+v, %v", report, err)
	}
	params["previousResultId"] = report.ResultID
	if err := c.Call("textDocument/diagnostic", params, &report); err != nil || report.Kind != "unchanged" {
		t.Errorf("%+v, %v", report, err)
	}
	c.Open(shared, sorted)
	c.Await("a refresh", func(m Message) bool {
		if m.Method == "textDocument/publishDiagnostics" {
			t.Errorf("%s", m.Params)
		}
		return m.Method == "workspace/diagnostic/refresh"
	})
	if err := c.Call("textDocument/diagnostic", params, &report); err != nil || report.Kind != "full" {
		t.Errorf("%+v, %v", report, err)
	}
}

// What is not part of the protocol is declared, documented and answered.
func TestOwnRequests(t *testing.T) {
	c := Start(t, nil)
	own, _ := c.Initialize(nil)["capabilities"].(map[string]any)["experimental"].(map[string]any)
	if got := slices.Sorted(maps.Keys(own)); !slices.Equal(got, []string{"gram/embedded", "gram/text"}) {
		t.Errorf("declared are %v", got)
	}
	page, err := os.ReadFile("../../editors/README.md")
	if err != nil {
		t.Fatal(err)
	}
	c.Open(memo, "[a:Agent {instruction: md`# T`}]")
	for method, declared := range own {
		var result any
		err := c.Call(method, map[string]any{"textDocument": Document(memo)}, &result)
		if declared != true || err != nil || result == nil || !strings.Contains(string(page), "`"+method+"`") {
			t.Errorf("%s: %v, %v, %v, or it is not documented", method, declared, result, err)
		}
	}
}

func TestNothingIsSentAfterTheEnd(t *testing.T) {
	c := started(t)
	c.Shutdown()
	if err := c.Call("textDocument/hover", nil, nil); !errors.Is(err, io.EOF) {
		t.Errorf("%v", err)
	}
}
