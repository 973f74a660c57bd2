package lsp

import (
	"slices"
	"strconv"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/vocabulary"
	"github.com/gram-lang/gramc/internal/workspace"
)

// This file completes what tests say of agents.

// stepTools are the properties of steps that name tools.
var stepTools = map[vocabulary.Owner][]string{
	vocabulary.OwnerTest:     {"approve"},
	vocabulary.OwnerModel:    {"call"},
	vocabulary.OwnerResultOf: {"tool"},
	vocabulary.OwnerFault:    {"tool"},
	vocabulary.OwnerExpect:   {"called", "never", "result", "before", "from", "handled", "asked", "order"},
}

// testValues adds the values of a property of a test, or of a step of it. It reports
// whether they are names of agents, tools, files or parameters.
func (c *completer) testValues(owner vocabulary.Owner, key string) bool {
	switch {
	case owner == vocabulary.OwnerTest && key == "agent":
		for _, a := range c.testableAgents() {
			c.addTestName(a.Pattern)
		}
	case owner == vocabulary.OwnerTest && key == "library":
		c.libraryPathValues()
	case slices.Contains(stepTools[owner], key):
		for _, t := range c.testedTools() {
			c.addTestName(t.Pattern)
		}
	case owner == vocabulary.OwnerExpect && key == "argument":
		if t := c.testedTool(c.up(1)); t != nil {
			for i, name := range library.ParamNames(t.Params) {
				c.addTextValue(completionItem{Label: name, Kind: protocol.CompletionItemKindVariable, SortText: completionGroup('a', i)}, strconv.Quote(name), false)
			}
		}
	default:
		return false
	}
	return true
}

func (c *completer) addTestName(p *ast.Pattern) {
	if p.Identity() != "" {
		c.addTextValue(c.itemOfName(p), ast.Print(ast.NewName(p.Identity())), false)
	}
}

// testableAgents returns the agents that a test in the document can name.
func (c *completer) testableAgents() (agents []ast.Agent) {
	for _, d := range c.visible(c.d) {
		for _, p := range d.ast().Patterns {
			if a, ok := ast.AsAgent(p); ok {
				agents = append(agents, a)
			}
		}
	}
	return agents
}

// testedTools returns the tools of the agent of the test around the cursor.
func (c *completer) testedTools() (tools []ast.Tool) {
	at := slices.IndexFunc(c.frames, func(f *frame) bool { return f.kind == inPattern && f.has(ast.LabelTest) })
	if at < 0 {
		return nil
	}
	name := ""
	if p := c.ownerPattern(c.frames[at]); p != nil && p.Property("agent") != nil {
		name, _ = ast.WordOf(p.Property("agent").Value)
	}
	names, agents := c.examinedNames(c.d), c.testableAgents()
	for _, a := range agents {
		if a.Name() != name && (name != "" || len(agents) > 1) {
			continue
		}
		for e := range a.Tools() {
			if t, ok := names.Tool(e); ok {
				tools = append(tools, t)
			}
		}
	}
	return tools
}

// testedTool returns the signature of the tool that a step is about, nil where it is not
// known.
func (c *completer) testedTool(step *frame) *types.Signature {
	p := c.ownerPattern(step)
	if p == nil {
		return nil
	}
	for _, key := range []string{"call", "called", "never", "tool"} {
		if p.Property(key) == nil {
			continue
		}
		name, _ := ast.WordOf(p.Property(key).Value)
		for _, t := range c.testedTools() {
			if t.Name() == name {
				return c.view().Tool(t).Signature
			}
		}
	}
	return nil
}

// testedArguments returns the parameters of the tool whose arguments are being written: the
// record or map is the nth from inside. It is nil elsewhere.
func (c *completer) testedArguments(n int) []*types.Param {
	record, step := c.up(n+1), c.up(n+2)
	if record == nil || record.key != "with" && record.key != "matching" || step == nil || step.kind != inPattern || !c.up(n+3).has(ast.LabelTest) {
		return nil
	}
	if s := c.testedTool(step); s != nil {
		return s.Params
	}
	return nil
}

// testArgumentKeys adds the parameters of a tool that have no argument yet.
func (c *completer) testArgumentKeys(params []*types.Param, had []string) {
	for i, name := range library.ParamNames(params) {
		if slices.Contains(had, name) {
			continue
		}
		item := completionItem{Label: name, Kind: protocol.CompletionItemKindVariable, SortText: completionGroup('a', i)}
		if c.behindToken(':') {
			c.add(item, "")
		} else {
			c.add(item, ast.Print(ast.NewName(name))+": ")
		}
	}
}

// libraryPathValues adds the files of the project with libraries.
func (c *completer) libraryPathValues() {
	for other := range c.others {
		name, ok := workspace.ImportPath(c.d.path, other.path)
		if ok && slices.ContainsFunc(other.ast().Patterns, library.IsLibrary) {
			c.addTextValue(completionItem{Label: name, Kind: protocol.CompletionItemKindFile, SortText: completionGroup('a', 0)}, strconv.Quote(name), false)
		}
	}
}
