package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// Limits on what is read of a trace.
const (
	maxLine   = 16 << 20 // bytes
	maxEvents = 100_000
	maxKept   = 32 << 20 // bytes of texts
	maxText   = 20_000   // bytes of one text
	maxNames  = 200      // tools or files of a message
	maxBeside = 50       // different agents of the messages, with schemas and files
)

// A Trace is what happened in the runs of a file.
type Trace struct {
	runs       []*run
	agents     []*line // the messages that have the schemas and files of an agent
	unreadable int     // lines
	first      int     // the number of the first of them
	cut        bool    // the last line is not whole
	leftOut    bool    // there are more events than are kept

	events, kept int
}

// A run is what one message led to.
type run struct {
	message *line // nil if the trace begins later
	agent   int   // of Trace.agents; -1 for none
	steps   []step
	end     *line // the answer or the failure; nil if the run has not ended
}

// A step is a request, or else a note: a fallback or a compaction outside of requests.
type step struct {
	request *request
	note    *line
}

// A request has the calls that its response asks for.
type request struct {
	asked, answered *line // answered is nil without a response
	fallbacks       []*line
	calls           []*call
	running         map[string]*call // by id
}

type call struct{ started, approval, finished *line }

// Read reads a trace. It keeps the beginnings of long texts, and stops at events that are too
// many. The error says that the input is no trace or cannot be read.
func Read(in io.Reader) (*Trace, error) {
	t := &Trace{}
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, maxLine)
	whole := true // the last line ends with a line break
	scanner.Split(func(data []byte, end bool) (int, []byte, error) {
		n, token, err := bufio.ScanLines(data, end)
		whole = token == nil || n > len(token)
		return n, token, err
	})
	number := 0
	for !t.leftOut && scanner.Scan() {
		number++
		text := bytes.TrimSpace(scanner.Bytes())
		if len(text) == 0 {
			continue
		}
		if t.add(text) {
			continue
		}
		if !whole {
			t.cut = true
			break
		}
		if t.unreadable++; t.unreadable == 1 {
			t.first = number
		}
	}
	switch err := scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d is longer than %d MiB", number+1, maxLine>>20)
	case err != nil:
		return nil, err
	case len(t.runs) == 0:
		return nil, errors.New("this is no trace, as gramc run --trace writes it")
	}
	return t, nil
}

// add adds a line, and reports whether it is an event that fits where it stands.
func (t *Trace) add(text []byte) bool {
	l := &line{}
	if json.Unmarshal(text, l) != nil {
		return false
	}
	t.kept += l.shorten()
	if t.events++; t.events > maxEvents || t.kept > maxKept {
		t.leftOut = true
		return true
	}
	if l.Event == eventMessage {
		if len(l.Definitions)+len(l.Returns)+len(l.Files) > 0 && len(t.agents) < maxBeside {
			t.agents = append(t.agents, l)
		}
		t.runs = append(t.runs, &run{message: l, agent: len(t.agents) - 1})
		return true
	}
	if len(t.runs) == 0 {
		if l.Event != eventStopped {
			return false
		}
		t.runs = append(t.runs, &run{agent: -1})
	}
	return t.runs[len(t.runs)-1].add(l)
}

func (r *run) add(l *line) bool {
	last := r.lastRequest()
	switch l.Event {
	case eventAnswer, eventStopped:
		r.end = l
	case eventRequest:
		r.steps = append(r.steps, step{request: &request{asked: l}})
	case eventCompacted:
		r.steps = append(r.steps, step{note: l})
	case eventFallback:
		if last == nil || last.answered != nil {
			r.steps = append(r.steps, step{note: l})
		} else {
			last.fallbacks = append(last.fallbacks, l)
		}
	default:
		return last != nil && last.add(l)
	}
	return true
}

func (r *run) lastRequest() *request {
	if len(r.steps) == 0 {
		return nil
	}
	return r.steps[len(r.steps)-1].request
}

// add adds what belongs to a request.
func (r *request) add(l *line) bool {
	switch l.Event {
	case eventResponse:
		r.answered = l
		return true
	case eventStarted:
		c := &call{started: l}
		r.calls = append(r.calls, c)
		if r.running == nil {
			r.running = make(map[string]*call)
		}
		r.running[l.ID] = c
		return true
	case eventApproval:
		if len(r.calls) == 0 {
			return false
		}
		r.calls[len(r.calls)-1].approval = l
		return true
	case eventFinished:
		c, ok := r.running[l.ID]
		if !ok {
			return false
		}
		c.finished = l
		delete(r.running, l.ID)
		return true
	}
	return false
}

// shorten cuts the long texts of a line, and returns how many bytes of texts it keeps.
func (l *line) shorten() (kept int) {
	cutTo := func(text *string, most int) {
		if len(*text) > most {
			*text = fmt.Sprintf("%s… (%d bytes)", excerpt.Bytes(*text, most), len(*text))
		}
		kept += len(*text)
	}
	cut := func(text *string) { cutTo(text, maxText) }
	cutJSON := func(value *json.RawMessage) {
		if len(*value) > maxText {
			*value = fmt.Appendf(nil, "%s… (%d bytes)", excerpt.Bytes(string(*value), maxText), len(*value))
		}
		kept += len(*value)
	}
	for _, text := range []*string{&l.Event, &l.Agent, &l.Model, &l.Instruction, &l.Content, &l.Refusal, &l.Finish, &l.ID, &l.Tool} {
		cut(text)
	}
	for _, list := range []*[]string{&l.Tools, &l.Attached} {
		*list = slices.Clone((*list)[:min(len(*list), maxNames)])
		for i := range *list {
			cut(&(*list)[i])
		}
	}
	cutJSON(&l.Args)
	cutJSON(&l.Returns)
	l.Definitions = slices.Clone(l.Definitions[:min(len(l.Definitions), maxNames)])
	for i := range l.Definitions {
		d := &l.Definitions[i]
		cut(&d.Name)
		cut(&d.Description)
		cutJSON(&d.Input)
		cutJSON(&d.Output)
	}
	l.Files = slices.Clone(l.Files[:min(len(l.Files), maxNames)])
	for i := range l.Files {
		f := &l.Files[i]
		cut(&f.Name)
		cut(&f.Hash)
		cutTo(&f.Text, maxSource)
	}
	if i := l.Invocation; i != nil {
		cut(&i.Tool)
		cutJSON(&i.Args)
		cutJSON(&i.Result.Success)
		if i.Result.Error != nil {
			cut(i.Result.Error)
		}
	}
	if l.Error != nil {
		cut(&l.Error.Kind)
		cut(&l.Error.Message)
	}
	return kept
}

// between returns how long something took; 0 if an end is missing or before the start.
func between(start, end *line) time.Duration {
	if start == nil || end == nil || start.Time.IsZero() || end.Time.IsZero() {
		return 0
	}
	return min(max(end.Time.Sub(start.Time), 0), longest)
}
