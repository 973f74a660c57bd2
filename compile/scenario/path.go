package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/jsonpointer"
	"github.com/gram-lang/gramc/internal/report"
)

// typeAt returns the type of the part of a value of type t that a JSON Pointer names;
// nil when it may be anything. The problem says why there is no such part.
func typeAt(t *types.Type, pointer string) (part *types.Type, problem string) {
	if pointer == "" {
		return t, ""
	}
	for _, token := range strings.Split(pointer[1:], "/") {
		if t, problem = step(t, jsonpointer.Key(token)); problem != "" || t == nil {
			return nil, problem
		}
	}
	return t, ""
}

// step returns the type of one field or element of a value of type t.
func step(t *types.Type, key string) (part *types.Type, problem string) {
	if t = t.Resolved(); t == nil {
		return nil, ""
	}
	if t.Union != nil {
		for _, alternative := range t.Union {
			if part, problem = step(alternative, key); problem == "" {
				return part, ""
			}
		}
		return nil, fmt.Sprintf("no alternative of its type has %s", report.Quote(key))
	}
	switch t.Kind {
	case types.KindObject:
		if f := t.Field(key); f != nil {
			return f.Type, ""
		}
		if t.Fields == nil || t.Rest != nil {
			return t.Rest, ""
		}
		var names []string
		for _, f := range t.Fields {
			names = append(names, f.Name)
		}
		return nil, fmt.Sprintf("there is no field %s; there are %s", report.Quote(key), report.Clip(strings.Join(names, ", ")))
	case types.KindArray:
		if _, err := strconv.ParseUint(key, 10, 31); err != nil {
			return nil, fmt.Sprintf("%s is no index of a list", report.Quote(key))
		}
		return t.Elem, ""
	case types.KindAny:
		return nil, ""
	}
	return nil, fmt.Sprintf("%s is in a value of type %s, which has no parts", report.Quote(key), types.TypeWord(t))
}
