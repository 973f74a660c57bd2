package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/lsp"
)

// patience is how long a test waits for what must come.
const patience = time.Minute

// A Client is the editor's end of a session.
type Client struct {
	t      testing.TB
	out    io.WriteCloser // to the server
	code   chan int       // the exit code, once
	cancel context.CancelFunc

	mu       sync.Mutex
	lastID   int
	waiting  map[string]chan Message
	arrived  []Message     // what answers nothing: notifications, requests of the server, answers to no id
	more     chan struct{} // closed when something has arrived, and made new
	writing  sync.Mutex
	finished bool
	settings string // JSON, what the user has set
}

// A Message is one of the server.
type Message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
}

// An Error is an answer that is one.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error returns the code and the message.
func (e *Error) Error() string { return fmt.Sprintf("%d: %s", e.Code, e.Message) }

// A Diagnostic is what the server says of a place.
type Diagnostic struct {
	Range    Range  `json:"range"`
	Severity int    `json:"severity"`
	Code     string `json:"code"`
	Message  string `json:"message"`
}

// A Range is two positions.
type Range struct{ Start, End Position }

// A Position is a line and a column, from 0.
type Position struct{ Line, Character int }

// A Change is one of the changes of a text; without a range it is all of it.
type Change struct {
	Range *Range `json:"range,omitempty"`
	Text  string `json:"text"`
}

// Start serves a client. The test fails if the server notes a bug of its own.
func Start(t testing.TB, o *lsp.Options) *Client {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	c := &Client{t: t, out: toServer, code: make(chan int, 1), cancel: cancel, waiting: map[string]chan Message{}, more: make(chan struct{})}
	options := lsp.Options{}
	if o != nil {
		options = *o
	}
	if options.Log == nil {
		options.Log = (*logged)(c)
	}
	go func() {
		c.code <- lsp.Serve(ctx, pipes{fromClient, toClient}, &options)
		toClient.Close()
	}()
	go c.read(bufio.NewReader(fromServer))
	t.Cleanup(func() {
		cancel()
		toServer.Close()
	})
	return c
}

// pipes are the server's end.
type pipes struct {
	io.ReadCloser
	io.WriteCloser
}

// Close closes both.
func (p pipes) Close() error {
	p.ReadCloser.Close()
	return p.WriteCloser.Close()
}

// logged is where the server logs.
type logged Client

// Write fails the test when the line reports a bug.
func (l *logged) Write(line []byte) (int, error) {
	if strings.Contains(string(line), "internal error") {
		l.t.Errorf("%s", line)
	}
	return len(line), nil
}

// read takes the messages of the server apart, until there are no more.
func (c *Client) read(r *bufio.Reader) {
	for {
		content, err := readFrame(r)
		c.mu.Lock()
		if err != nil {
			c.finished = true
			for _, waiting := range c.waiting {
				close(waiting)
			}
			c.waiting = nil
			close(c.more)
			c.more = make(chan struct{})
			c.mu.Unlock()
			return
		}
		var m Message
		if err := json.Unmarshal(content, &m); err != nil {
			c.t.Errorf("the server sent %q: %v", content, err)
		}
		if waiting, ok := c.waiting[string(m.ID)]; ok && m.Method == "" {
			waiting <- m
			delete(c.waiting, string(m.ID))
			c.mu.Unlock()
			continue
		}
		c.arrived = append(c.arrived, m)
		close(c.more)
		c.more = make(chan struct{})
		c.mu.Unlock()
		if m.Method != "" && m.ID != nil {
			c.SendText(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, c.answerTo(m.Method)))
		}
	}
}

// answerTo returns what the client answers when it is asked something.
func (c *Client) answerTo(method string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if method == "workspace/configuration" && c.settings != "" {
		return "[" + c.settings + "]"
	}
	return "null"
}

// Set changes what the client answers when it is asked for the settings.
func (c *Client) Set(settings string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settings = settings
}

func readFrame(r *bufio.Reader) ([]byte, error) {
	size := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, err
		}
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\r\n"), ": ")
		switch {
		case name == "" && size > 0:
			content := make([]byte, size)
			_, err := io.ReadFull(r, content)
			return content, err
		case !ok || name != "Content-Length":
			return nil, fmt.Errorf("the header has a line %q", line)
		}
		if size, err = strconv.Atoi(value); err != nil {
			return nil, err
		}
	}
}

// SendBytes sends bytes as they are.
func (c *Client) SendBytes(data []byte) {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.out.Write(data) // a server that has gone is noticed by what does not come
}

// SendText sends a text in a frame.
func (c *Client) SendText(text string) {
	c.SendBytes(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(text), text))
}

func (c *Client) send(message map[string]any) {
	message["jsonrpc"] = "2.0"
	text, err := json.Marshal(message)
	if err != nil {
		c.t.Errorf("%v", err)
	}
	c.SendText(string(text))
}

// Notify sends a notification.
func (c *Client) Notify(method string, params any) {
	c.send(map[string]any{"method": method, "params": params})
}

// A Pending is a request that is under way.
type Pending struct {
	ID     int
	answer chan Message
	c      *Client
}

// Start sends a request and does not wait.
func (c *Client) Start(method string, params any) *Pending {
	c.mu.Lock()
	c.lastID++
	p := &Pending{c.lastID, make(chan Message, 1), c}
	if c.finished {
		close(p.answer)
	} else {
		c.waiting[strconv.Itoa(p.ID)] = p.answer
	}
	c.mu.Unlock()
	c.send(map[string]any{"id": p.ID, "method": method, "params": params})
	return p
}

// Wait waits for the answer and decodes it into result. The error is an *Error,
// or io.EOF when the server has gone.
func (p *Pending) Wait(result any) error {
	p.c.t.Helper()
	select {
	case m, ok := <-p.answer:
		switch {
		case !ok:
			return io.EOF
		case m.Error != nil:
			return m.Error
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-time.After(patience):
		p.c.t.Fatalf("request %d is not answered", p.ID)
		return nil
	}
}

// Call sends a request and waits for its answer.
func (c *Client) Call(method string, params, result any) error {
	c.t.Helper()
	return c.Start(method, params).Wait(result)
}

// Initialize starts the session with roots, which are URIs, and capabilities
// of the client; nil is none.
func (c *Client) Initialize(capabilities any, roots ...string) map[string]any {
	c.t.Helper()
	if capabilities == nil {
		capabilities = struct{}{}
	}
	var folders []map[string]string
	for _, root := range roots {
		folders = append(folders, map[string]string{"uri": root, "name": root})
	}
	var result map[string]any
	if err := c.Call("initialize", map[string]any{"processId": nil, "rootUri": nil, "workspaceFolders": folders, "capabilities": capabilities}, &result); err != nil {
		c.t.Fatal(err)
	}
	c.Notify("initialized", struct{}{})
	return result
}

// Document returns the parameter that names a document.
func Document(uri string) map[string]any { return map[string]any{"uri": uri} }

// At returns the parameters of a request about a place.
func At(uri string, line, character int) map[string]any {
	return map[string]any{"textDocument": Document(uri), "position": map[string]int{"line": line, "character": character}}
}

// Open opens a document as version 1.
func (c *Client) Open(uri, text string) {
	c.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "gram", "version": 1, "text": text}})
}

// Change changes a document.
func (c *Client) Change(uri string, version int, changes ...Change) {
	c.Notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": version}, "contentChanges": changes})
}

// CloseDocument closes a document.
func (c *Client) CloseDocument(uri string) {
	c.Notify("textDocument/didClose", map[string]any{"textDocument": Document(uri)})
}

// Await waits for a message that is no answer to Start and that f takes. What
// came before it is gone; f sees each message once.
func (c *Client) Await(what string, f func(Message) bool) Message {
	c.t.Helper()
	limit := time.After(patience)
	for {
		c.mu.Lock()
		for len(c.arrived) > 0 {
			m := c.arrived[0]
			c.arrived = c.arrived[1:]
			if f(m) {
				c.mu.Unlock()
				return m
			}
		}
		more, finished := c.more, c.finished
		c.mu.Unlock()
		if finished {
			c.t.Fatalf("the server has gone; %s did not come", what)
		}
		select {
		case <-more:
		case <-limit:
			c.t.Fatalf("%s did not come", what)
		}
	}
}

// A Published is what the server pushed about a document.
type Published struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Published waits for what the server pushes of a version of a document; 0 is
// no version.
func (c *Client) Published(uri string, version int) []Diagnostic {
	c.t.Helper()
	var p Published
	c.Await(fmt.Sprintf("diagnostics of %s, version %d", uri, version), func(m Message) bool {
		p = Published{}
		return m.Method == "textDocument/publishDiagnostics" && json.Unmarshal(m.Params, &p) == nil && p.URI == uri &&
			(p.Version == nil && version == 0 || p.Version != nil && *p.Version == version)
	})
	return p.Diagnostics
}

// Diagnostics asks for what is wrong with a document.
func (c *Client) Diagnostics(uri string) []Diagnostic {
	c.t.Helper()
	var report struct{ Items []Diagnostic }
	if err := c.Call("textDocument/diagnostic", map[string]any{"textDocument": Document(uri)}, &report); err != nil {
		c.t.Fatal(err)
	}
	return report.Items
}

// Exit waits for the end of the server and returns its exit code.
func (c *Client) Exit() int {
	c.t.Helper()
	select {
	case code := <-c.code:
		return code
	case <-time.After(patience):
		c.t.Fatal("the server does not end")
		return -1
	}
}

// Hangup closes the connection, and Terminate ends the server as SIGTERM does.
func (c *Client) Hangup() { c.out.Close() }

// Terminate ends the server.
func (c *Client) Terminate() { c.cancel() }

// Shutdown ends the session by the book and returns the exit code.
func (c *Client) Shutdown() int {
	c.t.Helper()
	if err := c.Call("shutdown", nil, nil); err != nil {
		c.t.Error(err)
	}
	c.Notify("exit", nil)
	return c.Exit()
}

// CheckText fails the test unless the server has that text of a document, and
// says of it what it says of a document that is opened with that text.
func (c *Client) CheckText(uri, text string) {
	c.t.Helper()
	var got *string
	if err := c.Call("gram/text", map[string]any{"textDocument": Document(uri)}, &got); err != nil || got == nil || *got != text {
		if got == nil {
			c.t.Fatalf("the server has no text of %s, %v", uri, err)
		}
		c.t.Fatalf("the server has\n%q\nand not\n%q", *got, text)
	}
	const fresh = "untitled:fresh"
	c.Open(fresh, text)
	for _, method := range []string{"textDocument/diagnostic", "textDocument/documentSymbol", "textDocument/formatting", "textDocument/semanticTokens/full"} {
		if edited, opened := c.answer(method, uri), c.answer(method, fresh); edited != opened {
			c.t.Errorf("%s: after edits\n%s\nbut freshly opened\n%s\nof\n%q", method, edited, opened, text)
		}
	}
	c.CloseDocument(fresh)
}

// answer returns what the server says of a document, without what is only its
// own.
func (c *Client) answer(method, uri string) string {
	c.t.Helper()
	params := Params(uri, Position{})
	delete(params, "previousResultId") // all of it, not what has changed
	var result any
	if err := c.Call(method, params, &result); err != nil {
		return err.Error()
	}
	if report, ok := result.(map[string]any); ok {
		delete(report, "resultId")
	}
	text, err := json.Marshal(result)
	if err != nil {
		c.t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), uri, "uri")
}
