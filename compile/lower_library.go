package compile

import (
	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
)

// Libraries lowers the libraries of a file. The list is what is wrong with
// them and with the types that they use; with an error in it, or where
// something did not parse, there are no libraries. A file without a library is
// an error too.
func Libraries(f *ast.File, o *Options) ([]*Library, diag.List) {
	return nil, nil
}
