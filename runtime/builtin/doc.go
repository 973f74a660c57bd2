// Package builtin holds the tools that come with gramc.
//
//	lib := builtin.Library()
//	response, err := interp.Run(ctx, agent, "Hello!", nil, lib, model, nil)
//
// It is not a collection of tools for every purpose: a program that needs more
// adds its own to the library.
package builtin
