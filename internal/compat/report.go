package compat

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A role is what a schema is for.
type role struct {
	path    string // its pointer in the contract
	whole   string // what it describes
	field   string // the word for a field of the whole
	isInput bool   // values go to whoever made the promise
}

var (
	inputRole   = role{"/input", "the arguments", "argument", true}
	outputRole  = role{"/output", "the result", "field", false}
	answersRole = role{"/returns", "the answer", "field", false}
)

// A changeReport collects what the comparison of two schemas finds.
type changeReport struct {
	*jsonschema.SubtypeChecker
	role
	forward  bool // the question is whether the old schema is a subtype of the new one
	noted    map[[2]*jsonschema.Schema]bool
	findings map[string]*finding
}

// A finding is one difference, which may have no effect.
type finding struct {
	path, what, why    string
	narrower, wider    bool // values are lost, or new
	undecided, ignored bool // ignored: values are accepted and dropped
}

// reportSchemaChanges returns the changes from one schema to another.
func reportSchemaChanges(old, new json.RawMessage, r role) []Change {
	if string(old) == string(new) {
		return nil
	}
	before, err := jsonschema.ReadDocument(old)
	if err != nil {
		return r.unreadable("old", err)
	}
	after, err := jsonschema.ReadDocument(new)
	if err != nil {
		return r.unreadable("new", err)
	}
	if jsonschema.Equal(before.Node, after.Node) {
		return nil
	}
	rep := &changeReport{
		SubtypeChecker: jsonschema.NewSubtypeChecker(before, after, jsonschema.CheckOptions{Arguments: r.isInput}),
		role:           r, findings: map[string]*finding{}, noted: map[[2]*jsonschema.Schema]bool{},
	}
	rep.annotations(before.Root, after.Root, 0)
	rep.direction(before.Root, after.Root, true)
	rep.direction(after.Root, before.Root, false)
	return rep.changes()
}

// unreadable reports that one of the schemas cannot be compared.
func (r role) unreadable(which string, err error) []Change {
	message := fmt.Sprintf("the schema of %s has changed, and existing calls may fail: the %s one %v", r.whole, which, err)
	return []Change{{Class: Breaking, Path: r.path, Message: message}}
}

// direction reports why narrow is not a subtype of wide, if it is not.
func (r *changeReport) direction(narrow, wide *jsonschema.Schema, forward bool) {
	r.Restart()
	if r.IsSubtype(narrow, wide) {
		return
	}
	r.forward = forward
	explained := false
	r.Explain(narrow, wide, func(m jsonschema.Mismatch) {
		explained = true
		r.mismatch(m)
	})
	why := ", and cannot be compared"
	if r.GaveUp() {
		why = ", and is too large to compare completely"
	}
	if !explained || r.GaveUp() {
		r.fail(&finding{what: "the schema of " + r.whole + " has changed" + why, undecided: true}, "!")
	}
}

// add remembers a finding, once for each place and keyword.
func (r *changeReport) add(f *finding, keyword string) *finding {
	key := f.path + "\x00" + keyword
	if r.findings[key] == nil {
		r.findings[key] = f
	}
	return r.findings[key]
}

// fail is add for what fails in the direction.
func (r *changeReport) fail(f *finding, keyword string) {
	known := r.add(f, keyword)
	known.narrower = known.narrower || r.forward
	known.wider = known.wider || !r.forward
	known.undecided = known.undecided || f.undecided
	known.why = cmp.Or(known.why, f.why)
}

// maxReported is how many changes of one schema are reported.
const maxReported = 100

// changes returns the findings in the order of their places.
func (r *changeReport) changes() []Change {
	var list []Change
	for _, f := range r.findings {
		list = append(list, Change{Class: r.class(f), Path: r.path + f.path, Message: f.what + r.why(f)})
	}
	slices.SortFunc(list, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(string(a.Class), string(b.Class)), strings.Compare(a.Message, b.Message))
	})
	if len(list) > maxReported {
		rest := Change{Class: Compatible, Path: r.path, Message: "there are more changes than are reported"}
		if AnyBreakingChange(list[maxReported:]) {
			rest.Class = Breaking
		}
		list = append(list[:maxReported], rest)
	}
	return list
}

func (r *changeReport) class(f *finding) Class {
	if r.isInput && (f.narrower || f.ignored) || !r.isInput && f.wider {
		return Breaking
	}
	return Compatible
}

// why returns what a finding means for callers of the old version.
func (r *changeReport) why(f *finding) string {
	breaking := r.class(f) == Breaking
	switch {
	case !breaking && (f.narrower || f.wider):
		return "; existing calls still work"
	case f.why != "":
		return "; " + f.why
	case !breaking:
		return ""
	case r.isInput && f.undecided:
		return "; some existing calls may be refused now"
	case r.isInput:
		return "; some existing calls are refused now"
	case f.undecided:
		return "; callers may no longer understand it"
	}
	return "; callers do not expect that"
}
