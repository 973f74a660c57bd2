package lsp

import (
	"context"
	"time"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// publishInterval is the time from one round of publishing to the next. A change
// after a pause is told of at once; while somebody types on, nobody waits longer
// than that.
const publishInterval = 30 * time.Millisecond

// publishParams are those of glsp, with our diagnostics.
type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int32       `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

// published is what the client was told last of a document.
type published struct {
	uri    string
	doc    *document
	number int // of the examination
}

// publishAll tells the client what is wrong with the open documents, whenever
// there is a new snapshot, until the session ends. It is the only goroutine that
// does, so that what it tells never goes back.
func (s *session) publishAll(ctx context.Context) {
	told := map[string]published{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		start := time.Now()
		s.publish(ctx, s.snapshot(), told)
		time.Sleep(publishInterval - time.Since(start))
	}
}

// publish tells what has changed since the last round.
func (s *session) publish(ctx context.Context, snap *snapshot, told map[string]published) {
	pull := snap.capabilities.TextDocument.Diagnostic != nil
	for key, last := range told {
		if snap.open[key] == nil {
			delete(told, key)
			if !pull {
				s.tell(ctx, publishParams{URI: last.uri, Diagnostics: []diagnostic{}})
			}
		}
	}
	refresh := false
	for _, d := range snap.recent() {
		e := s.publishOne(ctx, snap, d, told[d.key], !pull)
		if e == nil {
			continue
		}
		told[d.key] = published{d.uri, d, e.number}
		refresh = refresh || e.again
	}
	if pull && refresh && snap.capabilities.Workspace.Diagnostics.Refresh {
		s.call(ctx, "workspace/diagnostic/refresh", nil)
	}
	s.refresh(ctx, snap)
}

// publishOne tells what is wrong with a document, and returns the examination
// that says so. It is nil when that was the last one too, or is a bug of ours.
func (s *session) publishOne(ctx context.Context, snap *snapshot, d *document, last published, push bool) *examination {
	defer s.recovered("the diagnostics")
	e := snap.examine(d)
	if last.doc == d && last.number == e.number {
		return nil
	}
	if push {
		s.tell(ctx, publishParams{d.uri, &d.version, snap.diagnostics(d, e.problems)})
	}
	return e
}

func (s *session) tell(ctx context.Context, p publishParams) {
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
