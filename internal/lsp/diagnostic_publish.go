package lsp

import (
	"context"
	"maps"
	"time"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// publishInterval is the time from one round of publishing to the next. A
// change after a pause is published at once; while more is typed, no round
// waits longer than that.
const publishInterval = 30 * time.Millisecond

// restTime is how long nothing must change before files that are not open are
// checked, and maxClosed how many of them are.
const (
	restTime  = 300 * time.Millisecond
	maxClosed = 1000
)

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
// new snapshot, and after a rest those of the other files, until the session ends.
// It is the only goroutine that publishes, so that no older state follows a newer
// one.
func (s *session) publishAll(ctx context.Context) {
	sent := map[string]published{}
	rest := time.NewTimer(restTime)
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
			start := time.Now()
			s.publish(ctx, s.snapshot(), sent)
			rest.Reset(restTime)
			time.Sleep(publishInterval - time.Since(start))
		case <-rest.C:
			s.publishClosed(ctx, s.snapshot(), sent)
		}
	}
}

// publish publishes what has changed since the last round.
func (s *session) publish(ctx context.Context, snap *snapshot, sent map[string]published) {
	pull := snap.capabilities.TextDocument.Diagnostic != nil
	if pull {
		maps.DeleteFunc(sent, func(key string, _ published) bool { return snap.open[key] == nil })
	}
	refresh := false
	for _, d := range snap.publishOrder() {
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

// publishClosed publishes the problems of files that are not open, for clients that
// do not ask for them. It stops when something changes.
func (s *session) publishClosed(ctx context.Context, snap *snapshot, sent map[string]published) {
	if snap.capabilities.TextDocument.Diagnostic != nil || !snap.listing.done.Load() {
		return
	}
	closed := map[string]bool{}
	for _, d := range snap.searched() {
		switch {
		case d.open || len(closed) == maxClosed:
			continue
		case len(s.wake) > 0 || ctx.Err() != nil:
			return
		}
		closed[d.key] = true
		last := sent[d.key]
		if last.doc != nil && last.uri != d.uri { // it was open by another spelling
			s.publishTo(ctx, publishParams{URI: last.uri, Diagnostics: []diagnostic{}})
			last = published{}
		}
		if e := s.publishOne(ctx, snap, d, last, true); e != nil {
			sent[d.key] = published{d.uri, d, e.number}
		}
	}
	for key, last := range sent {
		if snap.open[key] == nil && !closed[key] {
			delete(sent, key)
			s.publishTo(ctx, publishParams{URI: last.uri, Diagnostics: []diagnostic{}})
		}
	}
}

// publishOne publishes the problems of a document, and returns the examination
// that found them. It is nil if that was published before, or after a panic.
func (s *session) publishOne(ctx context.Context, snap *snapshot, d *document, last published, push bool) *examination {
	defer s.recovered("the diagnostics")
	e := snap.examine(d)
	if last.doc == d && last.number == e.number {
		return nil
	}
	if isNews := d.open || last.doc != nil || len(e.problems) > 0; push && isNews {
		s.publishTo(ctx, publishParams{d.uri, snap.versionOf(d).Version, snap.diagnostics(d, e.problems)})
	}
	return e
}

func (s *session) publishTo(ctx context.Context, p publishParams) {
	err := s.conn.Notify(ctx, string(protocol.ServerTextDocumentPublishDiagnostics), p)
	s.noteFailure(ctx, "diagnostics were not sent", err)
}

// publishOrder returns the open documents, that which was changed last first.
func (s *snapshot) publishOrder() []*document {
	all := s.shown()
	for i, d := range all {
		if d.key == s.changed {
			copy(all[1:i+1], all[:i])
			all[0] = d
		}
	}
	return all
}
