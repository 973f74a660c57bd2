package library

import "github.com/gram-lang/gramc/compile/types"

// A lowerer lowers libraries.
type Lowerer struct{ *types.Checker }
