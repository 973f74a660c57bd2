package server

import (
	"embed"
	"io/fs"
	"net/http"
	"time"
)

//go:embed page
var pageFiles embed.FS

// pagePolicy lets the page run its own script and talk to this server, and nothing else.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// addPage adds the routes of the page, which everybody may read, and those to sign in and
// out.
func (s *Server) addPage() {
	files, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic("server: the page is missing: " + err.Error())
	}
	page := func(w http.ResponseWriter, r *http.Request, name string) {
		h := w.Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("Cache-Control", "no-cache")
		http.ServeFileFS(w, r, files, name)
	}
	s.routes.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { page(w, r, "index.html") })
	s.routes.HandleFunc("GET /page/{name}", func(w http.ResponseWriter, r *http.Request) { page(w, r, r.PathValue("name")) })
	s.routes.Handle("POST /login", s.guarded(s.signIn))
	s.routes.HandleFunc("POST /logout", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", MaxAge: -1, HttpOnly: true, Secure: s.o.Secure, SameSite: http.SameSiteStrictMode})
		w.WriteHeader(http.StatusNoContent)
	})
}

// signIn gives a page a cookie in exchange for a token.
func (s *Server) signIn(w http.ResponseWriter, _ *http.Request, who Principal) *problem {
	if cookie := s.o.Access.cookieFor(who, time.Now(), s.o.Secure); cookie != nil {
		http.SetCookie(w, cookie)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
