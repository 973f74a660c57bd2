package jsonschema

import (
	"fmt"
	"math/big"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// Limits of the work for one value.
const (
	maxFitSteps = 50_000
	maxFitDepth = 90
	maxAllSteps = 5_000_000 // for all values of one resolver
)

// A fitter compares one value with a schema.
type fitter struct {
	*Resolver
	steps     int
	shape     bool // only types, values and declared fields count
	exclusive bool // a value fits one alternative of a oneOf at most
}

// Misfit returns why a value certainly does not fit a schema, "" if it may: only
// what says what a value is counts, and neither not nor conditions. The OpenAPI
// keyword nullable counts.
func (r *Resolver) Misfit(value, schema *Node) string {
	f := &fitter{Resolver: r}
	return f.misfit(value, schema, 0)
}

// ExclusiveMisfit is Misfit where a value that fits several alternatives of a oneOf
// does not fit. Keywords that are not compared, such as format, may distinguish them.
func (r *Resolver) ExclusiveMisfit(value, schema *Node) string {
	f := &fitter{Resolver: r, exclusive: true}
	return f.misfit(value, schema, 0)
}

// HasShape reports whether a value has the types, the values and only the declared
// fields of a schema, whatever its limits are.
func (r *Resolver) HasShape(value, schema *Node) bool {
	f := &fitter{Resolver: r, shape: true}
	return f.misfit(value, schema, 0) == ""
}

func (f *fitter) misfit(v, s *Node, depth int) string {
	f.steps++
	f.fitted++
	switch {
	case f.steps > maxFitSteps, f.fitted > maxAllSteps:
		return "it is too large to be compared with its type"
	case depth > maxFitDepth:
		return fmt.Sprintf("it is nested deeper than %d levels", maxFitDepth)
	case s.Is(KindFalse):
		return "no value fits"
	case !s.Is(KindObject), v.Is(KindNull) && s.Get("nullable").Is(KindTrue):
		return ""
	}
	if ref := s.Get("$ref"); ref != nil {
		if target, _ := f.Resolve(ref.Text()); target != nil {
			if problem := f.misfit(v, target, depth+1); problem != "" {
				return problem
			}
		}
	}
	for _, m := range s.Members {
		if problem := f.keyword(v, m, depth); problem != "" {
			return problem
		}
	}
	if v.Is(KindObject) {
		return f.fields(v, s, depth)
	}
	for i, item := range v.Items {
		if problem := f.misfit(item, s.Get("items"), depth+1); problem != "" {
			return fmt.Sprintf("element %d: %s", i, problem)
		}
	}
	return ""
}

// keyword compares a value with a keyword.
func (f *fitter) keyword(v *Node, m Member, depth int) string {
	k, _ := KeywordNamed(m.Key)
	if v.TypeOf()&k.On == 0 || k.Wanted(m.Value) != "" {
		return ""
	}
	ok := true
	switch m.Key {
	case "type":
		types, _ := readDocumentTypes(Object(m))
		if v.TypeOf()&types == 0 {
			return fmt.Sprintf("%s is not %s", v.Shown(), types)
		}
	case "enum":
		ok = f.misfitEnumKeys(m.Value)[v.Key()]
	case "const":
		ok = Equal(m.Value, v)
	case "pattern":
		if f.shape {
			return ""
		}
		re, _ := CompileRegexp(m.Value.Text())
		ok = re == nil || re.MatchString(v.Text())
	case "uniqueItems":
		seen := map[string]bool{}
		for _, item := range v.Items {
			seen[item.Key()] = true
		}
		ok = f.shape || m.Value.Is(KindFalse) || len(seen) == len(v.Items)
	case "anyOf", "oneOf":
		fits := 0
		for _, s := range m.Value.Items {
			if f.misfit(v, s, depth+1) == "" {
				if fits++; m.Key == "anyOf" || !f.exclusive || fits > 1 {
					break
				}
			}
		}
		switch {
		case fits == 0:
			return "it fits no alternative"
		case fits > 1:
			return "it fits more than one alternative"
		}
	case "allOf":
		for _, s := range m.Value.Items {
			if problem := f.misfit(v, s, depth+1); problem != "" {
				return problem
			}
		}
	default:
		ok = f.shape || !documentIsLimit(k) || v.keeps(m)
	}
	if !ok {
		return fmt.Sprintf("%s violates %s %s", v.Shown(), m.Key, m.Value.Shown())
	}
	return ""
}

// misfitEnumKeys returns the keys of the values of an enum, which may have many and be
// asked for many times.
func (r *Resolver) misfitEnumKeys(enum *Node) map[string]bool {
	if known := r.enums[enum]; known != nil {
		return known
	}
	keys := diffValueSet(enum)
	if r.enums == nil {
		r.enums = map[*Node]map[string]bool{}
	}
	r.enums[enum] = keys
	return keys
}

// keeps reports whether a value keeps a limit of its size; it does where either
// takes too long to compute with.
func (n *Node) keeps(limit Member) bool {
	size := big.NewRat(int64(len(n.Items)+len(n.Members)), 1)
	switch n.Kind {
	case KindNumber:
		size = n.Rational()
	case KindString:
		size.SetInt64(int64(utf8.RuneCountInString(n.Text())))
	}
	most := limit.Value.Rational()
	return size == nil || most == nil || impliesKeeps(size, limit.Key, most)
}

// fields compares the members of an object with what a schema says of them.
func (f *fitter) fields(v, s *Node, depth int) string {
	for _, name := range s.ItemsOf("required") {
		if f.steps++; name.Is(KindString) && v.Get(name.Text()) == nil {
			return fmt.Sprintf("the field %q is missing", excerpt.Short(name.Text(), maxShown))
		}
	}
	declared, others := s.Get("properties"), s.Get("additionalProperties")
	for _, m := range v.Members {
		of := declared.Get(m.Key)
		switch {
		case of == nil && f.shape && declared != nil:
			of = Bool(false)
		case of == nil && s.Get("patternProperties") == nil:
			of = others
		}
		if of.Is(KindFalse) {
			return fmt.Sprintf("the field %q is not declared", excerpt.Short(m.Key, maxShown))
		}
		if problem := f.misfit(m.Value, of, depth+1); problem != "" {
			return fmt.Sprintf("field %q: %s", excerpt.Short(m.Key, maxShown), problem)
		}
	}
	return ""
}
