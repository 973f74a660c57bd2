package compat

import (
	"cmp"
	"slices"

	"github.com/gram-lang/gramc/internal/jsonpointer"
)

// tell tells why n does not lie within w, which is known.
func (r *report) tell(n, w *schema) {
	question := pair{n, w}
	if r.told[question] || !r.may(n, w) {
		return
	}
	r.told[question] = true
	f, g := n.facts(), w.facts()
	if pieces := f.pieces; len(f.choices) > 0 && len(pieces) > 0 {
		for _, p := range pieces {
			if !r.within(p, w) {
				r.tell(p, w)
			}
		}
		return
	}
	for _, p := range g.parts {
		for _, failed := range r.broken(f, p) {
			r.tellKeyword(n, w, p, failed)
		}
		for _, d := range duties(f, p) {
			if !r.done(d) {
				r.tellDuty(n, p, d)
			}
		}
	}
	for _, c := range g.choices {
		if !r.chooses(n, c) {
			r.tellChoice(n, w, c)
		}
	}
}

// place returns where the change of p, a part of w, is: in the new document, if
// that has it.
func (r *report) place(n, w, p *schema) *place {
	if r.forward {
		return p.at
	}
	f, g := n.facts(), w.facts()
	if i := slices.Index(g.parts, p); len(f.parts) == len(g.parts) && f.parts[i].at != nil {
		return f.parts[i].at
	}
	if n.at != nil {
		return n.at
	}
	return p.at
}

// tellChoice tells that n may be what fits no alternative.
func (r *report) tellChoice(n, w *schema, c *choice) {
	var like []*schema
	for _, alternative := range c.of {
		if !r.disjoint(n, alternative, 3) {
			like = append(like, alternative)
		}
	}
	if len(like) == 1 && !r.within(n, like[0]) {
		r.tell(n, like[0])
		return
	}
	if pieces := r.split(n, w); len(pieces) > 0 && len(like) > 0 {
		for _, p := range pieces {
			if !r.within(p, w) {
				r.tell(p, w)
			}
		}
		return
	}
	at, sketch := r.place(n, w, w), n.sketch()
	f := &finding{path: at.pointer(), unsure: len(like) > 0}
	f.what = r.mayBe(r.subject(at), sketch)
	if len(like) > 0 {
		f.what = "the alternatives of " + r.subject(at) + r.directed("", " may not allow all of "+sketch+" any more", " may allow more of "+sketch+" now")
	}
	r.fail(f, f.what)
}

// tellKeyword tells that n does not imply a keyword of p, a part of w.
func (r *report) tellKeyword(n, w, p *schema, failed failure) {
	at := r.place(n, w, p)
	old, new := r.sides(n, w)
	subject := r.subject(at)
	f := &finding{path: at.pointer() + "/" + failed.keyword, unsure: failed.unsure}
	key := ""
	switch failed.keyword {
	case "false":
		f.path = at.pointer()
		f.what, key = r.directed(subject, " is not possible any more", " is possible now"), "false"
	case "type":
		if f.what = changed("type", subject, old.facts().types.String(), new.facts().types.String()); n.piece {
			f.what = r.mayBe(subject, (n.facts().types &^ p.types).String())
			key = f.what
		}
	case "enum":
		f.what = r.enumText(n.facts(), p, subject)
		key = f.what
	case "uniqueItems":
		f.what = r.directed("the elements of "+subject, " must differ now", " need not differ any more")
	case "required":
		f.what, f.why = r.requiredText(r.fieldName(at, failed.name))
		f.path, key = at.pointer()+"/properties/"+jsonpointer.Token(failed.name), "required"
		switch was, is := old.facts().declares(failed.name), new.facts().declares(failed.name); {
		case was == nil && is != nil:
			f.path, key = is.at.pointer(), ""
		case was != nil && is == nil: // which has been noted
			f.path, key = was.at.pointer(), ""
		}
	case "pattern", "format":
		f.what = changed(failed.keyword, subject, old.facts().text(failed.keyword), new.facts().text(failed.keyword))
	default:
		if name := limitNames[failed.keyword]; name != "" {
			f.what = changed(name, subject, old.facts().text(failed.keyword), new.facts().text(failed.keyword))
			break
		}
		f.what = "the " + cmp.Or(failed.keyword, "schema") + " of " + subject + " is another now, and cannot be compared"
	}
	r.fail(f, key)
}

func (r *report) directed(subject, forward, backward string) string {
	if r.forward {
		return subject + forward
	}
	return subject + backward
}

// enumText says which values are gone, or new.
func (r *report) enumText(n *facts, p *schema, subject string) string {
	if !n.finite {
		return r.directed(subject, " may only be one of ", " may be something else than ") + valuesText(p.values) + " now"
	}
	missing := slices.DeleteFunc(slices.Clone(n.values), func(v value) bool { return p.listed[v.key] })
	return r.mayBe(subject, valuesText(missing))
}

// mayBe says what is not possible any more, or is now.
func (r *report) mayBe(subject, what string) string {
	return r.directed(subject, " may not be "+what+" any more", " may be "+what+" now")
}

// requiredText says that a field is required by the one and not by the other.
func (r *report) requiredText(name string) (what, why string) {
	switch {
	case r.isInput && r.forward:
		return name + " is required now", "calls without it are refused"
	case r.isInput:
		return name + " may be left out now", ""
	case r.forward:
		return name + " is always there now", ""
	}
	return name + " may be missing now", "who reads it expects it"
}

// tellDuty tells that a part of n may be what p does not allow.
func (r *report) tellDuty(n, p *schema, d duty) {
	said := slices.DeleteFunc(slices.Clone(d.said), func(s *schema) bool { return s.facts().types == 0 })
	known := r.anything
	if len(said) > 0 {
		known = said[0]
	}
	never := d.want.facts().types == 0
	switch {
	case never && d.what == field:
		at := known.at
		if at == nil {
			at = d.want.at
		}
		name := r.fieldName(p.at, d.name)
		f := &finding{path: at.pointer(), what: r.directed(name, " is gone", " is new")}
		if r.isInput {
			f.why = "calls that give it are refused now"
		}
		r.fail(f, "")
	case never && d.what == otherFields:
		f := &finding{path: d.want.at.pointer()}
		f.what = r.directed("undeclared fields of "+r.subject(p.at), " are ruled out now", " are possible now")
		r.fail(f, "closed")
	default:
		r.tell(known, d.want)
	}
}
