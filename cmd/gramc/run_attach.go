package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/internal/attach"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

// readAttachments reads the files of --attach, which the model must take as far as that
// is known.
func (r *runner) readAttachments() error {
	if len(r.attach) > 0 && len(r.messages) == 0 {
		return errors.New("--attach needs a message; in a conversation, write @FILE")
	}
	for _, name := range r.attach {
		r.filesRead.Store(name, true)
	}
	var err error
	if r.attached, err = attach.Read(r.attach); err != nil {
		return &exit{exitUsage, fmt.Errorf("--attach %w", err)}
	}
	model, known := models.Builtin().Model(r.agent.Model.Provider, r.agent.Model.ID)
	for i := range r.attached {
		if what := refusedKind(model, &r.attached[i]); known && what != "" {
			return &exit{exitUsage, fmt.Errorf("--attach %s: the model %s takes no %s", r.attach[i], r.agent.Model, what)}
		}
	}
	return nil
}

// refusedKind returns the kind of an attachment that a model does not take, "" if it may.
func refusedKind(m *models.Model, a *runtime.Attachment) string {
	switch {
	case m == nil:
	case m.Images == models.No && strings.HasPrefix(a.MediaType, "image/"):
		return "images"
	case m.Files == models.No && a.MediaType == "application/pdf":
		return "PDF"
	}
	return ""
}

// attachedTo returns the attachments of message i.
func (r *runner) attachedTo(i int) []runtime.Attachment {
	if i > 0 {
		return nil
	}
	return r.attached
}
