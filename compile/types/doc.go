// Package types reads type expressions such as {a: Text, b?: Int}, the named types
// of a file, and the signatures of tools. It lowers them to RawJSON Schema and checks
// values against them.
//
//	signature, problems := types.ParseTypeSignature("(city::Text)==>(::Number)")
//	if signature != nil {
//		fmt.Printf("%s\n", signature.InputSchema())
//	}
package types
