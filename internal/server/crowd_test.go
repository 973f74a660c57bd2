package server

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// TestConnectionsWithoutAPrincipalMakeRoom opens more than there may be, while a run is followed.
func TestConnectionsWithoutAPrincipalMakeRoom(t *testing.T) {
	model := &talker{wait: make(chan struct{})}
	var s *Server
	address := startWith(t, func(o *Options) {
		o.Catalog = newCatalog(t, model)
		o.Limits = Limits{Connections: 8, Header: time.Minute, Idle: time.Minute}
	}, &s)
	c := caller{t, address, secret}
	id, _ := c.send("", "wait")
	over := make(chan []event)
	go func() { over <- c.follow(id, "", ended) }()
	for range 1000 { // a bound, not a measurement
		s.limits.mu.Lock()
		followed := s.limits.clients["as ada"].watchers > 0
		s.limits.mu.Unlock()
		if followed {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	var crowd []net.Conn
	for i := range 40 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if i%2 == 0 { // a slow header
			_, _ = conn.Write([]byte("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-")) // it may be closed already
		}
		crowd = append(crowd, conn)
	}
	if status, text := get(t, "GET", address+"/v1/models", "", "Authorization", bearer); status != 200 {
		t.Errorf("a principal: %d %s", status, text)
	}
	for i, conn := range crowd[:30] {
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second)) // a bound, not a measurement
		if _, err := io.ReadAll(conn); err != nil && strings.Contains(err.Error(), "timeout") {
			t.Fatalf("connection %d is not closed: %v", i, err)
		}
	}
	close(model.wait)
	if list := <-over; len(list) == 0 || !ended(list[len(list)-1]) {
		t.Errorf("the run that is followed: %v", list)
	}
}
