package runtime

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A Fit says how the arguments that a tool takes fit those of its contract.
type Fit string

// The fits of tools that can be bound.
const (
	FitEqual      Fit = "equal"      // both schemas mean the same
	FitCompatible Fit = "compatible" // the tool takes every call that the contract allows
	FitUnproven   Fit = "not proven" // it is beyond the comparison whether it does; each call is validated against both schemas
)

// compareInput compares the input schema of a contract with that of a tool. It
// returns how they fit, "" if the tool cannot be bound, and what differs.
//
// An object that declares properties and says nothing of others has no others,
// since undeclared arguments never reach a tool. With filled, the tool gets the
// defaults of the contract.
func compareInput(contract, tool json.RawMessage, filled bool) (Fit, []string) {
	if EqualSchema(contract, tool) {
		return FitEqual, nil
	}
	text := contract
	if filled {
		text = requireDefaults(contract)
	}
	want, err := jsonschema.ReadDocument(text)
	if err != nil {
		return "", []string{"the input schema of the agent " + err.Error()}
	}
	have, err := jsonschema.ReadDocument(tool)
	if err != nil {
		return "", []string{"the input schema of the tool " + err.Error()}
	}
	c := jsonschema.NewChecker(want, have, jsonschema.CheckOptions{Arguments: true, Closed: true})
	if c.IsSubtype(want.Root, have.Root) {
		return FitCompatible, DiffSchema(contract, tool)
	}
	var refused []string
	c.Explain(want.Root, have.Root, func(m jsonschema.Mismatch) {
		if !m.Undecided {
			refused = append(refused, mismatchText(&m))
		}
	})
	if len(refused) > 0 && !c.GaveUp() {
		return "", refused
	}
	return FitUnproven, DiffSchema(contract, tool)
}

// mismatchText says in one line why calls of the contract are not calls of the
// tool.
func mismatchText(m *jsonschema.Mismatch) string {
	at := m.AtWide
	if m.At != nil {
		at = m.At
	}
	subject := parameterAt(at)
	switch m.Keyword {
	case jsonschema.UndeclaredProperty:
		return "the tool has no " + child(parameterAt(m.Part.At), m.Name)
	case jsonschema.UndeclaredProperties:
		return "the tool takes only the declared fields of " + subject
	case jsonschema.NoAlternative:
		return subject + " fits no alternative of the tool"
	case "required":
		return "the tool requires " + child(parameterAt(m.Part.At), m.Name) + ", which a call may leave out"
	case "type":
		return fmt.Sprintf("%s can be %s, but the tool takes %s", subject, m.MissingTypes(), m.Wide.Types())
	case "enum":
		values, finite := m.MissingValues()
		if finite {
			return fmt.Sprintf("%s can be %s, which the tool does not take", subject, jsonschema.ValuesText(values))
		}
		return fmt.Sprintf("%s can be any value, but the tool takes only %s", subject, jsonschema.ValuesText(values))
	case "false":
		return "the tool takes no " + subject
	}
	return strings.TrimSpace(fmt.Sprintf("the tool limits %s by its %s %s, and the agent does not", subject, m.Keyword, m.Wide.LimitText(m.Keyword)))
}

// parameterAt returns the parameter at a place of an input schema, as people
// write it: "order.lines[].copies", or "the arguments" at the root.
func parameterAt(at *jsonschema.Place) string {
	var path []string
	for ; at != nil && at.Parent != nil; at = at.Parent {
		switch parent := at.Parent.Token; {
		case parent == "properties" && at.Parent.Parent != nil:
			path = append(path, "."+at.Token)
			at = at.Parent
		case at.Token == "items":
			path = append(path, "[]")
		}
	}
	if len(path) == 0 {
		return "the arguments"
	}
	var b strings.Builder
	for i := len(path) - 1; i >= 0; i-- {
		b.WriteString(path[i])
	}
	return strconv.Quote(strings.TrimPrefix(b.String(), "."))
}

// child returns a property of a parameter.
func child(parent, name string) string {
	if path, err := strconv.Unquote(parent); err == nil {
		name = path + "." + name
	}
	return strconv.Quote(name)
}

// requireDefaults returns a schema in which every property with a default is
// required: what calls are after [Schema.FillDefaults].
func requireDefaults(schema json.RawMessage) json.RawMessage {
	root, err := jsonschema.Read(schema, nil)
	if err != nil {
		return schema
	}
	return defaultsRequired(root, jsonschema.NewResolver(root)).Append(nil)
}

func defaultsRequired(n *jsonschema.Node, r *jsonschema.Resolver) *jsonschema.Node {
	edit := n.Edit()
	if items := n.Get("items"); items.Is(jsonschema.KindObject) {
		edit.Set("items", defaultsRequired(items, r))
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
			m.Value = defaultsRequired(m.Value, r)
		}
		slices.Sort(required)
		edit.Set("properties", inner.Node(properties))
		edit.Set("required", jsonschema.Strings(slices.Compact(required)...))
	}
	return edit.Node(n)
}
