package temporal

import (
	"context"
	"encoding/json"
	"time"

	"github.com/gram-lang/gramc/internal/journal"
)

// The names in Temporal.
const (
	workflowName  = "Run"
	modelName     = "Model"   // makes a request, and plans what follows
	toolName      = "Tool"    // makes a call
	stopName      = "Stop"    // writes the end of a run that is cancelled
	archiveName   = "Archive" // puts entries in the store, before the history begins anew
	decideName    = "decide"  // an update
	memoCreated   = "created" // when a run began whose history is not the first one
	maxInline     = 64 << 10  // bytes of an entry in a history
	heartbeat     = 5 * time.Second
	heartbeatEach = 2 * time.Second
)

// An input is what a workflow begins with. Histories depend on the JSON form of this and of the
// types below: names stay as they are.
type input struct {
	Agent   string `json:"agent"`
	Model   string `json:"model,omitempty"`
	File    string `json:"file,omitempty"`
	User    string `json:"user,omitempty"`
	Session string `json:"session,omitempty"`
	Parent  string `json:"parent,omitempty"`
	Title   string `json:"title,omitempty"`
	Program string `json:"program"` // hash

	Start entry    `json:"start"`
	Given []string `json:"given,omitempty"` // hashes of the conversation that the run continues, in parts

	// Of a history that goes on after another one.
	Created time.Time     `json:"created,omitzero"`
	Earlier string        `json:"earlier,omitempty"` // hash of the entries before, with the start
	Worked  time.Duration `json:"worked_ns,omitempty"`
	Cost    float64       `json:"cost_usd,omitempty"`
	Entries []entry       `json:"entries,omitempty"` // that no activity has got yet
}

// about returns what is known of the run.
func (in *input) about(id string) journal.Run {
	return journal.Run{
		ID: id, Agent: in.Agent, File: in.File, User: in.User, Session: in.Session, Parent: in.Parent, Title: in.Title, Program: in.Program,
		Created: in.Created, Status: journal.Running,
	}
}

// An entry is a [journal.Entry] in a history.
type entry struct {
	Key  string          `json:"key,omitempty"`
	Kind string          `json:"kind"`
	Data json.RawMessage `json:"data,omitempty"`
	Ref  string          `json:"ref,omitempty"`   // hash of the data, instead
	Size int             `json:"bytes,omitempty"` // of it
	Time time.Time       `json:"time,omitzero"`
}

// pack returns an entry for a history.
func (e *Engine) pack(ctx context.Context, j *journal.Entry) (entry, error) {
	p := entry{Key: j.Key, Kind: j.Kind, Data: j.Data}
	if len(j.Data) <= maxInline {
		return p, nil
	}
	var err error
	p.Data, p.Size = nil, len(j.Data)
	p.Ref, err = e.o.Store.Put(ctx, j.Data)
	return p, err
}

// unpack returns an entry of a history; at is when it was written there.
func (e *Engine) unpack(ctx context.Context, p *entry, at time.Time) (journal.Entry, error) {
	j := journal.Entry{Key: p.Key, Kind: p.Kind, Data: p.Data, Time: at}
	if !p.Time.IsZero() {
		j.Time = p.Time
	}
	var err error
	if p.Ref != "" {
		j.Data, err = e.o.Store.Get(ctx, p.Ref)
	}
	return j, err
}

// A task is what an activity gets.
type task struct {
	Step    string        `json:"step,omitempty"`    // the key of a call
	Entries []entry       `json:"entries,omitempty"` // decisions and intents that are new
	Worked  time.Duration `json:"worked_ns,omitempty"`
}

// A result is what an activity has done.
type result struct {
	Entries []entry        `json:"entries,omitempty"`
	Calls   []call         `json:"calls,omitempty"`  // that come next; none: a request
	Waits   *question      `json:"waits,omitempty"`  // the run waits for a decision
	Status  journal.Status `json:"status,omitempty"` // of a run that has ended
	Error   string         `json:"error,omitempty"`
	Cost    float64        `json:"cost_usd,omitempty"`
}

// A call is one that is planned.
type call struct {
	Step   string `json:"step"`
	Tool   string `json:"tool"`
	Intent *entry `json:"intent,omitempty"` // of a call that must not be made twice
}

// A question is what a run waits for.
type question struct {
	Step string `json:"step"`
	Tool string `json:"tool"`
	Hash string `json:"args_sha256"` // of the arguments
}
