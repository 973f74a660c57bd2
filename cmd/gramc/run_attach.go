package main

import (
	"errors"
	"fmt"

	"github.com/gram-lang/gramc/internal/attach"
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
	model, _ := r.models().Model(r.agent.Model.Provider, r.agent.Model.ID)
	if err := attach.Check(r.attached, model); err != nil {
		return &exit{exitUsage, fmt.Errorf("--attach %w", err)}
	}
	return nil
}

// attachedTo returns the attachments of message i.
func (r *runner) attachedTo(i int) []runtime.Attachment {
	if i > 0 {
		return nil
	}
	return r.attached
}
