// Package host opens libraries: it makes tools that can be called of what a
// library file declares.
//
//	libraries, problems := compile.Libraries(file, nil)
//	set, err := host.Open(ctx, libraries, nil)
//	if err != nil {
//		return err
//	}
//	defer set.Close()
//	bound, err := interp.Bind(agent, set.Library(), model, nil)
//
// Here the values of environment variables come in, and here they are kept from
// coming out again: what tools return and what their errors say has the name of
// the variable in place of its value.
//
// To open a library means to start its MCP servers. Whoever must not start
// anything, like a checker or an editor, has package compile.
package host
