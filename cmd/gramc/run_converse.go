package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// converse sends the messages, one after another, and shows what comes back.
func (r *runner) converse(ctx context.Context) error {
	for i, message := range r.messages {
		if strings.TrimSpace(message) == "" {
			return r.failed(ctx, runtime.Errorf(runtime.KindValidation, "Empty user input%s", r.ofMessages(i)))
		}
	}
	if r.keeping.kept != nil {
		return r.converseKept(ctx)
	}
	bound, err := r.bindAgent(r.guardLeaks(r.tools, r.agent), r.options())
	if err != nil {
		return r.failed(ctx, err)
	}
	var conversation runtime.Conversation
	for i, message := range r.messages {
		r.showMessage(i)
		sent := runtime.UserMessage(message)
		sent.Attachments = r.attachedTo(i)
		if err := r.began(&sent); err != nil {
			return err
		}
		for event, err := range bound.EventsOf(ctx, sent, conversation) {
			if err := r.takeEvent(ctx, &event, err); err != nil {
				return err
			}
			if event.Kind == interp.EventAnswer {
				conversation = event.Answer.Conversation
			}
		}
	}
	return nil
}

// takeEvent shows an event. Its error ends the command.
func (r *runner) takeEvent(ctx context.Context, e *interp.Event, err error) error {
	if err == nil {
		err = r.saw(e)
	}
	if err == nil {
		err = r.showEvent(e)
	}
	if err != nil {
		r.stream.EndLine()
		r.out.Flush()
		if e.Answer != nil {
			r.used = e.Answer.ToolsUsed
		}
		return r.failed(ctx, err)
	}
	switch {
	case e.Kind != interp.EventAnswer:
		return nil
	case e.Answer.OutOfBudget:
		return r.failed(ctx, runtime.Errorf(runtime.KindBudget, "the answer is cut off, since a budget allows no more"))
	case e.Answer.Finish == "length":
		return r.failed(ctx, runtime.Errorf(runtime.KindLLMAPI, "the answer is cut off at the length limit of the model"))
	}
	return nil
}

// spentNow returns what was spent since the last time; nil if the providers did not say it
// and no budget asks for it, and for a recording.
func (r *runner) spentNow() *spentLine {
	now := r.account.Spent()
	spent := now.Since(r.before)
	r.before = now
	if spent.Tokens == 0 && !r.budget.limited() || r.recorded.replayer != nil {
		return nil
	}
	return spentLineOf(spent)
}

// ofMessages names a message where there are several.
func (r *runner) ofMessages(i int) string {
	if len(r.messages) == 1 {
		return ""
	}
	return fmt.Sprintf(" (message %d of %d)", i+1, len(r.messages))
}

// showMessage repeats a message if there are several, so that each response can
// be matched to its message.
func (r *runner) showMessage(i int) {
	if len(r.messages) > 1 && !r.asJSON && !r.quiet {
		if i > 0 {
			fmt.Fprintln(r.err)
		}
		fmt.Fprintf(r.err, "💬 %s\n", clean(r.messages[i]))
	}
}

// showEvent shows the calls of tools and the answer, and on a terminal what the model
// says until then.
func (r *runner) showEvent(e *interp.Event) error {
	answered := r.streams() && r.stream.Event(e)
	switch {
	case answered:
	case e.Kind == interp.EventAnswer && r.asJSON:
		return r.writeLine(struct {
			*interp.AgentResponse
			Spent *spentLine `json:"spent,omitempty"`
		}{e.Answer, r.spentNow()})
	case e.Kind == interp.EventAnswer:
		fmt.Fprintln(r.out, clean(e.Answer.Content))
	case e.Kind == interp.EventToolFinished && !r.asJSON && !r.quiet && !e.Replayed:
		r.showCall(e.Invocation)
	case e.Kind == interp.EventCompacted && !r.asJSON && !r.quiet:
		r.note("the conversation was too long: " + e.Compaction.String())
	case e.Kind == interp.EventFallback && !r.asJSON:
		r.note(shortMessage(e.Fallback.String()))
	}
	return r.out.Flush()
}

func (r *runner) showCall(i *runtime.Invocation) {
	fmt.Fprintln(r.err, callLine(i))
}

// callLine returns a call of a tool and its outcome on one line.
func callLine(i *runtime.Invocation) string {
	outcome := "→ " + shortJSON(i.Result)
	if i.Err != nil {
		outcome = "✗ " + shortMessage(i.Err.Message)
	}
	return fmt.Sprintf("🛠 %s(%s) %s", cleanLine(i.Tool), shortJSON(i.Args), outcome)
}

// shortJSON returns a JSON value on one line, cut where it is long.
func shortJSON(value []byte) string {
	var compact bytes.Buffer
	if json.Compact(&compact, value) == nil {
		value = compact.Bytes()
	}
	return shortMessage(string(value))
}
