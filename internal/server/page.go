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
	page := func(w http.ResponseWriter, r *http.Request, name string) *problem {
		h := w.Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("Cache-Control", "no-cache")
		http.ServeFileFS(w, r, files, name)
		return nil
	}
	s.routes.Handle("GET /{$}", s.counted(func(w http.ResponseWriter, r *http.Request, _ Principal) *problem { return page(w, r, "index.html") }))
	s.routes.Handle("GET /page/{name}", s.counted(func(w http.ResponseWriter, r *http.Request, _ Principal) *problem {
		return page(w, r, r.PathValue("name"))
	}))
	s.routes.Handle("POST /login", s.guarded(s.signIn))
	s.routes.Handle("POST /logout", s.counted(s.signOut))
}

// signIn gives a page a cookie in exchange for a token.
func (s *Server) signIn(w http.ResponseWriter, _ *http.Request, who Principal) *problem {
	if cookie := s.o.Access.cookieFor(who, time.Now(), s.o.Secure); cookie != nil {
		http.SetCookie(w, cookie)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// signOut takes the cookie back. The token stays valid.
func (s *Server) signOut(w http.ResponseWriter, _ *http.Request, _ Principal) *problem {
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", MaxAge: -1, HttpOnly: true, Secure: s.o.Secure, SameSite: http.SameSiteStrictMode})
	w.WriteHeader(http.StatusNoContent)
	return nil
}
