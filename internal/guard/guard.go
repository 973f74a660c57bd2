package guard

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"
)

// The limits of requests. Their time is limited by their context alone.
const (
	DefaultMaxBytes = 1 << 20
	MaxRedirects    = 5
)

const (
	dialLimit  = 10 * time.Second
	maxHeaders = 64 << 10 // bytes
	maxPacking = 40       // bytes of the name of a compression
)

// Options change what a client may do. The zero value is the strictest.
type Options struct {
	// AllowHosts are hosts that are open wherever they lead, also into the
	// private network: a name or an IP address, as the URL has it, at ports
	// 80 and 443, or with ":port" at that port alone.
	AllowHosts []string

	MaxBytes  int64         // of a response, decompressed; 0 means 1 MiB, negative no limit
	UserAgent string        // for requests that have no such header
	Resolver  *net.Resolver // nil means [net.DefaultResolver]
}

// Client returns a client that connects to public addresses only, besides the
// hosts that are allowed, at ports 80 and 443, over http and https. It uses no
// proxy, because that would connect for it, keeps no cookies, and takes the
// headers of the request to no other host. It may be shared.
//
// Its error names an entry of AllowHosts that is none.
func Client(o Options) (*http.Client, error) {
	allowed, err := newAllowList(o.AllowHosts)
	if err != nil {
		return nil, err
	}
	t := &guardedTransport{
		allowed: allowed, resolver: o.Resolver, userAgent: o.UserAgent,
		maxBytes: cmp.Or(o.MaxBytes, DefaultMaxBytes),
	}
	t.base = &http.Transport{
		DialContext:            t.dial,
		TLSHandshakeTimeout:    dialLimit,
		IdleConnTimeout:        30 * time.Second,
		MaxIdleConns:           8,
		MaxResponseHeaderBytes: maxHeaders,
		ForceAttemptHTTP2:      true,
	}
	return &http.Client{Transport: t, CheckRedirect: checkRedirect}, nil
}

// A guardedTransport checks each request of a client, those for redirects too, and
// each connection that they need.
type guardedTransport struct {
	allowed   allowList
	resolver  *net.Resolver
	userAgent string
	maxBytes  int64
	base      *http.Transport
}

// RoundTrip sends one request.
func (t *guardedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := t.allowed.checkURL(req.URL); err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	if t.userAgent != "" && req.Header.Get("User-Agent") == "" {
		req = req.Clone(req.Context())
		req.Header.Set("User-Agent", t.userAgent)
	}
	resp, err := t.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if packed := resp.Header.Get("Content-Encoding"); packed != "" && packed != "identity" {
		resp.Body.Close()
		if len(packed) > maxPacking {
			packed = "something else" // a header may hold anything, and half a secret is not redacted
		}
		return nil, fmt.Errorf("the response is compressed with %q, which was not requested", packed)
	}
	if t.maxBytes > 0 {
		resp.Body = http.MaxBytesReader(nil, resp.Body, t.maxBytes)
	}
	return resp, nil
}

// CloseIdleConnections closes the connections that no request uses.
func (t *guardedTransport) CloseIdleConnections() { t.base.CloseIdleConnections() }

// dial connects to a host and port as a URL has them. A host that is not
// allowed is checked once it is an address.
func (t *guardedTransport) dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Timeout: dialLimit, Resolver: t.resolver}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if target := net.JoinHostPort(allowedHostName(host), port); !t.allowed[target] {
		d.Control = func(_, dialled string, _ syscall.RawConn) error { return checkDialledAddress(dialled, target) }
	}
	return d.DialContext(ctx, network, address)
}

// checkRedirect is called before a redirect is followed.
func checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > MaxRedirects {
		return refuseAddress("the server redirects more than %d times", MaxRedirects)
	}
	req.Header.Del("Referer") // it would carry the query, and what is secret in it
	if !leavesGuard(req.URL, via) {
		return nil
	}
	if req.Body != nil && req.Body != http.NoBody {
		return refuseAddress("the server redirects a %s request with its body to another host, %s", req.Method, req.URL.Host)
	}
	req.Header = http.Header{}
	return nil
}

// leavesGuard reports whether the requests that led here were not all for the
// origin of u. One that comes back is still where another host wanted it.
func leavesGuard(u *url.URL, via []*http.Request) bool {
	for _, earlier := range via {
		if earlier.URL.Scheme != u.Scheme || allowedTarget(earlier.URL) != allowedTarget(u) {
			return true
		}
	}
	return false
}
