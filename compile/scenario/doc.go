// Package scenario lowers tests of agents to plain data, and checks them against the
// agents: that a tool has the name and the parameters which a step says, and that
// values fit their types. Package internal/scenario runs them.
package scenario
