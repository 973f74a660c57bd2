package compat

import (
	"maps"
	"reflect"
	"slices"

	"github.com/gram-lang/gramc/internal/jsonpointer"
)

// notes tells what says nothing of the values: descriptions and defaults; and
// fields that came and went where that refuses nothing.
func (r *report) notes(old, new *schema) {
	r.told = map[pair]bool{}
	r.note(old, new)
}

func (r *report) note(old, new *schema) {
	question := pair{old, new}
	if old == nil || new == nil || r.told[question] || !r.may(old, new) {
		return
	}
	r.told[question] = true
	f, g := old.facts(), new.facts()
	r.ownNotes(f, g)
	r.depth++
	defer func() { r.depth-- }()
	for _, name := range f.declared(g) {
		one, other := f.declares(name), g.declares(name)
		switch {
		case one == nil:
			r.add(&finding{path: other.at.pointer(), what: r.newText(r.fieldName(new.at, name), g.requires(name))}, "")
		case other == nil:
			r.removed(old, new, name, one)
		}
		r.note(one, other)
	}
	r.note(first(f.items()), first(g.items()))
	r.note(f.other(), g.other())
	for i := range min(len(f.choices), len(g.choices)) {
		r.noteChoices(f.choices[i], g.choices[i])
	}
}

// noteChoices compares the alternatives that belong together.
func (r *report) noteChoices(old, new *choice) {
	for i, alternative := range new.of {
		if len(old.of) == len(new.of) {
			r.note(old.of[i], alternative)
			continue
		}
		for _, o := range old.of {
			if r.within(o, alternative) || r.within(alternative, o) {
				r.note(o, alternative)
				break
			}
		}
	}
}

// removed tells that a field is not declared any more.
func (r *report) removed(old, new *schema, name string, was *schema) {
	f := &finding{path: was.at.pointer(), what: r.fieldName(new.at, name) + " is gone"}
	said, _ := new.facts().field(name)
	closed := slices.ContainsFunc(said, func(s *schema) bool { return s.facts().types == 0 })
	if r.isInput && !closed {
		f.why, f.lost = "calls that give it lose its value", true
	}
	r.add(f, "")
}

func (r *report) newText(name string, required bool) string {
	switch {
	case required && r.isInput:
		return name + " is new, and required"
	case required:
		return name + " is new, and always there"
	case r.isInput:
		return name + " is new, and may be left out"
	}
	return name + " is new, and may be missing"
}

// ownNotes compares what two schemas note themselves.
func (r *report) ownNotes(old, new *facts) {
	keywords := map[string]bool{}
	for _, p := range slices.Concat(old.parts, new.parts) {
		for keyword := range p.notes {
			keywords[keyword] = true
		}
	}
	for _, keyword := range slices.Sorted(maps.Keys(keywords)) {
		was, wasAt := old.note(keyword)
		is, isAt := new.note(keyword)
		if reflect.DeepEqual(was, is) {
			continue
		}
		at := isAt
		if at == nil {
			at = wasAt
		}
		f := &finding{path: at.pointer() + "/" + jsonpointer.Token(keyword)}
		subject := r.subject(at)
		if keyword == "default" {
			f.what = changed("default", subject, shown(was, wasAt), shown(is, isAt))
			if r.isInput {
				f.why = "calls that leave it out mean something else"
			}
		} else {
			f.what = noteText(keyword, subject, wasAt != nil, isAt != nil)
		}
		r.add(f, "")
	}
}

// noteText says that words changed which only a model reads.
func noteText(keyword, subject string, was, is bool) string {
	word := showText(keyword)
	switch keyword {
	case "description", "title", "examples", "deprecated":
		word = keyword
	}
	switch {
	case !was:
		return subject + " has a " + word + " now"
	case !is:
		return subject + " has no " + word + " any more"
	}
	return "the " + word + " of " + subject + " is another now"
}

// note returns what a keyword that says nothing of the values says, and where.
func (f *facts) note(keyword string) (raw any, at *place) {
	for _, p := range f.parts {
		if raw, ok := p.notes[keyword]; ok {
			return raw, p.at
		}
	}
	return nil, nil
}

// shown returns a value for a message; "" where there is none.
func shown(raw any, at *place) string {
	if at == nil {
		return ""
	}
	return show(raw)
}

// declared returns the names of the fields that two schemas declare, sorted.
func (f *facts) declared(g *facts) []string {
	var names []string
	for _, p := range slices.Concat(f.parts, g.parts) {
		names = slices.AppendSeq(names, maps.Keys(p.fields))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// declares returns the first schema that is declared for a field.
func (f *facts) declares(name string) *schema {
	for _, p := range f.parts {
		if s := p.fields[name]; s != nil {
			return s
		}
	}
	return nil
}

// other returns the first schema of the fields that are not declared.
func (f *facts) other() *schema {
	for _, p := range f.parts {
		if p.rest != nil {
			return p.rest
		}
	}
	return nil
}

func first(list []*schema) *schema {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}
