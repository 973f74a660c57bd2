package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/internal/trace"
)

func (c *cli) traceCommand() *cobra.Command {
	var html string
	cmd := command("trace FILE", theFile, func(_ *cobra.Command, files []string) error {
		t, err := c.readTrace(files[0])
		if err != nil {
			return err
		}
		if html != "" {
			return c.writePage(html, t.HTML())
		}
		return c.writeText(t.Tree())
	})
	cmd.Flags().StringVar(&html, "html", "", "write a page with a timeline to `FILE` instead")
	return cmd
}

// writePage writes a page to a file that it does not take from what was read, or to
// standard output.
func (c *cli) writePage(name, page string) error {
	if name == stdinName {
		return c.writeText(page)
	}
	if err := c.refuseOverwrite("--html", name); err != nil {
		return err
	}
	return writePrivateFile(name, []byte(page))
}

// readTrace reads the trace of a file or of standard input.
func (c *cli) readTrace(name string) (*trace.Trace, error) {
	in, err := c.openTraceInput(name)
	if err != nil {
		return nil, unusableInput(name, err)
	}
	defer in.Close()
	t, err := trace.Read(in)
	if err != nil {
		return nil, unusableInput(name, err)
	}
	return t, nil
}

// openTraceInput opens a regular file or standard input.
func (c *cli) openTraceInput(name string) (io.ReadCloser, error) {
	if isStdin(name) {
		return io.NopCloser(c.in), nil
	}
	file, err := openRegular(name)
	if errors.Is(err, errNotRegular) {
		return nil, fmt.Errorf(`%w; "-" reads standard input`, err)
	}
	if err != nil {
		return nil, err
	}
	c.filesRead.Store(name, true)
	return file, nil
}
