package runtime

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// A Decision is the verdict on a call.
type Decision string

// The decisions. The zero Decision is Allow.
const (
	Allow Decision = "allow"
	Ask   Decision = "ask"  // only if the user agrees
	Deny  Decision = "deny" // never
)

// An Approval decides which calls of a tool may be made: the first rule that
// matches the arguments, or else Default. The zero Approval allows all.
type Approval struct {
	Rules   []ApprovalRule
	Default Decision
}

// An ApprovalRule decides the calls whose arguments all match. In a glob, * is
// any run of characters. A string is compared as it is, every other value as
// compact JSON, and an absent argument matches nothing.
//
// Another spelling of a value must not evade a rule. A value with a parent
// directory ("a/../b") never matches a glob with * that allows. A rule that denies
// or asks ignores case, also compares the cleaned path and any form of a number,
// and is applied to each value inside an array or object.
type ApprovalRule struct {
	Args map[string]string // globs by the name of the argument
	Then Decision
}

// MayAllow reports whether some calls are allowed without asking.
func (a Approval) MayAllow() bool {
	allows := func(r ApprovalRule) bool { return r.Then == Allow }
	return a.Default == "" || a.Default == Allow || slices.ContainsFunc(a.Rules, allows)
}

// Decide decides a call by its arguments, a JSON object.
func (a Approval) Decide(args json.RawMessage) Decision {
	if len(a.Rules) > 0 {
		var values map[string]json.RawMessage
		if json.Unmarshal(args, &values) != nil {
			return Deny
		}
		for _, rule := range a.Rules {
			if rule.matches(values) {
				return rule.Then
			}
		}
	}
	if a.Default == "" {
		return Allow
	}
	return a.Default
}

func (r *ApprovalRule) matches(args map[string]json.RawMessage) bool {
	for name, glob := range r.Args {
		raw, given := args[name]
		if !given || !r.matchesArgument(glob, raw) {
			return false
		}
	}
	return true
}

func (r *ApprovalRule) matchesArgument(glob string, raw json.RawMessage) bool {
	value := approvalArgument(raw)
	if r.Then == Allow {
		text := approvalArgumentText(value)
		return approvalMatchesGlob(glob, text) && (glob == text || !approvalHasParent(text))
	}
	return approvalMatchesAny(approvalAnyCase(glob), value)
}

// approvalMatchesAny reports whether a glob matches a value or a part of it, in any
// spelling.
func approvalMatchesAny(glob string, value any) bool {
	text := approvalAnyCase(approvalArgumentText(value))
	if approvalMatchesGlob(glob, text) || approvalMatchesGlob(glob, path.Clean(strings.ReplaceAll(text, `\`, "/"))) {
		return true
	}
	inside := func(part any) bool { return approvalMatchesAny(glob, part) }
	switch value := value.(type) {
	case json.Number:
		n, err := value.Float64()
		return err == nil && approvalMatchesGlob(glob, strconv.FormatFloat(n, 'f', -1, 64))
	case []any:
		return slices.ContainsFunc(value, inside)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(value)), inside)
	}
	return false
}

// approvalAnyCase returns the same text for all texts that differ only in case.
func approvalAnyCase(text string) string { return strings.ToLower(strings.ToUpper(text)) }

func approvalArgument(raw json.RawMessage) any {
	var value any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return string(raw)
	}
	return value
}

// approvalArgumentText returns a string as it is, and every other value as compact JSON.
func approvalArgumentText(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	text, err := plainjson.Marshal(value)
	if err != nil {
		panic("runtime: decoded JSON has no JSON form: " + err.Error())
	}
	return string(text)
}

// approvalHasParent reports whether a path has a part that is "..".
func approvalHasParent(value string) bool {
	return slices.Contains(strings.FieldsFunc(value, func(c rune) bool { return c == '/' || c == '\\' }), "..")
}

// approvalMatchesGlob matches a whole text in linear steps per *.
func approvalMatchesGlob(glob, text string) bool {
	parts := strings.Split(glob, "*")
	if len(parts) == 1 {
		return glob == text
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(text) < len(first)+len(last) || !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) {
		return false
	}
	text = text[len(first) : len(text)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(text, part)
		if at < 0 {
			return false
		}
		text = text[at+len(part):]
	}
	return true
}

// Approve decides a call of the tool by its arguments, with defaults filled in,
// and returns these. A call that breaks the input schema is allowed here, since
// [Tool.Invoke] refuses it.
func (t Tool) Approve(args json.RawMessage) (Decision, json.RawMessage) {
	approval := &t.config.Approval
	if len(approval.Rules) == 0 && (approval.Default == "" || approval.Default == Allow) {
		return Allow, args
	}
	filled, err := t.invokeArguments(args)
	if err != nil {
		return Allow, args
	}
	return approval.Decide(filled), filled
}
