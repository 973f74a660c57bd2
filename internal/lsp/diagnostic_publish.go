package lsp

import (
	"context"
	"time"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// publishInterval is the time from one round of publishing to the next. A
// change after a pause is published at once; while more is typed, no round
// waits longer than that.
const publishInterval = 30 * time.Millisecond

// publishParams are those of glsp, with our diagnostics.
type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int32       `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

// published is what was published last of a document.
type published struct {
	uri    string
	doc    *document
	number int // of the examination
}

// publishAll publishes the problems of the open documents, whenever there is a
// new snapshot, until the session ends. It is the only goroutine that
// publishes, so that no older state follows a newer one.
func (s *session) publishAll(ctx context.Context) {
	sent := map[string]published{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		start := time.Now()
		s.publish(ctx, s.snapshot(), sent)
		time.Sleep(publishInterval - time.Since(start))
	}
}

// publish publishes what has changed since the last round.
func (s *session) publish(ctx context.Context, snap *snapshot, sent map[string]published) {
	pull := snap.capabilities.TextDocument.Diagnostic != nil
	for key, last := range sent {
		if snap.open[key] == nil {
			delete(sent, key)
			if !pull {
				s.send(ctx, publishParams{URI: last.uri, Diagnostics: []diagnostic{}})
			}
		}
	}
	refresh := false
	for _, d := range snap.recent() {
		e := s.publishOne(ctx, snap, d, sent[d.key], !pull)
		if e == nil {
			continue
		}
		sent[d.key] = published{d.uri, d, e.number}
		refresh = refresh || e.again
	}
	if pull && refresh && snap.capabilities.Workspace.Diagnostics.Refresh {
		s.call(ctx, "workspace/diagnostic/refresh", nil)
	}
	s.refresh(ctx, snap)
}

// publishOne publishes the problems of a document, and returns the examination
// that found them. It is nil if that was published before, or after a panic.
func (s *session) publishOne(ctx context.Context, snap *snapshot, d *document, last published, push bool) *examination {
	defer s.recovered("the diagnostics")
	e := snap.examine(d)
	if last.doc == d && last.number == e.number {
		return nil
	}
	if push {
		s.send(ctx, publishParams{d.uri, &d.version, snap.diagnostics(d, e.problems)})
	}
	return e
}

func (s *session) send(ctx context.Context, p publishParams) {
	err := s.conn.Notify(ctx, string(protocol.ServerTextDocumentPublishDiagnostics), p)
	s.noteFailure(ctx, "diagnostics were not sent", err)
}

// recent returns the open documents, that which was changed last first.
func (s *snapshot) recent() []*document {
	all := s.shown()
	for i, d := range all {
		if d.key == s.changed {
			copy(all[1:i+1], all[:i])
			all[0] = d
		}
	}
	return all
}
