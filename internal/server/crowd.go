package server

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
)

// A crowd bounds the open connections. When there are too many, the one is closed that has gone
// longest without a request of a principal: one that is idle, has sent nothing or not all of a
// header, or is of a stranger.
type crowd struct {
	limit int

	mu      sync.Mutex
	open    map[net.Conn]*list.Element // nil while a request of a principal is answered
	waiting list.List                  // of the others, those first that wait longest
}

// crowdKey is the key of the connection of a request in its context.
type crowdKey struct{}

// with is the ConnContext of a server.
func (c *crowd) with(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, crowdKey{}, conn)
}

// change is the ConnState of a server.
func (c *crowd) change(conn net.Conn, s http.ConnState) {
	c.mu.Lock()
	var last net.Conn // that is one too many
	switch s {
	case http.StateNew:
		c.open[conn] = c.waiting.PushBack(conn)
		if len(c.open) > c.limit {
			last, _ = c.waiting.Remove(c.waiting.Front()).(net.Conn)
			delete(c.open, last)
		}
	case http.StateIdle:
		if place, ok := c.open[conn]; ok && place == nil {
			c.open[conn] = c.waiting.PushBack(conn)
		}
	case http.StateHijacked, http.StateClosed:
		if place := c.open[conn]; place != nil {
			c.waiting.Remove(place)
		}
		delete(c.open, conn)
	}
	c.mu.Unlock()
	if last != nil {
		_ = last.Close() // nobody gets an answer on it
	}
}

// serve keeps the connection of a request, since it is one of a principal.
func (c *crowd) serve(ctx context.Context) {
	conn, _ := ctx.Value(crowdKey{}).(net.Conn)
	c.mu.Lock()
	defer c.mu.Unlock()
	if place := c.open[conn]; place != nil {
		c.waiting.Remove(place)
		c.open[conn] = nil
	}
}
