package validator

import (
	"strconv"
	"unicode/utf8"
)

// Limits of the work for one value.
const (
	maxSteps    = 5_000_000 // and stepsPerByte for each byte of the value
	maxDepth    = 50_000    // schemas that are being applied
	maxFailures = 10_000    // that are reported

	stepsPerByte = 20
	bytesPerStep = 32 // that are skipped

	applicationsPerStep = 16 // that are compared
)

// Validate returns why a value does not fit the schema, nil if it does. The text must be
// JSON, with each key of an object once.
func (s *Schema) Validate(text string) *Failure {
	w := &walker{text: text, limit: maxSteps + stepsPerByte*len(text)}
	start := spaceEnd(text, 0)
	if _, failure := w.apply(s.root, start, nil); failure == nil && !w.gaveUp {
		return nil
	}
	if w.gaveUp {
		return w.tooMuch(start)
	}
	w.report, w.steps = true, 0
	if _, failure := w.apply(s.root, start, nil); failure != nil && !w.gaveUp {
		return failure
	}
	return w.tooMuch(start)
}

// A walker applies schemas to the parts of a text: at first to find out whether they fit,
// and then, if they do not, once more to report why.
type walker struct {
	text   string
	report bool

	stack   []application
	path    []step // to the value, if there is a report
	present []bool // which of the required fields an object has, of all open objects

	steps, limit int
	failures     int
	gaveUp       bool
}

// An application is a schema that is being applied to the value at an offset.
type application struct {
	part *part
	pos  int
}

// A step leads to a member or an element.
type step struct {
	key   string
	index int // -1 for a member
}

// broken is the failure of a walker that does not report why.
var broken = &Failure{}

// fail returns the failure of the value at an offset.
func (w *walker) fail(pos int, f Failure) *Failure {
	if !w.report {
		return broken
	}
	w.failures++
	failure := f // so that f is not on the heap where nothing is reported
	failure.At = w.location()
	if failure.Found = w.text[pos : pos+1]; failure.Found != "{" && failure.Found != "[" {
		failure.Found = w.text[pos:valueEnd(w.text, pos)]
	}
	return &failure
}

func (w *walker) location() []string {
	at := make([]string, len(w.path))
	for i, s := range w.path {
		if at[i] = s.key; s.index >= 0 {
			at[i] = strconv.Itoa(s.index)
		}
	}
	return at
}

func (w *walker) tooMuch(pos int) *Failure {
	w.report, w.path = true, nil
	return w.fail(pos, Failure{Keyword: TooMuchWork})
}

// spend counts steps, and reports whether there are some left.
func (w *walker) spend(steps int) bool {
	w.steps += steps
	w.gaveUp = w.gaveUp || w.steps > w.limit
	return !w.gaveUp
}

// skip returns the end of a value that no schema is applied to.
func (w *walker) skip(pos int) int {
	end := valueEnd(w.text, pos)
	w.spend((end - pos) / bytesPerStep)
	return end
}

// apply applies a schema to the value at an offset, and returns the end of the value,
// 0 where it is not known. Outer records what the schema evaluates, if it fits.
func (w *walker) apply(p *part, pos int, outer *marks) (end int, failure *Failure) {
	switch {
	case p.always:
		return 0, nil
	case p.never:
		return 0, w.fail(pos, Failure{Keyword: NoValue})
	case p.cyclic && w.isApplied(p, pos):
		return 0, w.fail(pos, Failure{Keyword: EndlessRef})
	}
	if w.gaveUp = w.gaveUp || len(w.stack) >= maxDepth; !w.spend(1) {
		return 0, broken
	}
	w.stack = append(w.stack, application{p, pos})
	path, present := len(w.path), len(w.present)
	a := applied{walker: w, part: p, pos: pos}
	if outer != nil || p.unevaluatedMembers != nil || p.unevaluatedItems != nil {
		a.marks = &marks{}
	}
	failure = a.apply()
	w.stack, w.path, w.present = w.stack[:len(w.stack)-1], w.path[:path], w.present[:present]
	if failure == nil {
		outer.merge(a.marks)
	}
	return a.end, failure
}

// isApplied reports whether a schema is already being applied to the same value.
func (w *walker) isApplied(p *part, pos int) bool {
	last := len(w.stack) - 1
	i := last
	for i >= 0 && w.stack[i].pos == pos && w.stack[i].part != p {
		i--
	}
	w.spend((last - i) / applicationsPerStep)
	return i >= 0 && w.stack[i].pos == pos
}

// quietly calls fits without a report.
func (w *walker) quietly(fits func() bool) bool {
	report := w.report
	w.report = false
	ok := fits()
	w.report = report
	return ok
}

// applied is one application of a schema.
type applied struct {
	*walker
	part  *part
	pos   int
	end   int    // of the value, 0 while it is not known
	marks *marks // what is evaluated; nil where nobody asks

	failures []*Failure
}

// add records a failure, if there is one, and reports whether to go on.
func (a *applied) add(failure *Failure) bool {
	if failure == nil {
		return !a.gaveUp
	}
	if a.failures = append(a.failures, failure); !a.report || a.walker.failures > maxFailures {
		return false
	}
	return true
}

// matchSteps returns the steps that it takes to match a text.
func matchSteps(pattern, text string) int { return 8 + (1+len(pattern)/8)*(1+len(text)/8) }

// value returns the text of the value.
func (a *applied) value() string {
	if a.end == 0 {
		a.end = a.skip(a.pos)
	}
	return a.text[a.pos:a.end]
}

func (a *applied) apply() *Failure {
	if failure := a.first(); failure != nil {
		return failure
	}
	if a.rules() {
		_ = a.references() && a.combinations() && a.unevaluated()
	}
	switch len(a.failures) {
	case 0:
		return nil
	case 1:
		return a.failures[0]
	}
	return a.fail(a.pos, Failure{Keyword: Several, Causes: a.failures})
}

// first applies the keywords whose failure makes all others pointless.
func (a *applied) first() *Failure {
	p, is := a.part, typeOf(a.text, a.pos)
	switch {
	case p.types != 0 && p.types&is == 0:
		return a.fail(a.pos, Failure{Keyword: "type", Names: p.typeNames})
	case p.constant != nil && !p.constant.has(a.value()):
		return a.fail(a.pos, Failure{Keyword: "const", Wanted: p.constant.all})
	case p.enum != nil && !p.enum.has(a.value()):
		return a.fail(a.pos, Failure{Keyword: "enum", Wanted: p.enum.all})
	case p.formatOK != nil && a.text[a.pos] == '"' && !p.formatOK(stringText(a.value())):
		return a.fail(a.pos, Failure{Keyword: "format", Limit: p.format})
	}
	return nil
}

// rules applies the keywords for values of one type, behind the $ref.
func (a *applied) rules() bool {
	p := a.part
	if p.ref != nil && !a.reference("$ref", p.ref) {
		return false
	}
	switch a.text[a.pos] {
	case '{':
		return p.object == nil || a.object(p.object)
	case '[':
		return p.array == nil || a.array(p.array)
	case '"':
		return p.text == nil || a.string(p.text)
	case 't', 'f', 'n':
		return true
	}
	return p.number == nil && p.multipleOf == "" || a.number()
}

func (a *applied) string(rules *textRules) bool {
	text := stringText(a.value())
	if rules.min != unlimited || rules.max != unlimited {
		a.spend(len(text) / bytesPerStep)
		if !a.count("minLength", "maxLength", rules.min, rules.max, utf8.RuneCountInString(text)) {
			return false
		}
	}
	if rules.pattern != nil && a.spend(matchSteps(rules.written, text)) && !rules.pattern.MatchString(text) {
		return a.add(a.fail(a.pos, Failure{Keyword: "pattern", Limit: rules.written}))
	}
	return true
}

// count applies limits to a length or count.
func (a *applied) count(atLeast, atMost string, least, most count, got int) bool {
	if got < int(least) && !a.add(a.fail(a.pos, Failure{Keyword: atLeast, Count: int(least), Got: got})) {
		return false
	}
	if most != unlimited && got > int(most) {
		return a.add(a.fail(a.pos, Failure{Keyword: atMost, Count: int(most), Got: got}))
	}
	return true
}

func (a *applied) number() bool {
	written := a.value()
	if len(a.part.number) > 0 {
		number := numberOf(written)
		for _, l := range a.part.number {
			if !l.allows(number) && !a.add(a.fail(a.pos, Failure{Keyword: l.keyword, Limit: l.written})) {
				return false
			}
		}
	}
	if step := a.part.multipleOf; step != "" && !isMultipleNumber(written, step) {
		return a.add(a.fail(a.pos, Failure{Keyword: "multipleOf", Limit: step}))
	}
	return true
}
