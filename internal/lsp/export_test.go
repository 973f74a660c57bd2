package lsp

// Methods returns the requests that the server answers between initialize and
// shutdown.
func Methods() []string {
	var list []string
	for _, f := range features() {
		list = append(list, f.method)
	}
	return list
}
