package server

import (
	"container/list"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

// Options are what a server needs. Catalog, Engine and Access must be set.
type Options struct {
	Catalog *Catalog
	Engine  Engine        // of all runs
	Models  *models.Table // nil is the built-in one
	Version string        // of the server
	Access  Access
	Hosts   []string // names under which the server is reached; addresses and localhost always are
	Secure  bool     // the server is reached by HTTPS, at a proxy: cookies are for HTTPS alone
	Limits  Limits
	Logger  *slog.Logger // gets a line for each request, without texts of users; nil logs nothing

	// KeepAlive is how long a stream is silent before a comment is sent that keeps proxies from
	// closing it; 0 means 10 s.
	KeepAlive time.Duration

	// Grace is how long runs may go on after the server was asked to end; 0 means 10 s.
	Grace time.Duration
}

// A Server serves agents. It is an [http.Handler].
type Server struct {
	o       Options
	limits  *limiter
	crowd   *crowd
	metrics *metrics
	routes  *http.ServeMux
	hub     *hub
	offer   mcpOffer
	runs    context.Context // ends when the runs must
	stop    context.CancelFunc
	ending  context.Context // ends when the server begins to end
	end     context.CancelFunc
}

// New returns a server.
func New(o Options) (*Server, error) {
	if err := o.Access.Check(); err != nil {
		return nil, err
	}
	if o.Access.Key == nil {
		o.Access.Key = newKey()
	}
	o.Limits = o.Limits.withDefaults()
	if o.KeepAlive <= 0 {
		o.KeepAlive = 10 * time.Second
	}
	if o.Grace <= 0 {
		o.Grace = 10 * time.Second
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{o: o, limits: newLimiter(o.Limits), crowd: &crowd{limit: o.Limits.Connections, open: map[net.Conn]*list.Element{}}, metrics: newMetrics(), routes: http.NewServeMux()}
	s.runs, s.stop = context.WithCancel(context.Background())
	s.ending, s.end = context.WithCancel(s.runs)
	s.hub = &hub{engine: o.Engine, server: s, wanted: make(chan struct{}, 1), runs: map[string]*liveRun{}}
	s.routes.HandleFunc("GET /healthz", s.health)
	s.routes.HandleFunc("GET /readyz", s.ready)
	s.routes.Handle("GET /metrics", s.guarded(s.metrics.serve))
	s.routes.Handle("GET /v1/models", s.guarded(s.models))
	s.routes.Handle("GET /v1/models/{name}", s.guarded(s.model))
	s.routes.Handle("POST /v1/chat/completions", s.guarded(s.chat))
	s.routes.Handle("/mcp", s.guarded(s.serveMCP))
	s.routes.Handle("/v1/", s.guarded(unknownURL))
	s.addPage()
	s.addAPI()
	return s, nil
}

// Serve answers requests until ctx ends, and goes on with the runs that an earlier process has
// left. Then no new requests are taken, and the runs have the time of grace to end; those that have
// not are journaled, and go on in the next process. It closes the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	l0 := s.o.Limits
	web := &http.Server{
		Handler: s, ReadHeaderTimeout: l0.Header, IdleTimeout: l0.Idle, MaxHeaderBytes: 64 << 10,
		ErrorLog:    slog.NewLogLogger(s.o.Logger.Handler(), slog.LevelDebug),
		BaseContext: func(net.Listener) context.Context { return s.runs },
		ConnState:   s.crowd.change, ConnContext: s.crowd.with,
	}
	defer s.stop()
	go s.hub.look(s.ending, lookPause)
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		s.end()
		grace, cancel := context.WithTimeout(context.Background(), s.o.Grace)
		defer cancel()
		shut := make(chan error, 1)
		go func() { shut <- web.Shutdown(grace) }()
		s.hub.wait(grace)
		s.hub.interrupt()
		s.hub.going.Wait()
		if s.stop(); <-shut != nil {
			last, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			defer cancel()
			if web.Shutdown(last) != nil {
				_ = web.Close()
			}
		}
	})
	err := web.Serve(timedListener{l, l0.Write})
	if stop() {
		return err
	}
	<-ended
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// lookPause is how long the hub waits before it looks for runs to go on with.
const lookPause = 2 * time.Second

// ServeHTTP lets requests pass that are meant for this server, and do not come from a page
// of another one.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = newTimedBody(w, http.MaxBytesReader(w, r.Body, s.o.Limits.Body), s.o.Limits.Read)
	}
	if !isOwnHost(r.Host, s.o.Hosts) {
		s.refuse(w, r, &problem{status: http.StatusMisdirectedRequest, Type: typeInvalid, Code: "unknown_host",
			Message: "this server is not known as " + r.Host + "; the person who operates it can add the name with --host"})
		return
	}
	if err := http.NewCrossOriginProtection().Check(r); err != nil || readsFromElsewhere(r) {
		s.refuse(w, r, &problem{status: http.StatusForbidden, Type: typeAccess, Code: "foreign_origin", Message: "requests of other sites are refused"})
		return
	}
	s.routes.ServeHTTP(w, r)
}

// readsFromElsewhere reports whether a page of another origin makes a request that changes nothing. It
// cannot read the answer, but could keep the server busy, where no token is needed. A link that
// somebody follows is no such request.
func readsFromElsewhere(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return false
	case "": // an old browser, or no browser
		origin := r.Header.Get("Origin")
		return origin != "" && origin != "http://"+r.Host && origin != "https://"+r.Host
	}
	return r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document"
}

// refuse ends a request with a problem.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, p *problem) {
	s.metrics.refused.WithLabelValues(p.Code).Inc()
	s.o.Logger.Debug("refused", "path", r.URL.Path, "from", r.RemoteAddr, "code", p.Code)
	p.write(w)
}

// A handler answers the request of a principal. It returns why not if nothing was sent yet.
type handler func(http.ResponseWriter, *http.Request, Principal) *problem

// guarded lets principals pass, as often as the limits allow. Others are counted by where they come
// from, so that nobody uses up what a principal may do.
func (s *Server) guarded(next handler) http.Handler {
	return s.counted(func(w http.ResponseWriter, r *http.Request, who Principal) *problem {
		if who.Name == "" {
			return &problem{status: http.StatusUnauthorized, Type: typeAccess, Code: "invalid_api_key", Message: "the token is missing or wrong: send it as a bearer token, or as the API key of a client"}
		}
		s.crowd.serve(r.Context())
		body := &heldBody{ReadCloser: r.Body, limits: s.limits, client: s.limits.named(who.client())}
		defer body.let()
		r.Body = body
		caller := runtime.TraceContext{Parent: r.Header.Get("traceparent"), State: r.Header.Get("tracestate")}
		return next(w, r.WithContext(runtime.WithTraceContext(r.Context(), caller)), who)
	})
}

// counted lets everybody pass, as often as the limits allow. The principal of a stranger has no name.
func (s *Server) counted(next handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, ok := s.o.Access.principal(r, time.Now())
		name := who.client()
		if !ok {
			name = strangerAt(r)
		}
		p := s.limits.request(name)
		if p == nil {
			p = next(w, r, who)
		}
		if p != nil {
			s.refuse(w, r, p)
		}
	})
}

// health says that the process works.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte("ok\n"))
}

// ready says whether agents can be asked.
func (s *Server) ready(w http.ResponseWriter, _ *http.Request) {
	agents, _, done := s.o.Catalog.use()
	defer done()
	switch {
	case s.ending.Err() != nil:
		http.Error(w, "the server ends", http.StatusServiceUnavailable)
	case len(agents) == 0:
		http.Error(w, "there are no agents", http.StatusServiceUnavailable)
	default:
		_, _ = w.Write([]byte("ok\n"))
	}
}
