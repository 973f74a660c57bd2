package guard

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestRedirectsAreCheckedOneByOne(t *testing.T) {
	secret := newCanary(t, says("secret"))
	resolver := names(t, map[string][]string{"lan.test": {"192.168.0.1"}, "loop.test": {"127.0.0.1"}})
	for location, word := range map[string]string{
		"http://127.0.0.1:" + secret.port + "/": "closed to tools",
		"//127.0.0.1:" + secret.port + "/":      "closed to tools",
		"http://loop.test/":                     "private",
		"http://127.0.0.1/":                     "private",
		"https://lan.test/":                     "private",
		"http://169.254.169.254/latest":         "private",
		"http://[::ffff:127.0.0.1]/":            "private",
		"http://a:b@127.0.0.1/":                 "user name",
		"file:///etc/passwd":                    "http and https",
		"gopher://127.0.0.1/":                   "http and https",
		"/" + strings.Repeat("long", 600):       "at most 2048",
	} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			front := newCanary(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", location)
				w.WriteHeader(status)
			})
			_, err := get(t, client(t, Options{AllowHosts: []string{"127.0.0.1:" + front.port}, Resolver: resolver}), front.URL)
			wantRefused(t, err, word)
		}
	}
	if n := secret.hits.Load(); n != 0 {
		t.Errorf("%d requests were redirected to the canary", n)
	}
}

func TestRedirectsAreCounted(t *testing.T) {
	front := newCanary(t, func(w http.ResponseWriter, r *http.Request) {
		n := 0
		fmt.Sscanf(r.URL.Path, "/%d", &n)
		if n == 0 {
			w.Write([]byte("there"))
			return
		}
		http.Redirect(w, r, fmt.Sprintf("/%d", n-1), http.StatusFound)
	})
	for _, tt := range []struct {
		redirects int
		there     bool
	}{{0, true}, {5, true}, {6, false}} {
		c := client(t, Options{AllowHosts: []string{"127.0.0.1:" + front.port}})
		a, err := get(t, c, fmt.Sprintf("%s/%d", front.URL, tt.redirects))
		if !tt.there {
			wantRefused(t, err, "redirects more than")
		} else if err != nil || string(a.Body) != "there" || a.URL.Path != "/0" {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}

func TestHeadersStayWithTheirHost(t *testing.T) {
	var seen http.Header
	other := newCanary(t, func(_ http.ResponseWriter, r *http.Request) { seen = r.Header })
	front := newCanary(t, func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "1"})
		switch r.URL.Path {
		case "/other":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "/same":
			http.Redirect(w, r, "/end", http.StatusFound)
		}
	})
	c := client(t, Options{AllowHosts: []string{"127.0.0.1:" + front.port, "127.0.0.1:" + other.port}, UserAgent: "gramc"})
	ask := func(path string) {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, front.URL+path+"?key=secret", nil)
		req.Header.Set("Authorization", "Bearer secret")
		req.Header.Set("X-Api-Key", "secret")
		if _, err := Do(c, req); err != nil {
			t.Fatal(err)
		}
		if seen.Get("User-Agent") != "gramc" || seen.Get("Cookie") != "" || seen.Get("Referer") != "" {
			t.Errorf("%s: headers %v", path, seen)
		}
	}
	ask("/same")
	if seen.Get("Authorization") == "" || seen.Get("X-Api-Key") == "" {
		t.Errorf("the headers were dropped on the same host: %v", seen)
	}
	ask("/other")
	if text := fmt.Sprint(seen); strings.Contains(text, "secret") {
		t.Errorf("the other host got %s", text)
	}
}

func TestABodyIsNotRedirectedToAnotherHost(t *testing.T) {
	other := newCanary(t, says("secret"))
	front := newCanary(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})
	c := client(t, Options{AllowHosts: []string{"127.0.0.1:" + front.port, "127.0.0.1:" + other.port}})
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, front.URL, strings.NewReader("private"))
	_, err := Do(c, req)
	wantRefused(t, err, "POST request with its body to another host")
	if other.hits.Load() != 0 {
		t.Error("the other host got the body")
	}
}

func TestNoProxyIsUsed(t *testing.T) {
	proxy := newCanary(t, says("from the proxy"))
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, proxy.URL)
	}
	front := newCanary(t, says("direct"))
	c := client(t, Options{AllowHosts: []string{"front.test:" + front.port}, Resolver: names(t, map[string][]string{"front.test": {"127.0.0.1"}})})
	a, err := get(t, c, "http://front.test:"+front.port)
	if err != nil || string(a.Body) != "direct" || proxy.hits.Load() != 0 {
		t.Errorf("%v, %d requests to the proxy", err, proxy.hits.Load())
	}
}

func TestAnswersAreLimitedOnceTheyAreUnpacked(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := io.CopyN(z, zeros{}, 16<<20); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		limit   int64
		size    int
		fits    bool
	}{
		{"at the limit", says(strings.Repeat("x", 1<<20)), 0, 1 << 20, true},
		{"above it", says(strings.Repeat("x", 1<<20+1)), 0, 1 << 20, false},
		{"own limit", says("12345"), 4, 4, false},
		{"no limit", says(strings.Repeat("x", 3<<20)), -1, 3 << 20, true},
		{"empty", says(""), 4, 0, true},
		{"bomb", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb.Bytes())
		}, 0, 1 << 20, false},
		{"endless", func(w http.ResponseWriter, _ *http.Request) { io.Copy(w, zeros{}) }, 0, 1 << 20, false},
	} {
		s := newCanary(t, tt.handler)
		a, err := get(t, client(t, Options{AllowHosts: []string{"127.0.0.1:" + s.port}, MaxBytes: tt.limit}), s.URL)
		var large *TooLargeError
		if a == nil || len(a.Body) != tt.size || errors.As(err, &large) == tt.fits || tt.fits && err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	for limit, want := range map[int64]string{1 << 20: "1 MiB", 1000: "1000 bytes"} {
		if got := (&TooLargeError{limit}).Error(); !strings.HasSuffix(got, want) {
			t.Errorf("%q", got)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestUnknownPackingIsRefused(t *testing.T) {
	s := newCanary(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Encoding", "br") })
	_, err := get(t, client(t, Options{AllowHosts: []string{"127.0.0.1:" + s.port}}), s.URL)
	if err == nil || !strings.Contains(err.Error(), `"br"`) {
		t.Error(err)
	}
	s = newCanary(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", strings.Repeat("key", 20))
	})
	_, err = get(t, client(t, Options{AllowHosts: []string{"127.0.0.1:" + s.port}}), s.URL)
	if err == nil || strings.Contains(err.Error(), "key") {
		t.Error(err)
	}
}

func TestTimeAndContext(t *testing.T) {
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
		}
		<-release
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(release) })
	allow := []string{strings.TrimPrefix(s.URL, "http://")}
	for _, path := range []string{"/", "/body"} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+path, nil)
		if _, err := Do(client(t, Options{AllowHosts: allow}), req); err != context.DeadlineExceeded {
			t.Errorf("%s, with the context: %v", path, err)
		}
		cancel()
	}
}

func TestErrorsDoNotTellTheURL(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	cut := newCanary(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		w.Write([]byte("half"))
	})
	loop := newCanary(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.String(), http.StatusFound) })
	o := Options{AllowHosts: []string{strings.TrimPrefix(closed.URL, "http://"), "127.0.0.1:" + cut.port, "127.0.0.1:" + loop.port}, Resolver: names(t, nil)}
	for _, base := range []string{closed.URL, cut.URL, loop.URL, "http://unknown.test", "http://127.0.0.1", "https://127.0.0.1:" + cut.port} {
		_, err := get(t, client(t, o), base+"/?key=secret")
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", base, err)
		}
	}
}
