package server

import (
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits bound what clients can take. Zero values take the defaults.
type Limits struct {
	Runs       int           // at once, of all clients; 1024
	ClientRuns int           // at once, of one client; 64
	Watchers   int           // who follow runs at once, of one client; 64
	Rate       float64       // requests per second of one client; 20
	Burst      int           // requests of one client at once, until Rate holds; 100
	Body       int64         // bytes of a request; 24 MiB
	Header     time.Duration // for the headers to arrive; 10 s
	Read       time.Duration // for the body to arrive; 30 s
	Write      time.Duration // for a client to take a piece of a response; 30 s
	Idle       time.Duration // of a connection without a request; 2 min
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
	or(&l.Runs, 1024)
	or(&l.ClientRuns, 64)
	or(&l.Watchers, 64)
	or(&l.Burst, 100)
	if l.Rate <= 0 {
		l.Rate = 20
	}
	if l.Body <= 0 {
		l.Body = 24 << 20
	}
	lasts(&l.Header, 10*time.Second)
	lasts(&l.Read, 30*time.Second)
	lasts(&l.Write, 30*time.Second)
	lasts(&l.Idle, 2*time.Minute)
	return l
}

// maxClients is how many clients are remembered; those without a run are forgotten first.
const maxClients = 10_000

// A limiter counts what clients take.
type limiter struct {
	limits Limits

	mu      sync.Mutex
	runs    int
	clients map[string]*client
}

// A client is a principal, or the address of somebody who is none.
type client struct {
	requests *rate.Limiter
	runs     int
	watchers int
	last     time.Time
}

func newLimiter(l Limits) *limiter { return &limiter{limits: l, clients: map[string]*client{}} }

// client returns the counts of a client. The lock is held.
func (l *limiter) client(name string, now time.Time) *client {
	c, ok := l.clients[name]
	if !ok {
		if len(l.clients) >= maxClients {
			l.forget(now)
		}
		c = &client{requests: rate.NewLimiter(rate.Limit(l.limits.Rate), l.limits.Burst)}
		l.clients[name] = c
	}
	c.last = now
	return c
}

// forget removes clients without a run whose requests no longer count, or any without a
// run if there are none.
func (l *limiter) forget(now time.Time) {
	full := time.Duration(float64(l.limits.Burst) / l.limits.Rate * float64(time.Second))
	for _, age := range []time.Duration{full, 0} {
		for name, c := range l.clients {
			if c.runs == 0 && c.watchers == 0 && now.Sub(c.last) >= age {
				delete(l.clients, name)
			}
		}
		if len(l.clients) < maxClients {
			return
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

// begin counts a run of a client until the function is called.
func (l *limiter) begin(name string) (end func(), _ *problem) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.client(name, time.Now())
	full := problem{status: http.StatusTooManyRequests, wait: time.Second, Type: typeRate, Code: "too_many_runs"}
	switch {
	case c.runs >= l.limits.ClientRuns:
		full.Message = "too many runs at once; wait until one has ended"
		return nil, &full
	case l.runs >= l.limits.Runs:
		full.status, full.Type, full.Message = http.StatusServiceUnavailable, typeServer, "the server has no room for another run; ask again later"
		return nil, &full
	}
	c.runs++
	l.runs++
	return sync.OnceFunc(func() {
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
