package scenario

import (
	"encoding/json"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/vocabulary"
	"github.com/gram-lang/gramc/source"
)

// This file holds the data that a test means:
//
//	[late:Test {agent: "support", library: "./local.gram"} |
//	  [:User {text: "Where is order A-12345?"}],
//	  [:Model {call: "findOrder", with: {orderId: "A-12345"}}],
//	  [:Expect {called: "findOrder"}]]

// A Scenario is a conversation with an agent, and what must hold of it. It is plain
// data, which is not changed after it was made.
type Scenario struct {
	Name      string
	Agent     *Agent
	Libraries []string // paths, relative to the file of the test
	Model     Responder
	Recording string   // a path, relative to the file of the test; "" for none
	Approve   []string // tools whose calls the user allows
	Passes    int      // how often it must pass
	Runs      int      // of how many runs
	MustHold  bool
	Group     string  // of tests that are not independent of each other; "" for none
	Turns     []*Turn // at least one

	Pattern *ast.Pattern
}

// An Agent is what the check of a test has to know of an agent.
type Agent struct {
	Name    string
	Tools   []*Tool
	Returns *types.Type // of the answer; nil for text
	Pattern *ast.Pattern
}

// A Tool is a tool of an agent.
type Tool struct {
	Name      string
	Signature *types.Signature // nil when something is wrong with it
}

// Tool returns the tool of that name, nil for none.
func (a *Agent) Tool(name string) *Tool {
	i := slices.IndexFunc(a.Tools, func(t *Tool) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return a.Tools[i]
}

// A Responder is who responds in place of a model, or the model.
type Responder string

// The responders.
const (
	Scripted Responder = "scripted" // the Model steps
	Recorded Responder = "recorded"
	Offline  Responder = "offline" // fixed rules
	Live     Responder = "live"    // the model of the agent
)

// A Turn is a message of the user, and what is said of the answer.
type Turn struct {
	Message string
	Model   []*Response
	Results []*Result
	Faults  []*Fault
	Expect  []*Expect

	Pattern *ast.Pattern // of the message
}

// A Response is one of the scripted model.
type Response struct {
	Text    string
	Calls   []Call
	Refuses string
	Finish  string // "" leaves it to what the response is
	Tokens  int64

	Pattern *ast.Pattern
}

// A Call is a call of a tool.
type Call struct {
	Tool string
	Args json.RawMessage
}

// A Result is what a tool returns in a test.
type Result struct {
	Tool string
	With Arguments
	Is   json.RawMessage

	Pattern *ast.Pattern
}

// A Fault is what goes wrong.
type Fault struct {
	Tool    string // "" for a request
	Request int    // counted from 1; 0 for a tool
	Fails   string // a word of vocabulary.ToolFaults or ModelFaults; "" with Returns
	Returns json.RawMessage
	Message string
	Times   int

	Pattern *ast.Pattern
}

// Arguments are some arguments of a call.
type Arguments []Argument

// An Argument is the value of an argument, or a regular expression for it.
type Argument struct {
	Name    string
	Value   json.RawMessage // nil with Pattern
	Pattern string
}

// An Expect is what must hold. Of the tools, "" says nothing.
type Expect struct {
	Texts, Without []string
	Equals         string
	Pattern        string
	Path           string // a JSON Pointer, "" for the whole
	Is             json.RawMessage

	Result   string
	Called   string
	Never    string
	Times    int // 0 for one or more
	With     Arguments
	Before   string
	Argument string
	From     string
	Order    []string
	Handled  string
	Asked    string

	Finish   string
	Refused  *bool
	Fails    string
	Requests int
	Tokens   int64
	Cost     float64
	Seconds  float64

	Rubric string
	Gate   bool

	Step *ast.Pattern
}

// IsTest reports whether a pattern of any file is a test of an agent. A graph may
// hold tests of another sort.
func IsTest(p *ast.Pattern) bool {
	return p.Form == ast.FormBracket && p.HasLabel(ast.LabelTest) &&
		(slices.ContainsFunc(p.Elements, isStep) || len(p.Elements) == 0 && isUnfinished(p))
}

// A Path is a file that a test names, relative to the file of the test.
type Path struct {
	Key  string // library or recording
	Text string
	Span source.Span
}

// Paths returns the files that the tests of a file name.
func Paths(f *ast.File) (paths []Path) {
	for _, p := range f.Patterns {
		if !IsTest(p) {
			continue
		}
		for _, key := range []string{"library", "recording"} {
			for _, v := range listed(p.Property(key)) {
				if text, ok := ast.WordOf(v); ok && !notRelative(text) {
					paths = append(paths, Path{key, text, v.Span()})
				}
			}
		}
	}
	return paths
}

// isUnfinished reports whether the properties of a pattern without steps are those of a
// test, and not words that other graphs have as well.
func isUnfinished(p *ast.Pattern) bool {
	own := false
	if r := p.Subject.Record; r != nil {
		for _, property := range r.Properties {
			key := property.Key.Text
			if !slices.Contains(vocabulary.Keys(vocabulary.OwnerTest), key) {
				return false
			}
			own = own || slices.Contains([]string{"library", "recording", "approve", "passes", "mustHold"}, key)
		}
	}
	return own
}

// isStep reports whether a pattern is labelled as a step of a test.
func isStep(p *ast.Pattern) bool { return stepOwner(p) != "" }

func stepOwner(p *ast.Pattern) vocabulary.Owner {
	if p.Form == ast.FormBracket {
		for _, w := range vocabulary.StepLabels() {
			if p.HasLabel(w.Name) {
				return w.Owner
			}
		}
	}
	return ""
}
