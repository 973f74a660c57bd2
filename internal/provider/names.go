package provider

import (
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Collision is two tools that would have the same name.
type Collision struct {
	First, Second string // as they are given
	Name          string // the name that both would get
	Target        Target
}

// Error names both tools.
func (c Collision) Error() string {
	return fmt.Sprintf("the tools %q and %q would both be %q for %s; rename one of them", c.First, c.Second, c.Name, c.Target.Title())
}

// Names returns the [Name] of each tool, in order, and the pairs of different tools
// that get the same one.
func Names(tools []string, t Target) ([]string, []Collision) {
	safe, same := make([]string, len(tools)), true
	for i, tool := range tools {
		safe[i] = Name(tool, t)
		same = same && safe[i] == tool
	}
	if same {
		return safe, nil
	}
	owner := make(map[string]string, len(tools))
	var collisions []Collision
	for i, tool := range tools {
		first, taken := owner[safe[i]]
		switch {
		case !taken:
			owner[safe[i]] = tool
		case first != tool:
			collisions = append(collisions, Collision{First: first, Second: tool, Name: safe[i], Target: t})
		}
	}
	return safe, collisions
}

// Name returns the name of a tool as the target takes it: the same name if it
// can, and otherwise one with _ in place of other characters. It ends with a checksum
// if it is too long, or if letters are replaced, without which names of other scripts
// would be the same.
func Name(tool string, t Target) string {
	rule := t.limits().names
	if rule.takes(tool) {
		return tool
	}
	letters := false // are replaced
	safe := strings.Map(func(c rune) rune {
		if rule.has(c) {
			return c
		}
		letters = letters || unicode.IsLetter(c) || unicode.IsDigit(c)
		return '_'
	}, tool)
	if letters && strings.Trim(safe, "_") == "" {
		safe = "tool"
	}
	if safe == "" || !rule.begins(safe[0]) {
		safe = "_" + safe
	}
	if letters || len(safe) > rule.most {
		sum := fnv.New32a()
		sum.Write([]byte(tool))
		safe = fmt.Sprintf("%s_%08x", safe[:min(len(safe), rule.most-9)], sum.Sum32())
	}
	return safe
}

// takes reports whether a name can stay as it is.
func (n names) takes(name string) bool {
	if n.most == 0 {
		return true
	}
	if name == "" || len(name) > n.most || !n.begins(name[0]) {
		return false
	}
	return !strings.ContainsFunc(name, func(c rune) bool { return !n.has(c) })
}

func (n names) has(c rune) bool {
	return isNameLetter(c) || '0' <= c && c <= '9' || c < utf8.RuneSelf && strings.ContainsRune(n.signs, c)
}

func (n names) begins(c byte) bool {
	return n.starts == "" && n.has(rune(c)) || isNameLetter(rune(c)) || strings.IndexByte(n.starts, c) >= 0
}

func isNameLetter(c rune) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
