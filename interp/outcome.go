package interp

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// An exact text keeps its bytes in JSON: it is a string, or an object with base64 if it
// is not UTF-8. JSON inside of it is not compacted, and need not be valid.
type exact string

func (e exact) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(e)) {
		return plainjson.String(string(e)), nil
	}
	return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString([]byte(e))})
}

func (e *exact) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '{' {
		return json.Unmarshal(data, (*string)(e))
	}
	var coded struct{ Base64 []byte }
	if err := json.Unmarshal(data, &coded); err != nil {
		return err
	}
	*e = exact(coded.Base64)
	return nil
}

// exactBytes is an exact text that can be nil.
func exactBytes(b json.RawMessage) *exact {
	if b == nil {
		return nil
	}
	e := exact(b)
	return &e
}

func (e *exact) bytes() json.RawMessage {
	if e == nil {
		return nil
	}
	return json.RawMessage(*e)
}

// The JSON form of outcomes. Recorded runs depend on it: names stay as they are.
type (
	outcomeJSON struct {
		Response  *responseJSON  `json:"response,omitempty"`
		Failure   *runErrorJSON  `json:"failure,omitempty"`
		Model     int            `json:"model,omitempty"`
		Failed    []runErrorJSON `json:"failed,omitempty"`
		Skipped   int            `json:"skipped,omitempty"`
		Unsent    bool           `json:"unsent,omitempty"`
		MaxTokens int            `json:"max_tokens,omitempty"`
		Cut       bool           `json:"cut,omitempty"`
		Spent     *spentJSON     `json:"spent,omitempty"`
		Charged   *chargedJSON   `json:"charged,omitempty"`
		Result    *exact         `json:"result,omitempty"`
		Error     *toolErrorJSON `json:"error,omitempty"`
		Time      time.Duration  `json:"ns,omitempty"`
		Unknown   bool           `json:"unknown,omitempty"`
		Approved  bool           `json:"approved,omitempty"`
		Unasked   bool           `json:"unasked,omitempty"`
		Args      *exact         `json:"args,omitempty"`
	}
	responseJSON struct {
		Content   exact         `json:"content,omitempty"`
		Calls     []callJSON    `json:"calls,omitempty"`
		Refusal   exact         `json:"refusal,omitempty"`
		Finish    exact         `json:"finish,omitempty"`
		Usage     runtime.Usage `json:"usage,omitzero"`
		Sent      int           `json:"sent,omitempty"`
		Lost      int           `json:"lost,omitempty"`
		Reasoning exact         `json:"reasoning,omitempty"`
		Extra     *exact        `json:"extra,omitempty"`
	}
	callJSON struct {
		ID    exact  `json:"id,omitempty"`
		Name  exact  `json:"name"`
		Args  *exact `json:"args,omitempty"`
		Extra *exact `json:"extra,omitempty"`
	}
	runErrorJSON struct {
		Kind    runtime.ErrorKind `json:"kind"`
		Message exact             `json:"message"`
		Wait    time.Duration     `json:"wait_ns,omitempty"`
		Sent    int               `json:"sent,omitempty"`
		Lost    int               `json:"lost,omitempty"`
		Refused bool              `json:"refused,omitempty"`
	}
	toolErrorJSON struct {
		Kind      runtime.ToolErrorKind `json:"kind"`
		Message   exact                 `json:"message"`
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
		Model: o.Model, Skipped: o.Skipped, Unsent: o.Unsent, MaxTokens: o.MaxTokens, Cut: o.Cut, Result: exactBytes(o.Result),
		Time: o.Time, Unknown: o.Unknown, Approved: o.Approved, Unasked: o.Unasked, Args: exactBytes(o.Args),
	}
	if r := o.Response; r != nil {
		j.Response = &responseJSON{
			Content: exact(r.Content), Refusal: exact(r.Refusal), Finish: exact(r.Finish), Usage: r.Usage,
			Sent: r.Attempts.Sent, Lost: r.Attempts.Lost, Reasoning: exact(r.Reasoning), Extra: exactBytes(r.Extra),
		}
		for _, c := range r.Calls {
			j.Response.Calls = append(j.Response.Calls, callJSON{exact(c.ID), exact(c.Name), exactBytes(c.Args), exactBytes(c.Extra)})
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
		j.Error = &toolErrorJSON{e.Kind, exact(e.Message), e.Abandoned}
	}
	return plainjson.Marshal(j)
}

func jsonOfRunError(e *runtime.Error) runErrorJSON {
	return runErrorJSON{e.Kind, exact(e.Message), e.Wait, e.Attempts.Sent, e.Attempts.Lost, e.Refused}
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
		Model: j.Model, Skipped: j.Skipped, Unsent: j.Unsent, MaxTokens: j.MaxTokens, Cut: j.Cut, Result: j.Result.bytes(),
		Time: j.Time, Unknown: j.Unknown, Approved: j.Approved, Unasked: j.Unasked, Args: j.Args.bytes(),
	}
	if r := j.Response; r != nil {
		o.Response = &runtime.Response{
			Content: string(r.Content), Refusal: string(r.Refusal), Finish: string(r.Finish), Usage: r.Usage,
			Attempts: runtime.Attempts{Sent: r.Sent, Lost: r.Lost}, Reasoning: string(r.Reasoning), Extra: r.Extra.bytes(),
		}
		for _, c := range r.Calls {
			o.Response.Calls = append(o.Response.Calls, runtime.Call{ID: string(c.ID), Name: string(c.Name), Args: c.Args.bytes(), Extra: c.Extra.bytes()})
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
