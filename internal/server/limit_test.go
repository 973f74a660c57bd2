package server

import (
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestStrangersAreLimited(t *testing.T) {
	address := start(t, func(o *Options) { o.Limits = Limits{Burst: 3, Rate: 0.001} })
	for i, path := range []string{"/", "/page/app.js", "/v1/models", "/", "/v1/models"} {
		if status, _ := get(t, "GET", address+path, ""); (status == 429) != (i >= 3) {
			t.Errorf("request %d, %s: %d", i, path, status)
		}
	}
	for range 2 {
		if status, _ := get(t, "GET", address+"/v1/models", "", "Authorization", bearer); status != 200 {
			t.Errorf("a principal at the same address: %d", status)
		}
	}
	if status, _ := get(t, "GET", address+"/healthz", ""); status != 200 {
		t.Errorf("a probe: %d", status)
	}
}

func TestStrangersAreCountedByNetwork(t *testing.T) {
	name := func(from string) string {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = from
		return strangerAt(r)
	}
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"10.1.2.3:4", "10.1.2.3:5", true},
		{"10.1.2.3:4", "[::ffff:10.1.2.3]:5", true},
		{"10.1.2.3:4", "10.1.2.4:4", false},
		{"[2001:db8::1]:4", "[2001:db8::ffff:1]:4", true},
		{"[fe80::1%eth0]:4", "[fe80::2%eth1]:4", true},
		{"[2001:db8::1]:4", "[2001:db8:0:1::1]:4", false},
	} {
		if same := name(test.a) == name(test.b); same != test.same {
			t.Errorf("%+v: %s, %s", test, name(test.a), name(test.b))
		}
	}
}

func TestTheTableOfClientsIsBounded(t *testing.T) {
	l := newLimiter(Limits{Burst: 1, Rate: 0.001}.withDefaults())
	if l.request("as ada") != nil || l.request("as ada") == nil {
		t.Fatal("ada has one request")
	}
	for i := range 2 * maxClients {
		l.request(fmt.Sprint("from ", i))
	}
	if n := len(l.clients); n > maxClients+1 {
		t.Errorf("%d clients are remembered", n)
	}
	if l.request("as ada") == nil {
		t.Error("others make the server forget what ada has used up")
	}
	l.mu.Lock()
	l.swept = time.Time{}
	l.forget(time.Now().Add(time.Hour))
	n := len(l.clients)
	l.mu.Unlock()
	if n != 0 {
		t.Errorf("%d clients are remembered after their time", n)
	}
}

func TestRequestsTogetherAreBounded(t *testing.T) {
	l := newLimiter(Limits{ClientBytes: 10, Bytes: 15}.withDefaults())
	body := func(name string, size int) *heldBody {
		return &heldBody{ReadCloser: io.NopCloser(strings.NewReader(strings.Repeat(" ", size))), limits: l, client: l.named(name)}
	}
	first := body("ada", 6)
	if _, err := io.ReadAll(first); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, code string }{{"ada", "too_much_at_once"}, {"bea", ""}, {"cid", "too_much_at_once"}} {
		b := body(test.name, 6)
		_, err := io.ReadAll(b)
		p, _ := err.(*problem)
		if (p == nil) != (test.code == "") || p != nil && p.Code != test.code {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.name == "cid" && p != nil && p.status != 503 {
			t.Errorf("the server is full: %d", p.status)
		}
	}
	if _, p := l.begin("ada", 6); p == nil {
		t.Error("a run takes what its client has used up")
	}
	first.let()
	end, p := l.begin("ada", 6)
	if p != nil {
		t.Fatal(p)
	}
	if end(); l.clients["ada"].bytes != 0 {
		t.Errorf("%d bytes are left", l.clients["ada"].bytes)
	}
}

// TestABodyCountsUntilItsRequestEnds sends two that are too large together.
func TestABodyCountsUntilItsRequestEnds(t *testing.T) {
	model := &talker{wait: make(chan struct{})}
	var s *Server
	address := startWith(t, func(o *Options) {
		o.Catalog = newCatalog(t, model)
		o.Limits = Limits{ClientBytes: 3000}
	}, &s)
	large := `{"model":"echo","messages":[{"role":"user","content":"wait"}]}` + strings.Repeat(" ", 2000)
	first := make(chan int)
	go func() {
		status, _ := get(t, "POST", address+"/v1/chat/completions", large, "Authorization", bearer)
		first <- status
	}()
	for range 500 { // a bound, not a measurement
		s.limits.mu.Lock()
		held := s.limits.bytes
		s.limits.mu.Unlock()
		if held > 2000 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	for path, body := range map[string]string{"/v1/chat/completions": large, "/api/runs": `{"agent":"echo","message":"x"}` + strings.Repeat(" ", 2000)} {
		if status, text := get(t, "POST", address+path, body, "Authorization", bearer); status != 429 || !strings.Contains(text, "too_much_at_once") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	close(model.wait)
	if status := <-first; status != 200 {
		t.Errorf("the first: %d", status)
	}
	if status, _ := get(t, "POST", address+"/v1/chat/completions", large, "Authorization", bearer); status != 200 {
		t.Errorf("afterwards: %d", status)
	}
}
