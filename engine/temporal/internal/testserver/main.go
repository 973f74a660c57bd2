// Command testserver is a Temporal server for tests: it listens on the loopback interface, keeps
// everything in memory, writes its address and its namespace as one line, and ends when its
// standard input does.
package main

import (
	"fmt"
	"io"
	"os"

	"go.temporal.io/server/temporaltest"
)

func main() {
	server := temporaltest.NewServer()
	fmt.Println(server.GetFrontendHostPort(), server.GetDefaultNamespace())
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0) // what is in memory is not closed
}
