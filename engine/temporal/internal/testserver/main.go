// Command testserver is a Temporal server for tests: it listens on the loopback interface, keeps
// everything in memory, writes its address and its namespace as one line, and ends when its
// standard input does.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/temporal"
	"go.temporal.io/server/temporaltest"
)

func main() {
	events := flag.Int("events", 4096, "after how many events a workflow is to begin a new history")
	slow := flag.Bool("slow-attributes", false, "learn of new search attributes after some seconds, as other servers do")
	flag.Parse()
	config := dynamicconfig.StaticClient{
		dynamicconfig.HistoryCountSuggestContinueAsNew.Key():        *events,
		dynamicconfig.ForceSearchAttributesCacheRefreshOnRead.Key(): !*slow, // temporaltest has true
	}
	server := temporaltest.NewServer(temporaltest.WithBaseServerOptions(temporal.WithDynamicConfigClient(config)))
	fmt.Println(server.GetFrontendHostPort(), server.GetDefaultNamespace())
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0) // what is in memory is not closed
}
