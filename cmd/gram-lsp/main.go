// Command gram-lsp is the language server of gram, for editors. It uses standard
// input and output.
//
//	gram-lsp [--listen 127.0.0.1:PORT] [--version]
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/gram-lang/gramc/internal/lsp"
	"github.com/gram-lang/gramc/internal/workspace"
)

// garbageRatio is how much the server may allocate, in percent of what it holds,
// before Go collects garbage: each keystroke makes some, and the files of the
// workspace stay. A quarter of the processor time of a keystroke depends on it.
const garbageRatio = 400

func main() {
	debug.SetGCPercent(garbageRatio)
	os.Exit(run())
}

func run() int {
	listen := flag.String("listen", "", "listen on an `address` such as 127.0.0.1:7000 instead, for debugging; any client that connects can read the files that you can read")
	version := flag.Bool("version", false, "print the version")
	flag.Bool("stdio", true, "use standard input and output, which is the default")
	flag.Parse()
	if *version {
		fmt.Println("gram-lsp", readVersion())
		return 0
	}
	if flag.NArg() > 0 && (flag.NArg() > 1 || flag.Arg(0) != "stdio") {
		fmt.Fprintf(os.Stderr, "gram-lsp: unexpected argument %q; an editor starts it without arguments\n", flag.Arg(0))
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	options := &lsp.Options{Version: readVersion(), Log: os.Stderr, Models: workspace.UserTable()}
	if *listen == "" {
		stdio := struct {
			io.Reader
			io.WriteCloser
		}{os.Stdin, os.Stdout}
		return lsp.Serve(ctx, stdio, options)
	}
	if err := serve(ctx, *listen, options); err != nil {
		fmt.Fprintf(os.Stderr, "gram-lsp: %v\n", err)
		return 1
	}
	return 0
}

// serve serves each client that connects, until ctx ends.
func serve(ctx context.Context, address string, o *lsp.Options) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { listener.Close() })
	fmt.Fprintf(os.Stderr, "gram-lsp: listening on %s\n", listener.Addr())
	for {
		conn, err := listener.Accept()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		go lsp.Serve(ctx, conn, o)
	}
}

func readVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
