package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

const otherSecret = "another token 0123456789"

// A caller makes requests to the API of runs.
type caller struct {
	t       *testing.T
	address string
	secret  string
}

// do makes a request and returns its status; it reads the response into a value.
func (c caller) do(method, path string, body, into any) int {
	c.t.Helper()
	text := ""
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			c.t.Fatal(err)
		}
		text = string(data)
	}
	status, answer := get(c.t, method, c.address+path, text, "Authorization", "Bearer "+c.secret)
	if into != nil {
		if err := json.Unmarshal([]byte(answer), into); err != nil {
			c.t.Fatalf("%s %s: %d %s", method, path, status, answer)
		}
	}
	return status
}

// send begins a run, and returns its ID and its session.
func (c caller) send(session, message string) (id, name string) {
	c.t.Helper()
	var run struct{ ID, Session string }
	if status := c.do("POST", "/api/runs", map[string]string{"agent": "echo", "session": session, "message": message}, &run); status != http.StatusCreated {
		c.t.Fatalf("%q: status %d", message, status)
	}
	return run.ID, run.Session
}

// follow returns the events of a run until one is wanted, or the run has ended.
func (c caller) follow(id, after string, until func(event) bool) (list []event) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), "GET", c.address+"/api/runs/"+id+"/events", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.secret)
	r.Header.Set("Last-Event-ID", after)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e event
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			c.t.Fatalf("%s: %v", data, err)
		}
		list = append(list, e)
		if until(e) {
			break
		}
	}
	return list
}

func ended(e event) bool { return e.Kind == kindState && !e.Run.Live }

func waits(e event) bool { return e.Kind == kindState && e.Run.Waiting != nil }

// kept returns events without what is only there while they happen.
func kept(list []event) (text []string) {
	for _, e := range list {
		if e.ID != "" {
			text = append(text, fmt.Sprint(e.ID, e.Kind, e.Text, e.Tool, e.Args, e.Result, e.Failed, e.Denied))
		}
	}
	return text
}

func twoUsers(o *Options) {
	mine, _ := NewToken(Principal{Name: "ada", Approve: true}, secret)
	other, _ := NewToken(Principal{Name: "bea"}, otherSecret)
	o.Access = Access{Tokens: []Token{mine, other}}
}

func TestAConversation(t *testing.T) {
	c := caller{t, start(t, nil), secret}
	first, name := c.send("", "call add")
	list := c.follow(first, "", ended)
	last := list[len(list)-1].Run
	if last == nil || last.Status != journal.Finished || last.Answer != "The result is 3" || last.Message != "call add" || last.Spent != "20 tokens" {
		t.Fatalf("the run ended as %+v", last)
	}
	again := c.follow(first, "", ended)
	if a, b := fmt.Sprint(kept(list)), fmt.Sprint(kept(again)); a != b || len(kept(list)) != 4 {
		t.Errorf("while it happens\n%s\nafterwards\n%s", a, b)
	}
	if rest := c.follow(first, "1/1/call", ended); len(kept(rest)) != 2 {
		t.Errorf("after an event: %v", kept(rest))
	}
	second, same := c.send(name, "count")
	if same != name {
		t.Errorf("the conversation is %q, was %q", same, name)
	}
	list = c.follow(second, "", ended)
	if got := list[len(list)-1].Run.Answer; got != "5" {
		t.Errorf("the model got %s messages, want 5", got)
	}
	var s struct {
		Agent, Title, Spent string
		Runs                []*runState
	}
	if status := c.do("GET", "/api/sessions/"+name, nil, &s); status != 200 || len(s.Runs) != 2 || s.Runs[0].ID != first || s.Runs[1].Answer != "5" || s.Title != "call add" || s.Spent != "30 tokens" {
		t.Errorf("the conversation: %d %+v", status, s)
	}
	status, page := get(t, "GET", c.address+"/api/runs/"+first+"/trace", "", "Authorization", bearer)
	if status != 200 || !strings.Contains(page, "<h2>Turn 1</h2>") || !strings.Contains(page, "echo · OpenAI/gpt-4o-mini ·") || !strings.Contains(page, "The result is 3") || strings.Contains(page, "<script") {
		t.Errorf("the trace: %d %s", status, page)
	}
	if status := c.do("DELETE", "/api/sessions/"+name, nil, nil); status != http.StatusNoContent {
		t.Errorf("delete: %d", status)
	}
	if status := c.do("GET", "/api/runs/"+first, nil, nil); status != 404 {
		t.Errorf("a deleted run: %d", status)
	}
}

func TestACallIsAllowedOrDenied(t *testing.T) {
	for _, allow := range []bool{true, false} {
		address := start(t, twoUsers)
		bea, ada := caller{t, address, otherSecret}, caller{t, address, secret}
		id, name := bea.send("", "call risky")
		list := bea.follow(id, "", waits)
		waiting := list[len(list)-1].Run.Waiting
		if waiting.Tool != "risky" || string(waiting.Args) != "{}" {
			t.Fatalf("what waits: %+v", waiting)
		}
		var others []struct{ Run, User string }
		if status := ada.do("GET", "/api/waiting", nil, &others); status != 200 || len(others) != 1 || others[0].Run != id || others[0].User != "bea" {
			t.Errorf("what ada can decide about: %d %v", status, others)
		}
		decision := map[string]any{"call": waiting.Call, "hash": waiting.Hash, "allow": allow, "reason": "too risky"}
		path := "/api/runs/" + id + "/decision"
		if status := bea.do("POST", path, decision, nil); status != 403 {
			t.Errorf("bea, who may not approve: %d", status)
		}
		if status := bea.do("GET", "/api/waiting", nil, nil); status != 403 {
			t.Errorf("bea sees what others wait for: %d", status)
		}
		if status := bea.do("POST", "/api/runs", map[string]string{"session": name, "message": "next"}, nil); status != 409 {
			t.Errorf("a message while the run waits: %d", status)
		}
		wrong := map[string]any{"call": waiting.Call, "hash": strings.Repeat("0", 64), "allow": true}
		if status := ada.do("POST", path, wrong, nil); status != 409 {
			t.Errorf("a decision about other arguments: %d", status)
		}
		if status := ada.do("POST", path, decision, nil); status != 204 {
			t.Errorf("the decision: %d", status)
		}
		if status := ada.do("POST", path, decision, nil); status != 409 {
			t.Errorf("the decision once more: %d", status)
		}
		list = bea.follow(id, "", ended)
		last := list[len(list)-1].Run
		want := "The result is {}"
		if !allow {
			want = "not allow"
		}
		if last.Status != journal.Finished || !strings.Contains(last.Answer, want) {
			t.Errorf("allowed %v: %+v", allow, last)
		}
		var read runState
		bea.do("GET", "/api/runs/"+id, nil, &read)
		if a, b := fmt.Sprint(kept(list)), fmt.Sprint(kept(read.Events)); a != b || len(kept(list)) != 4 || read.Events[2].Denied == allow {
			t.Errorf("allowed %v: while it happens\n%s\nread again\n%s", allow, a, b)
		}
	}
}

func TestNobodySeesTheRunsOfOthers(t *testing.T) {
	address := start(t, twoUsers)
	ada, bea := caller{t, address, secret}, caller{t, address, otherSecret}
	id, name := ada.send("", "hello")
	ada.follow(id, "", ended)
	for _, test := range []struct{ method, path string }{
		{"GET", "/api/runs/" + id}, {"GET", "/api/runs/" + id + "/events"}, {"GET", "/api/runs/" + id + "/trace"}, {"POST", "/api/runs/" + id + "/cancel"},
		{"GET", "/api/sessions/" + name}, {"DELETE", "/api/sessions/" + name}, {"GET", "/api/runs/none"}, {"GET", "/api/sessions/none"},
	} {
		if status := bea.do(test.method, test.path, nil, nil); status != 404 {
			t.Errorf("%s %s: %d", test.method, test.path, status)
		}
	}
	if status := bea.do("POST", "/api/runs", map[string]string{"session": name, "message": "next"}, nil); status != 404 {
		t.Errorf("a message in the conversation of somebody else: %d", status)
	}
	var list []any
	if bea.do("GET", "/api/sessions", nil, &list); len(list) != 0 {
		t.Errorf("the conversations: %v", list)
	}
	if bea.do("GET", "/api/runs", nil, &list); len(list) != 0 {
		t.Errorf("the runs: %v", list)
	}
	if ada.do("GET", "/api/runs?status=finished", nil, &list); len(list) != 1 {
		t.Errorf("her own runs: %v", list)
	}
}

func TestARunIsCancelled(t *testing.T) {
	model := &talker{wait: make(chan struct{})}
	c := caller{t, start(t, func(o *Options) { o.Catalog = newCatalog(t, model) }), secret}
	for _, message := range []string{"wait", "call risky"} {
		id, _ := c.send("", message)
		if message != "wait" {
			c.follow(id, "", waits)
		}
		if status := c.do("POST", "/api/runs/"+id+"/cancel", nil, nil); status != 204 {
			t.Errorf("%s: cancel: %d", message, status)
		}
		list := c.follow(id, "", ended)
		if last := list[len(list)-1].Run; last.Status != journal.Cancelled {
			t.Errorf("%s: %+v", message, last)
		}
		if status := c.do("POST", "/api/runs/"+id+"/cancel", nil, nil); status != 409 {
			t.Errorf("%s: cancelled twice: %d", message, status)
		}
	}
}

// TestARunIsCancelledThatIsAboutToWait cancels it when it is too late for its last step.
func TestARunIsCancelledThatIsAboutToWait(t *testing.T) {
	catalog := newCatalog(t, &talker{})
	asked, cancelled := make(chan struct{}), make(chan struct{})
	for _, a := range catalog.current.agents {
		a.Approve = func(context.Context, *interp.ApprovalRequest) (bool, error) {
			close(asked)
			<-cancelled
			return false, interp.ErrWaiting
		}
	}
	c := caller{t, start(t, func(o *Options) { o.Catalog = catalog }), secret}
	id, _ := c.send("", "call risky")
	<-asked
	status := c.do("POST", "/api/runs/"+id+"/cancel", nil, nil)
	close(cancelled)
	var state runState
	for range 200 { // a bound, not a measurement
		if c.do("GET", "/api/runs/"+id, nil, &state); state.Status == journal.Cancelled {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if status != 204 || state.Status != journal.Cancelled {
		t.Errorf("%d, %+v", status, state)
	}
}

func TestARestartLosesNothing(t *testing.T) {
	model := &talker{wait: make(chan struct{})}
	j := newJournal(t)
	catalog := newCatalog(t, model)
	token, _ := NewToken(Principal{Name: "ada", Approve: true}, secret)
	begin := func() (caller, func()) {
		s, err := New(Options{Catalog: catalog, Engine: OnJournal(j), Access: Access{Tokens: []Token{token}}, Grace: 50 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx, listener) }()
		return caller{t, "http://" + listener.Addr().String(), secret}, func() {
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	}
	c, stop := begin()
	waiting, _ := c.send("", "call risky")
	question := c.follow(waiting, "", waits)
	running, _ := c.send("", "wait")
	stop()
	if about, err := j.Run(t.Context(), running); err != nil || about.Status != journal.Running {
		t.Fatalf("the run in flight is %+v, %v", about, err)
	}
	close(model.wait)
	c, stop = begin()
	defer stop()
	list := c.follow(running, "", ended)
	if last := list[len(list)-1].Run; last.Status != journal.Finished || last.Answer != "waited" {
		t.Errorf("the run in flight ended as %+v", last)
	}
	w := question[len(question)-1].Run.Waiting
	c.do("POST", "/api/runs/"+waiting+"/decision", map[string]any{"call": w.Call, "hash": w.Hash, "allow": true}, nil)
	list = c.follow(waiting, "", ended)
	if last := list[len(list)-1].Run; last.Answer != "The result is {}" {
		t.Errorf("the run that waited ended as %+v", last)
	}
	if a, b := kept(question), kept(list); len(b) != 4 || a[0] != b[0] {
		t.Errorf("events before %v, after %v", a, b)
	}
}

func TestAChatThatNeedsApproval(t *testing.T) {
	c := openAI(start(t, nil))
	_, err := c.CreateChatCompletion(t.Context(), say("echo", "call risky"))
	if err == nil || !strings.Contains(err.Error(), "approval") {
		t.Errorf("%v", err)
	}
}

func TestBadRequestsToTheAPI(t *testing.T) {
	c := caller{t, start(t, nil), secret}
	for body, want := range map[string]int{
		`{`: 400, `[]`: 400, `{"agent":"echo","message":" "}`: 400, `{"agent":"echo","message":"x"} x`: 400, `{"agent":"none","message":"x"}`: 404,
		`{"agent":"echo","message":"x","user":"bea"}`: 400, `{"agent":"echo","message":"x","session":"none"}`: 404,
	} {
		if status, text := get(t, "POST", c.address+"/api/runs", body, "Authorization", bearer); status != want {
			t.Errorf("%s: %d %s, want %d", body, status, text, want)
		}
	}
	if status := c.do("GET", "/api/none", nil, nil); status != 404 {
		t.Errorf("an unknown URL: %d", status)
	}
}

func TestThePageRunsNothingOfOthers(t *testing.T) {
	address := start(t, nil)
	for _, path := range []string{"/", "/page/app.js", "/page/style.css", "/page/markdown.js"} {
		r, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		policy := r.Header.Get("Content-Security-Policy")
		if r.StatusCode != 200 || !strings.HasPrefix(policy, "default-src 'none'; script-src 'self';") || strings.Contains(policy, "unsafe") || r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d, %q", path, r.StatusCode, policy)
		}
	}
	for _, path := range []string{"/page/", "/page/none"} {
		if status, _ := get(t, "GET", address+path, ""); status != 404 {
			t.Errorf("%s: %d", path, status)
		}
	}
	status, _ := get(t, "POST", address+"/login", "", "Authorization", bearer)
	if status != http.StatusNoContent {
		t.Errorf("login: %d", status)
	}
	if status, _ := get(t, "POST", address+"/login", "", "Authorization", "Bearer x"); status != 401 {
		t.Errorf("login with a wrong token: %d", status)
	}
}

func TestAFollowerThatComesLateMissesNothing(t *testing.T) {
	j := newJournal(t)
	var s *Server
	c := caller{t, startWith(t, func(o *Options) { o.Engine = OnJournal(j) }, &s), secret}
	id, _ := c.send("", "call add")
	c.follow(id, "", ended)
	about, err := j.Run(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	early := &durable.Record{Run: *about} // as it was read before anything had happened
	_, leave := s.hub.watch(early, nil)
	defer leave()
	if list := kept(c.follow(id, "", ended)); len(list) != 4 {
		t.Errorf("the events: %v", list)
	}
}

func TestADeletedConversationIsFollowedNoLonger(t *testing.T) {
	c := caller{t, start(t, nil), secret}
	id, name := c.send("", "call risky")
	asked := make(chan struct{})
	over := make(chan struct{})
	go func() {
		defer close(over)
		first := true
		c.follow(id, "", func(e event) bool {
			if first && waits(e) {
				first = false
				close(asked)
			}
			return false
		})
	}()
	<-asked
	if status := c.do("DELETE", "/api/sessions/"+name, nil, nil); status != http.StatusNoContent {
		t.Errorf("delete: %d", status)
	}
	<-over
}

// TestRunsOfBeforeQueue has more of them than may go on at once, after a crash.
func TestRunsOfBeforeQueue(t *testing.T) {
	j := newJournal(t)
	model := &talker{wait: make(chan struct{})}
	catalog := newCatalog(t, model)
	agent := named(catalog.current.agents, "echo")
	const left = 5
	for i := range left {
		ctx, crash := context.WithCancelCause(t.Context())
		run, err := OnJournal(j).Begin(ctx, agent, &journal.Run{Agent: agent.Name, File: agent.File, User: fmt.Sprint("user", i)}, runtime.UserMessage("wait"), nil)
		if err != nil {
			t.Fatal(err)
		}
		crash(durable.ErrInterrupted)
		for range run.Events(ctx) {
		}
	}
	var s *Server
	c := caller{t, startWith(t, func(o *Options) {
		o.Engine, o.Catalog, o.Limits = OnJournal(j), catalog, Limits{Runs: 4}
	}, &s), secret}
	state := func() (runs, kept int) {
		s.limits.mu.Lock()
		defer s.limits.mu.Unlock()
		return s.limits.runs, s.limits.kept
	}
	for range 1000 { // a bound, not a measurement
		if _, kept := state(); kept > 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if runs, kept := state(); runs != 4 || kept != 1 {
		t.Errorf("%d go on, and room is kept for %d; want 4 and 1", runs, kept)
	}
	if status := c.do("POST", "/api/runs", map[string]string{"agent": "echo", "message": "x"}, nil); status != 503 {
		t.Errorf("a new run: %d", status)
	}
	close(model.wait)
	for range 2000 {
		finished, err := j.Runs(t.Context(), journal.Filter{Status: []journal.Status{journal.Finished}})
		if err != nil {
			t.Fatal(err)
		}
		if len(finished) == left {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("a run that was queued has not gone on")
}

func TestNobodyHidesTheCallsOfOthers(t *testing.T) {
	at := func(user string, second int) *journal.Run {
		return &journal.Run{ID: fmt.Sprint(user, second), User: user, Updated: time.Unix(int64(second), 0)}
	}
	var order []string
	for _, r := range inTurn([]*journal.Run{at("a", 9), at("a", 8), at("a", 1), at("b", 7), at("b", 6), at("c", 5)}) {
		order = append(order, r.ID)
	}
	if got, want := strings.Join(order, " "), "a1 c5 b6 b7 a8 a9"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	c := caller{t, start(t, twoUsers), secret}
	for _, by := range []caller{c, {t, c.address, otherSecret}} {
		id, _ := by.send("", "call risky")
		by.follow(id, "", waits)
	}
	for query, want := range map[string]int{"": 2, "?user=bea": 1, "?user=cid": 0} {
		var list []any
		if status := c.do("GET", "/api/waiting"+query, nil, &list); status != 200 || len(list) != want {
			t.Errorf("%s: %d %v", query, status, list)
		}
	}
}

// TestACallOfAnAgentThatIsGone is decided about when the agent is not served, or cannot be made, any
// more.
func TestACallOfAnAgentThatIsGone(t *testing.T) {
	catalog := newCatalog(t, &talker{})
	c := caller{t, start(t, func(o *Options) { o.Catalog = catalog }), secret}
	id, _ := c.send("", "call risky")
	list := c.follow(id, "", waits)
	waiting := list[len(list)-1].Run.Waiting
	decision, err := json.Marshal(map[string]any{"call": waiting.Call, "hash": waiting.Hash, "allow": true})
	if err != nil {
		t.Fatal(err)
	}
	agents, _, done := catalog.use()
	defer done()
	catalog.Set(agents[1:], nil)
	status, text := get(t, "POST", c.address+"/api/runs/"+id+"/decision", string(decision), "Authorization", bearer)
	if status != 409 || !strings.Contains(text, "agent_gone") {
		t.Errorf("it is not served: %d %s", status, text)
	}
	changed := *agents[0]
	changed.Program = []byte("another")
	changed.Pinned = func([]byte) (*Agent, error) { return nil, errors.New("no tool, " + secret) }
	catalog.Set([]*Agent{&changed}, nil)
	status, text = get(t, "POST", c.address+"/api/runs/"+id+"/decision", string(decision), "Authorization", bearer)
	if status != 409 || !strings.Contains(text, "agent_gone") || !strings.Contains(text, "no tool, ***") {
		t.Errorf("it cannot be made: %d %s", status, text)
	}
	catalog.Set(agents, nil)
	if status, text = get(t, "POST", c.address+"/api/runs/"+id+"/decision", string(decision), "Authorization", bearer); status != 204 {
		t.Errorf("it is served again: %d %s", status, text)
	}
}

// A countingEngine counts the records that are read.
type countingEngine struct {
	Engine
	read atomic.Int64
}

func (e *countingEngine) Read(ctx context.Context, id string) (*durable.Record, error) {
	e.read.Add(1)
	return e.Engine.Read(ctx, id)
}

func TestALongConversationIsNotReadWholeAgain(t *testing.T) {
	engine := &countingEngine{Engine: OnJournal(newJournal(t))}
	c := caller{t, start(t, func(o *Options) { o.Engine = engine }), secret}
	name := ""
	for range 5 {
		var id string
		id, name = c.send(name, "hello")
		c.follow(id, "", ended)
	}
	var s struct {
		Runs    []*runState
		Omitted int
		Spent   string
	}
	for _, test := range []struct {
		turns         string
		shown, atMost int
	}{{"0", 0, 5}, {"0", 0, 0}, {"2", 2, 2}, {"", 5, 5}} {
		engine.read.Store(0)
		if status := c.do("GET", "/api/sessions/"+name+"?turns="+test.turns, nil, &s); status != 200 || len(s.Runs) != test.shown || s.Omitted != 5-test.shown || s.Spent != "50 tokens" {
			t.Errorf("%+v: %d %+v", test, status, s)
		}
		if n := int(engine.read.Load()); n > test.atMost {
			t.Errorf("%+v: %d runs are read", test, n)
		}
	}
	id, _ := c.send(name, "hello")
	c.follow(id, "", ended)
	if c.do("GET", "/api/sessions/"+name+"?turns=0", nil, &s); s.Spent != "60 tokens" {
		t.Errorf("after another run: %s", s.Spent)
	}
	for _, turns := range []string{"-1", "51", "x"} {
		if status := c.do("GET", "/api/sessions/"+name+"?turns="+turns, nil, nil); status != 400 {
			t.Errorf("%s turns: %d", turns, status)
		}
	}
}

func TestARunThatFailedHasNoAddresses(t *testing.T) {
	c := caller{t, start(t, nil), secret}
	id, name := c.send("", "away")
	list := c.follow(id, "", ended)
	if e := list[len(list)-1].Run.Error; !strings.Contains(e, "connection refused") || strings.Contains(e, "10.1.2.3") {
		t.Errorf("the run: %s", e)
	}
	for _, path := range []string{"/api/runs/" + id, "/api/runs/" + id + "/trace", "/api/runs", "/api/sessions/" + name} {
		if status, text := get(t, "GET", c.address+path, "", "Authorization", bearer); status != 200 || !strings.Contains(text, "connection refused") || strings.Contains(text, "10.1.2.3") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
}
