package runtime

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// A Decision says whether a call may be made.
type Decision string

// The decisions. The zero Decision is Allow.
const (
	Allow Decision = "allow"
	Ask   Decision = "ask"  // only if the user says yes
	Deny  Decision = "deny" // never
)

// An Approval decides which calls of a tool may be made: the first rule that
// matches the arguments, or else Default. The zero Approval allows all.
type Approval struct {
	Rules   []ApprovalRule
	Default Decision
}

// An ApprovalRule decides the calls whose arguments all match. The patterns
// stand by the names of the arguments; in a pattern, * is any run of
// characters. A string is compared as it is, every other value as compact
// JSON, and an argument that is not there matches nothing.
//
// Rules must not be fooled by another spelling of a path. So a value with a
// step up ("a/../b") never matches a pattern with * that allows, and a rule
// that denies looks at the value in any case of letters, as it is and with the
// steps taken.
type ApprovalRule struct {
	Args map[string]string
	Then Decision
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
	for name, pattern := range r.Args {
		raw, given := args[name]
		if !given || !r.matchesValue(pattern, argumentText(raw)) {
			return false
		}
	}
	return true
}

func (r *ApprovalRule) matchesValue(pattern, value string) bool {
	if r.Then == Allow {
		return matchGlob(pattern, value) && (pattern == value || !stepsUp(value))
	}
	pattern, value = strings.ToLower(pattern), strings.ToLower(value)
	return matchGlob(pattern, value) || matchGlob(pattern, path.Clean(strings.ReplaceAll(value, `\`, "/")))
}

func argumentText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// stepsUp reports whether a path has a part that is "..".
func stepsUp(value string) bool {
	return slices.Contains(strings.FieldsFunc(value, func(c rune) bool { return c == '/' || c == '\\' }), "..")
}

// matchGlob matches a whole text in linear steps per *.
func matchGlob(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
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
	if len(t.approval.Rules) == 0 && (t.approval.Default == "" || t.approval.Default == Allow) {
		return Allow, args
	}
	filled, err := t.in.FillDefaults(args)
	if err != nil || t.ValidateInput(filled) != nil {
		return Allow, args
	}
	return t.approval.Decide(filled), filled
}
