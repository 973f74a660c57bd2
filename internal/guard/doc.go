// Package guard makes HTTP clients for tools whose addresses a model may
// choose.
//
//	client, err := guard.Client(guard.Options{AllowHosts: []string{"127.0.0.1:8080"}})
//	…
//	answer, err := guard.Do(client, req)
//
// The private network is closed to them. What counts is the address that is
// dialled, after names are resolved and redirects followed, and never the text
// of a URL: there are too many ways to write 127.0.0.1.
//
// It is not for the requests that the toolchain makes for itself, such as
// those to a model.
package guard
