package compat

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A role is what a schema is for.
type role struct {
	path    string // where it stands in the promise
	whole   string // what it describes
	field   string // what a field of the whole is called
	isInput bool   // values go to whoever made the promise
}

var (
	inputRole   = role{"/input", "the arguments", "argument", true}
	outputRole  = role{"/output", "the result", "field", false}
	answersRole = role{"/returns", "the answer", "field", false}
)

// A report collects what the comparison of two schemas finds.
type report struct {
	*walk
	role
	forward  bool // asked is whether the old schema lies within the new one
	told     map[pair]bool
	findings map[string]*finding
}

// A finding is one difference. It is told where all is right, too.
type finding struct {
	path, what, why string
	narrower, wider bool // values are lost, or new
	unsure, lost    bool // lost: values are taken and thrown away
}

// compareSchemas returns the changes from one schema to another.
func compareSchemas(old, new json.RawMessage, r role) []Change {
	if string(old) == string(new) {
		return nil
	}
	before, err := readDocument(old)
	if err != nil {
		return r.unreadable("old", err)
	}
	after, err := readDocument(new)
	if err != nil {
		return r.unreadable("new", err)
	}
	if reflect.DeepEqual(before.raw, after.raw) {
		return nil
	}
	before.root.whole, after.root.whole = r.isInput, r.isInput
	rep := &report{walk: newWalk(), role: r, findings: map[string]*finding{}}
	rep.sameDraft = before.draft == after.draft
	rep.notes(before.root, after.root)
	rep.direction(before.root, after.root, true)
	rep.direction(after.root, before.root, false)
	return rep.changes()
}

// unreadable tells that one of the schemas cannot be compared.
func (r role) unreadable(which string, err error) []Change {
	message := fmt.Sprintf("the schema of %s is another now, and calls that worked may fail: the %s one %v", r.whole, which, err)
	return []Change{{Class: Breaking, Path: r.path, Message: message}}
}

// direction tells why n does not lie within w, if it does not.
func (r *report) direction(n, w *schema, forward bool) {
	r.steps, r.gaveUp = 0, false
	if r.within(n, w) {
		return
	}
	r.forward, r.told = forward, map[pair]bool{}
	before := r.count()
	r.tell(n, w)
	if r.gaveUp {
		r.fail(&finding{what: "the schema of " + r.whole + " is another now, and too large to compare all of it", unsure: true}, "!")
	} else if r.count() == before {
		r.fail(&finding{what: "the schema of " + r.whole + " is another now, and cannot be compared", unsure: true}, "!")
	}
}

// count returns how many findings there are of the direction.
func (r *report) count() (n int) {
	for _, f := range r.findings {
		if r.forward && f.narrower || !r.forward && f.wider {
			n++
		}
	}
	return n
}

// add remembers a finding, once for each place and keyword.
func (r *report) add(f *finding, keyword string) *finding {
	key := f.path + "\x00" + keyword
	if r.findings[key] == nil {
		r.findings[key] = f
	}
	return r.findings[key]
}

// fail is add for what fails in the direction.
func (r *report) fail(f *finding, keyword string) {
	known := r.add(f, keyword)
	known.narrower = known.narrower || r.forward
	known.wider = known.wider || !r.forward
	known.unsure = known.unsure || f.unsure
	known.why = cmp.Or(known.why, f.why)
}

// maxTold is how many changes of one schema are told.
const maxTold = 100

// changes returns the findings in the order of their places.
func (r *report) changes() []Change {
	var list []Change
	for _, f := range r.findings {
		list = append(list, Change{Class: r.class(f), Path: r.path + f.path, Message: f.what + r.why(f)})
	}
	slices.SortFunc(list, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(string(a.Class), string(b.Class)), strings.Compare(a.Message, b.Message))
	})
	if len(list) > maxTold {
		rest := Change{Class: Compatible, Path: r.path, Message: "there are more changes than are told"}
		if AnyBreaking(list[maxTold:]) {
			rest.Class = Breaking
		}
		list = append(list[:maxTold], rest)
	}
	return list
}

func (r *report) class(f *finding) Class {
	if r.isInput && (f.narrower || f.lost) || !r.isInput && f.wider {
		return Breaking
	}
	return Compatible
}

// why returns what a finding means for whoever relied on the old version.
func (r *report) why(f *finding) string {
	breaking := r.class(f) == Breaking
	switch {
	case breaking && f.why != "":
		return "; " + f.why
	case breaking && r.isInput && f.unsure:
		return "; calls that worked may be refused now"
	case breaking && r.isInput:
		return "; calls that worked are refused now"
	case breaking && f.unsure:
		return "; who reads it may not understand it any more"
	case breaking:
		return "; who reads it does not expect that"
	case f.narrower || f.wider:
		return "; calls that worked go on to work"
	case f.why != "":
		return "; " + f.why
	}
	return ""
}
