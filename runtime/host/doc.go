// Package host opens libraries: it makes callable tools of the entries of a
// library file.
//
//	libraries, problems := compile.Libraries(file, nil)
//	set, err := host.Open(ctx, libraries, nil)
//	if err != nil {
//		return err
//	}
//	defer set.Close()
//	bound, err := interp.Bind(agent, set.Library(), model, nil)
//
// Values of environment variables enter here and are redacted here: the results
// and the errors of tools contain the name of a variable instead of its value.
//
// Opening a library starts its MCP servers. A checker or an editor, which must not
// start anything, uses package compile.
package host
