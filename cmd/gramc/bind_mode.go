package main

import (
	"github.com/spf13/pflag"

	"github.com/gram-lang/gramc/runtime"
)

// A bindMode is the flag --bind.
type bindMode struct{ choice }

func newBindMode() bindMode { return bindMode{choice{"compatible", "compatible,strict,name"}} }

func (m *bindMode) addFlag(f *pflag.FlagSet) {
	f.Var(&m.choice, "bind", "which tools fit: those that take every call of the agent, strict those with equal schemas, name all of that name")
}

func (m *bindMode) mode() runtime.BindMode {
	return map[string]runtime.BindMode{"strict": runtime.BindStrict, "name": runtime.BindName}[m.value]
}
