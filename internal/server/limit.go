package server

import (
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits bound what clients can take. Zero values take the defaults.
type Limits struct {
	Runs        int           // at once, of all clients; 1024
	ClientRuns  int           // at once, of one client; 64
	Connections int           // open; 8192. Those without a principal make room first
	Watchers    int           // who follow runs at once, of one client; 64
	Rate        float64       // requests per second of one client; 20
	Burst       int           // requests of one client at once, until Rate holds; 100
	Body        int64         // bytes of a request; 24 MiB
	ClientBytes int64         // of the requests and runs of one client at once; 64 MiB
	Bytes       int64         // the same, of all clients; 512 MiB
	Header      time.Duration // for the headers to arrive; 10 s
	Read        time.Duration // for the body to arrive; 30 s
	Write       time.Duration // for a client to take a piece of a response; 30 s
	Idle        time.Duration // of a connection without a request; 2 min
}

func (l Limits) withDefaults() Limits {
	or := func(n *int, usual int) {
		if *n <= 0 {
			*n = usual
		}
	}
	lasts := func(d *time.Duration, usual time.Duration) {
		if *d <= 0 {
			*d = usual
		}
	}
	or(&l.Connections, 8192)
	or(&l.Runs, 1024)
	or(&l.ClientRuns, 64)
	or(&l.Watchers, 64)
	or(&l.Burst, 100)
	if l.Rate <= 0 {
		l.Rate = 20
	}
	size := func(n *int64, usual int64) {
		if *n <= 0 {
			*n = usual
		}
	}
	size(&l.Body, 24<<20)
	size(&l.ClientBytes, 64<<20)
	size(&l.Bytes, 512<<20)
	lasts(&l.Header, 10*time.Second)
	lasts(&l.Read, 30*time.Second)
	lasts(&l.Write, 30*time.Second)
	lasts(&l.Idle, 2*time.Minute)
	return l
}

// maxClients is how many clients are remembered by name; when there are more, those that come later
// share the limits of one.
const maxClients = 10_000

// others is the name that the clients share for whom there is no room.
const others = ""

// A limiter counts what clients take.
type limiter struct {
	limits Limits

	mu      sync.Mutex
	runs    int
	kept    int   // runs for which room is kept
	bytes   int64 // in memory
	clients map[string]*client
	swept   time.Time // when clients were forgotten
}

// A client is a principal, or the network of somebody who is none.
type client struct {
	requests *rate.Limiter
	runs     int
	watchers int
	bytes    int64 // in memory
	last     time.Time
}

func newLimiter(l Limits) *limiter { return &limiter{limits: l, clients: map[string]*client{}} }

// strangerAt is the name of a client that is no principal: its address, and of IPv6 the network, in
// which everybody has as many addresses as they like.
func strangerAt(r *http.Request) string {
	address, _ := clientAddress(r)
	if address.Is6() {
		network, _ := address.WithZone("").Prefix(64) // never fails: there are more bits
		return "from " + network.String()
	}
	return "from " + address.String()
}

// client is the name of a principal in the limits.
func (p Principal) client() string { return "as " + p.Name }

// named returns the counts of a client.
func (l *limiter) named(name string) *client {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.client(name, time.Now())
}

// client returns the counts of a client. The lock is held.
func (l *limiter) client(name string, now time.Time) *client {
	c, ok := l.clients[name]
	if !ok {
		if len(l.clients) >= maxClients {
			l.forget(now)
		}
		if len(l.clients) >= maxClients {
			name = others
		}
		if c, ok = l.clients[name]; !ok {
			c = &client{requests: rate.NewLimiter(rate.Limit(l.limits.Rate), l.limits.Burst)}
			l.clients[name] = c
		}
	}
	c.last = now
	return c
}

// forget removes clients that take nothing, and whose requests no longer count. It looks once a
// second at most, since it looks at all.
func (l *limiter) forget(now time.Time) {
	if now.Sub(l.swept) < time.Second {
		return
	}
	l.swept = now
	full := time.Duration(float64(l.limits.Burst) / l.limits.Rate * float64(time.Second))
	for name, c := range l.clients {
		if c.runs == 0 && c.watchers == 0 && c.bytes == 0 && now.Sub(c.last) >= full {
			delete(l.clients, name)
		}
	}
}

// request counts a request of a client.
func (l *limiter) request(name string) *problem {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	c := l.client(name, now)
	if c.requests.AllowN(now, 1) {
		return nil
	}
	wait := time.Duration(float64(time.Second) / l.limits.Rate)
	return &problem{status: http.StatusTooManyRequests, wait: wait, Type: typeRate, Code: "too_many_requests", Message: "too many requests; ask again later"}
}

// hold counts bytes that a client takes in memory, until they are let go.
func (l *limiter) hold(c *client, n int64) *problem {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.holdMore(c, n)
}

// holdMore is hold while the lock is held.
func (l *limiter) holdMore(c *client, n int64) *problem {
	full := problem{status: http.StatusTooManyRequests, wait: time.Second, Type: typeRate, Code: "too_much_at_once"}
	switch {
	case c.bytes+n > l.limits.ClientBytes:
		full.Message = "your requests are too large together; wait until one has ended"
		return &full
	case l.bytes+n > l.limits.Bytes:
		full.status, full.Type, full.Message = http.StatusServiceUnavailable, typeServer, "the server has no room for the request; ask again later"
		return &full
	}
	c.bytes += n
	l.bytes += n
	return nil
}

func (l *limiter) let(c *client, n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.bytes -= n
	l.bytes -= n
}

// codeNoRoom is the code of the problem of a run that would be one too many.
const codeNoRoom = "too_many_runs"

// begin counts a run of a client, and the bytes that it keeps in memory, until the function is
// called.
func (l *limiter) begin(name string, size int64) (end func(), _ *problem) {
	return l.beginWithin(name, size, true)
}

// resume is begin for a run of before, for which room is kept.
func (l *limiter) resume(name string) (end func(), _ *problem) { return l.beginWithin(name, 0, false) }

// keepRoom keeps room for runs of before from new ones: at most half of it, so that new ones go on too.
func (l *limiter) keepRoom(runs int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = min(runs, l.limits.Runs/2)
}

func (l *limiter) beginWithin(name string, size int64, isNew bool) (end func(), _ *problem) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.client(name, time.Now())
	most := l.limits.Runs
	if isNew {
		most -= l.kept
	}
	full := problem{status: http.StatusTooManyRequests, wait: time.Second, Type: typeRate, Code: codeNoRoom}
	switch {
	case c.runs >= l.limits.ClientRuns:
		full.Message = "too many runs at once; wait until one has ended"
		return nil, &full
	case l.runs >= most:
		full.status, full.Type, full.Message = http.StatusServiceUnavailable, typeServer, "the server has no room for another run; ask again later"
		return nil, &full
	}
	if p := l.holdMore(c, size); p != nil {
		return nil, p
	}
	c.runs++
	l.runs++
	return sync.OnceFunc(func() {
		l.let(c, size)
		l.mu.Lock()
		defer l.mu.Unlock()
		c.runs--
		l.runs--
	}), nil
}

// watch counts somebody who follows a run until the function is called.
func (l *limiter) watch(name string) (end func(), _ *problem) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.client(name, time.Now())
	if c.watchers >= l.limits.Watchers {
		return nil, &problem{status: http.StatusTooManyRequests, wait: time.Second, Type: typeRate, Code: "too_many_watchers", Message: "too many runs are followed at once"}
	}
	c.watchers++
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		c.watchers--
	}), nil
}
