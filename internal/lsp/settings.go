package lsp

import (
	"context"
	"encoding/json"
)

// settings are what the user wants of the server. A client sends them with
// initialize, pushes them, or gives them when it is asked, as the object itself
// or under the key gram. What the server does not know there is for the client.
type settings struct {
	Strict     bool `json:"strict"`     // warnings count as errors, as for gramc check --strict
	StrictGram bool `json:"strictGram"` // and so does what only gramc takes for gram, --strict-gram

	Libraries  []string `json:"libraries"`  // the files of --library, absolute or below the folders of the workspace
	InlayHints *bool    `json:"inlayHints"` // nil for true
}

// section is the key of the settings.
const section = "gram"

// readSettings reads settings; nothing are the default ones.
func readSettings(raw json.RawMessage) (settings, error) {
	var p struct {
		settings
		Gram *settings `json:"gram"`
	}
	if len(raw) == 0 {
		return settings{}, nil
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return settings{}, err
	}
	if p.Gram != nil {
		return *p.Gram, nil
	}
	return p.settings, nil
}

// showsInlayHints reports whether the user wants inlay hints.
func (s settings) showsInlayHints() bool { return s.InlayHints == nil || *s.InlayHints }

// applySettings applies settings. None, and those that cannot be read, change
// nothing.
func (s *session) applySettings(ctx context.Context, raw json.RawMessage) {
	if len(raw) == 0 || string(raw) == "null" {
		return
	}
	wanted, err := readSettings(raw)
	if err != nil {
		s.log.Printf("the settings are left as they were: %v", err)
		return
	}
	before := s.snapshot()
	s.update(func(next *snapshot) { next.settings = wanted })
	if before.settings.showsInlayHints() != wanted.showsInlayHints() && before.capabilities.Workspace.InlayHint.Refresh {
		s.call(ctx, "workspace/inlayHint/refresh", nil)
	}
}

type configurationParams struct {
	Settings json.RawMessage `json:"settings"`
}

// changeSettings applies the settings that a client pushes. A client that can
// be asked can send only that something has changed.
func changeSettings(ctx context.Context, s *session, p *configurationParams) {
	if s.snapshot().capabilities.Workspace.Configuration {
		s.askSettings(ctx)
		return
	}
	s.applySettings(ctx, p.Settings)
}

// askSettings asks the client for the settings.
func (s *session) askSettings(ctx context.Context) {
	number := s.asked.Add(1)
	params := map[string]any{"items": []map[string]string{{"section": section}}}
	go func() {
		var answer []json.RawMessage
		if err := s.conn.Call(ctx, "workspace/configuration", params, &answer); err != nil {
			s.noteFailure(ctx, "workspace/configuration", err)
			return
		}
		if len(answer) == 1 && s.asked.Load() == number { // a later question has a later answer
			s.applySettings(ctx, answer[0])
		}
	}()
}
