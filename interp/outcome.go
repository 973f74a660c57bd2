package interp

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// The JSON form of outcomes. Recorded runs depend on it: names stay as they are.
type (
	outcomeJSON struct {
		Response  *responseJSON    `json:"response,omitempty"`
		Failure   *runErrorJSON    `json:"failure,omitempty"`
		Model     int              `json:"model,omitempty"`
		Failed    []runErrorJSON   `json:"failed,omitempty"`
		Skipped   int              `json:"skipped,omitempty"`
		Unsent    bool             `json:"unsent,omitempty"`
		Summary   int              `json:"summary,omitempty"`
		MaxTokens int              `json:"max_tokens,omitempty"`
		Cut       bool             `json:"cut,omitempty"`
		Spent     *spentJSON       `json:"spent,omitempty"`
		Charged   *chargedJSON     `json:"charged,omitempty"`
		Result    *plainjson.Exact `json:"result,omitempty"`
		Error     *toolErrorJSON   `json:"error,omitempty"`
		Time      time.Duration    `json:"ns,omitempty"`
		Unknown   bool             `json:"unknown,omitempty"`
		Approved  bool             `json:"approved,omitempty"`
		Reason    plainjson.Exact  `json:"reason,omitempty"`
		Unasked   bool             `json:"unasked,omitempty"`
		Args      *plainjson.Exact `json:"args,omitempty"`
	}
	responseJSON struct {
		Content   plainjson.Exact  `json:"content,omitempty"`
		Calls     []callJSON       `json:"calls,omitempty"`
		Refusal   plainjson.Exact  `json:"refusal,omitempty"`
		Finish    plainjson.Exact  `json:"finish,omitempty"`
		Usage     runtime.Usage    `json:"usage,omitzero"`
		Sent      int              `json:"sent,omitempty"`
		Lost      int              `json:"lost,omitempty"`
		Reasoning plainjson.Exact  `json:"reasoning,omitempty"`
		Extra     *plainjson.Exact `json:"extra,omitempty"`
	}
	callJSON struct {
		ID    plainjson.Exact  `json:"id,omitempty"`
		Name  plainjson.Exact  `json:"name"`
		Args  *plainjson.Exact `json:"args,omitempty"`
		Extra *plainjson.Exact `json:"extra,omitempty"`
	}
	runErrorJSON struct {
		Kind    runtime.ErrorKind `json:"kind"`
		Message plainjson.Exact   `json:"message"`
		Wait    time.Duration     `json:"wait_ns,omitempty"`
		Sent    int               `json:"sent,omitempty"`
		Lost    int               `json:"lost,omitempty"`
		Refused bool              `json:"refused,omitempty"`
	}
	toolErrorJSON struct {
		Kind      runtime.ToolErrorKind `json:"kind"`
		Message   plainjson.Exact       `json:"message"`
		Abandoned bool                  `json:"abandoned,omitempty"`
	}
	spentJSON struct {
		Requests  int   `json:"requests,omitempty"`
		Tokens    int64 `json:"tokens,omitempty"`
		Cost      Money `json:"cost,omitempty"`
		Unpriced  int   `json:"unpriced,omitempty"`
		Uncounted int   `json:"uncounted,omitempty"`
	}
	chargedJSON struct {
		Requests int   `json:"requests,omitempty"`
		Tokens   int64 `json:"tokens,omitempty"`
		Cost     Money `json:"cost,omitempty"`
	}
)

// MarshalJSON writes everything but the causes of errors.
func (o Outcome) MarshalJSON() ([]byte, error) {
	j := outcomeJSON{
		Model: o.Model, Skipped: o.Skipped, Unsent: o.Unsent, Summary: o.Summary, MaxTokens: o.MaxTokens, Cut: o.Cut, Result: plainjson.ExactOf(o.Result),
		Time: o.Time, Unknown: o.Unknown, Approved: o.Approved, Reason: plainjson.Exact(o.Reason), Unasked: o.Unasked, Args: plainjson.ExactOf(o.Args),
	}
	if r := o.Response; r != nil {
		j.Response = &responseJSON{
			Content: plainjson.Exact(r.Content), Refusal: plainjson.Exact(r.Refusal), Finish: plainjson.Exact(r.Finish), Usage: r.Usage,
			Sent: r.Attempts.Sent, Lost: r.Attempts.Lost, Reasoning: plainjson.Exact(r.Reasoning), Extra: plainjson.ExactOf(r.Extra),
		}
		for _, c := range r.Calls {
			j.Response.Calls = append(j.Response.Calls, callJSON{plainjson.Exact(c.ID), plainjson.Exact(c.Name), plainjson.ExactOf(c.Args), plainjson.ExactOf(c.Extra)})
		}
	}
	if o.Failure != nil {
		failure := jsonOfRunError(o.Failure)
		j.Failure = &failure
	}
	for _, err := range o.Failed {
		j.Failed = append(j.Failed, jsonOfRunError(err))
	}
	if o.Spent != (Spent{}) {
		spent := spentJSON(o.Spent)
		j.Spent = &spent
	}
	if o.Charged != (Budget{}) {
		charged := chargedJSON(o.Charged)
		j.Charged = &charged
	}
	if e := o.Error; e != nil {
		j.Error = &toolErrorJSON{e.Kind, plainjson.Exact(e.Message), e.Abandoned}
	}
	return plainjson.Marshal(j)
}

func jsonOfRunError(e *runtime.Error) runErrorJSON {
	return runErrorJSON{e.Kind, plainjson.Exact(e.Message), e.Wait, e.Attempts.Sent, e.Attempts.Lost, e.Refused}
}

func (j *runErrorJSON) runError() *runtime.Error {
	return &runtime.Error{
		Kind: j.Kind, Message: string(j.Message), Wait: j.Wait, Attempts: runtime.Attempts{Sent: j.Sent, Lost: j.Lost}, Refused: j.Refused,
	}
}

// UnmarshalJSON reads what MarshalJSON has written.
func (o *Outcome) UnmarshalJSON(data []byte) error {
	var j outcomeJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return errors.New("the outcome of a step cannot be read: " + err.Error())
	}
	*o = Outcome{
		Model: j.Model, Skipped: j.Skipped, Unsent: j.Unsent, Summary: j.Summary, MaxTokens: j.MaxTokens, Cut: j.Cut, Result: j.Result.Bytes(),
		Time: j.Time, Unknown: j.Unknown, Approved: j.Approved, Reason: string(j.Reason), Unasked: j.Unasked, Args: j.Args.Bytes(),
	}
	if r := j.Response; r != nil {
		o.Response = &runtime.Response{
			Content: string(r.Content), Refusal: string(r.Refusal), Finish: string(r.Finish), Usage: r.Usage,
			Attempts: runtime.Attempts{Sent: r.Sent, Lost: r.Lost}, Reasoning: string(r.Reasoning), Extra: r.Extra.Bytes(),
		}
		for _, c := range r.Calls {
			o.Response.Calls = append(o.Response.Calls, runtime.Call{ID: string(c.ID), Name: string(c.Name), Args: c.Args.Bytes(), Extra: c.Extra.Bytes()})
		}
	}
	if j.Failure != nil {
		o.Failure = j.Failure.runError()
	}
	for i := range j.Failed {
		o.Failed = append(o.Failed, j.Failed[i].runError())
	}
	if j.Spent != nil {
		o.Spent = Spent(*j.Spent)
	}
	if j.Charged != nil {
		o.Charged = Budget(*j.Charged)
	}
	if e := j.Error; e != nil {
		o.Error = &runtime.ToolError{Kind: e.Kind, Message: string(e.Message), Abandoned: e.Abandoned}
	}
	return nil
}
