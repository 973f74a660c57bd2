package runtime

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A Fit is how the arguments that a tool takes fit those of its contract.
type Fit string

// The fits of tools that can be bound.
const (
	FitEqual      Fit = "equal"      // both schemas mean the same
	FitCompatible Fit = "compatible" // the tool takes every call that the contract allows
	FitUnproven   Fit = "not proven" // undecided; each call is validated against both schemas
)

// fitInput compares the input schema of a contract with that of a tool. It
// returns how they fit, "" if the tool cannot be bound, and what differs.
//
// An object with declared properties has no others unless it mentions them, since
// undeclared arguments never reach a tool. A typed Go function gets the defaults
// of the contract.
func fitInput(contract, tool json.RawMessage, typed bool) (Fit, []string) {
	differences := jsonschema.Diff(contract, tool)
	if bytes.Equal(contract, tool) || len(differences) == 0 {
		return FitEqual, nil
	}
	text := contract
	if typed {
		text = fitWithDefaults(contract)
	}
	want, err := jsonschema.ReadDocument(text)
	if err != nil {
		return "", []string{"the input schema of the agent " + err.Error()}
	}
	have, err := jsonschema.ReadDocument(tool)
	if err != nil {
		return "", []string{"the input schema of the tool " + err.Error()}
	}
	switch result := jsonschema.Subtype(want, have, jsonschema.CheckOptions{Arguments: true, Closed: true}); result.Verdict {
	case jsonschema.Yes:
		return FitCompatible, differences
	case jsonschema.No:
		var refused []string
		for _, m := range result.Mismatches {
			if m.Undecided {
				continue
			}
			reason := cmp.Or(m.Pointer(), "the arguments") + ": " + m.Reason()
			if typed && m.Keyword == "required" {
				reason += " (a Go field that can be absent is a pointer)"
			}
			refused = append(refused, reason)
		}
		return "", refused
	}
	return FitUnproven, differences
}

// fitWithDefaults returns a schema in which every property with a default is
// required: what calls are with their defaults.
func fitWithDefaults(schema json.RawMessage) json.RawMessage {
	root, err := jsonschema.Read(schema, nil)
	if err != nil {
		return schema
	}
	return fitDefaults(root, jsonschema.NewResolver(root)).Append(nil)
}

func fitDefaults(n *jsonschema.Node, r *jsonschema.Resolver) *jsonschema.Node {
	edit := n.Edit()
	if items := n.Get("items"); items.Is(jsonschema.KindObject) {
		edit.Set("items", fitDefaults(items, r))
	}
	if properties := n.Get("properties"); properties.Is(jsonschema.KindObject) {
		required, _ := n.Get("required").Texts()
		inner := properties.Edit()
		for i := range inner.Members {
			m := &inner.Members[i]
			target, _ := r.Follow(m.Value)
			if m.Value.Get("default") != nil || target.Get("default") != nil {
				required = append(required, m.Key)
			}
			m.Value = fitDefaults(m.Value, r)
		}
		slices.Sort(required)
		edit.Set("properties", inner.Node(properties))
		edit.Set("required", jsonschema.Strings(slices.Compact(required)...))
	}
	return edit.Node(n)
}

// fitOutput reports whether results of a tool can be what a contract expects,
// by the types of their schemas, and returns these for a message.
func fitOutput(tool, contract json.RawMessage) (have, want string, ok bool) {
	h, err := jsonschema.ReadDocument(tool)
	if err != nil {
		return "", "", true
	}
	w, err := jsonschema.ReadDocument(contract)
	if err != nil {
		return "", "", true
	}
	return h.Root.Types().String(), w.Root.Types().String(), h.Root.Types()&w.Root.Types() != 0
}
