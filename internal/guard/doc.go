// Package guard makes HTTP clients for tools whose addresses a model may
// choose.
//
//	client, err := guard.Client(guard.Options{AllowHosts: []string{"127.0.0.1:8080"}})
//	…
//	response, err := guard.Do(client, req)
//
// These clients do not reach the private network. The address that is dialled
// counts, after names are resolved and redirects followed, and not the text of a
// URL: there are too many ways to write 127.0.0.1.
//
// Requests that gramc makes for itself, such as those to a model, do not use this
// package.
package guard
