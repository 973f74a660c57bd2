package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// schemaDiff shows where two schemas differ. It is empty when one is not known.
func schemaDiff(t *toolReport, want, have json.RawMessage) string {
	if len(want) == 0 || len(have) == 0 {
		return ""
	}
	text := string(diff.Diff(t.Place, sortedSchema(want), t.Library, sortedSchema(have)))
	_, text, _ = strings.Cut(text, "\n") // the first line names both, as the next two do
	return text
}

// sortedSchema writes a schema with its keys in alphabetical order.
func sortedSchema(schema json.RawMessage) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(schema))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return schema
	}
	var text bytes.Buffer
	if encode(&text, v, "  ") != nil {
		return schema
	}
	return text.Bytes()
}

// print writes what was found.
func (b *binder) print(r *bindReport) error {
	if b.asJSON {
		return b.encodeData(r)
	}
	for i := range r.Agents {
		b.printAgent(&r.Agents[i])
	}
	for _, change := range r.Drift {
		fmt.Fprintf(b.out, "changed since the lock: %s\n", changeText(change, r.before, r.now))
	}
	return nil
}

func (b *binder) printAgent(a *agentReport) {
	fmt.Fprintf(b.out, "agent %s (%s)\n", cleanLine(a.Agent), cleanLine(a.Place))
	if len(a.Tools) == 0 {
		fmt.Fprintln(b.out, "  it has no tools")
	}
	for _, t := range a.Tools {
		from, places := t.From, t.Place
		if t.Library != "" {
			from += " (" + t.Library + ")"
			places += ", " + t.Library
		}
		if len(t.Problems) == 0 {
			fmt.Fprintf(b.out, "  ok     %s: %s\n", cleanLine(t.Tool), cleanLine(from))
		}
		for _, difference := range t.Differences {
			fmt.Fprintf(b.out, "    %s: %s\n", t.Fit, cleanLine(difference))
		}
		for _, p := range t.Problems {
			fmt.Fprintf(b.out, "  error  %s (%s): %s: %s\n", cleanLine(t.Tool), cleanLine(places), p.Reason, cleanLine(p.Message))
			for line := range strings.Lines(p.Diff) {
				fmt.Fprintf(b.out, "    %s", clean(line))
			}
		}
	}
}
