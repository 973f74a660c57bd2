package server

import (
	"bytes"
	"errors"
	"net/http"

	"github.com/gram-lang/gramc/internal/trace"
	"github.com/gram-lang/gramc/runtime"
)

// trace shows a run as a page: what was asked of the model and of tools, and when.
func (s *Server) tracePage(w http.ResponseWriter, r *http.Request, who Principal) *problem {
	record, err := s.ownRun(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return s.stored(err)
	}
	if end := record.End; end != nil && end.Error != nil {
		var known *runtime.Error
		shown := &runtime.Error{Message: withoutAddresses(end.Error.Error())}
		if errors.As(end.Error, &known) {
			shown.Kind = known.Kind
		}
		end.Error = shown
	}
	var lines bytes.Buffer
	if err := trace.NewWriter(&lines, s.o.Models).Recorded(record); err != nil {
		return s.stored(err)
	}
	read, err := trace.Read(&lines)
	if err != nil {
		return s.stored(err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(read.HTML())) // a client that is gone needs no answer
	return nil
}
