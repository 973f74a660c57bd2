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
// Rules must not be fooled by another spelling. So a value with a step up
// ("a/../b") never matches a pattern with * that allows. A rule that denies or
// asks looks at the value in any case of letters, as it is and with the steps
// taken, at numbers however they are written, and at each value in a list or an
// object.
type ApprovalRule struct {
	Args map[string]string
	Then Decision
}

// MayAllow reports whether there may be calls that are allowed without being
// asked for.
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
	for name, pattern := range r.Args {
		raw, given := args[name]
		if !given || !r.matchesArgument(pattern, raw) {
			return false
		}
	}
	return true
}

func (r *ApprovalRule) matchesArgument(pattern string, raw json.RawMessage) bool {
	value := decoded(raw)
	if r.Then == Allow {
		text := argumentText(value)
		return matchGlob(pattern, text) && (pattern == text || !stepsUp(text))
	}
	return matchesAny(anyCase(pattern), value)
}

// matchesAny reports whether a pattern matches a value or a part of it, in any
// spelling.
func matchesAny(pattern string, value any) bool {
	text := anyCase(argumentText(value))
	if matchGlob(pattern, text) || matchGlob(pattern, path.Clean(strings.ReplaceAll(text, `\`, "/"))) {
		return true
	}
	inside := func(part any) bool { return matchesAny(pattern, part) }
	switch value := value.(type) {
	case json.Number:
		n, err := value.Float64()
		return err == nil && matchGlob(pattern, strconv.FormatFloat(n, 'f', -1, 64))
	case []any:
		return slices.ContainsFunc(value, inside)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(value)), inside)
	}
	return false
}

// anyCase returns the one spelling of all texts that differ in the case of their
// letters.
func anyCase(text string) string { return strings.ToLower(strings.ToUpper(text)) }

func decoded(raw json.RawMessage) any {
	var value any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return string(raw)
	}
	return value
}

// argumentText returns a string as it is, and every other value as compact JSON.
func argumentText(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	text, err := plainjson.Marshal(value)
	if err != nil {
		panic("runtime: decoded JSON has no JSON form: " + err.Error())
	}
	return string(text)
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
	approval := &t.config.Approval
	if len(approval.Rules) == 0 && (approval.Default == "" || approval.Default == Allow) {
		return Allow, args
	}
	filled, err := t.arguments(args)
	if err != nil {
		return Allow, args
	}
	return approval.Decide(filled), filled
}
