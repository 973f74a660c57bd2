package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/gram-lang/gramc/internal/spell"
)

// This file tells what binding found.

// schemaDiff shows where two schemas differ. It is empty when one is not known.
func schemaDiff(t *wiredTool, want, have json.RawMessage) string {
	if len(want) == 0 || len(have) == 0 {
		return ""
	}
	text := string(diff.Diff(t.Place, sortedSchema(want), t.Library, sortedSchema(have)))
	_, text, _ = strings.Cut(text, "\n") // the first line names both, as the next two do
	return text
}

// notFound says that no library has a tool, and which one was meant perhaps.
func notFound(name string, known []string) string {
	text := "no library has this tool; there is " + strings.Join(known, ", ")
	if near := spell.Nearest(name, known); near != "" {
		text += "; did you mean " + near + "?"
	}
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

// tell writes what was found.
func (b *binder) tell(r *bindReport) error {
	if b.asJSON {
		var text bytes.Buffer
		if err := encode(&text, r, "  "); err != nil {
			return err
		}
		return b.writeData(text.Bytes())
	}
	for i := range r.Agents {
		b.tellAgent(&r.Agents[i])
	}
	now := lockOf(r.Agents)
	for _, change := range r.Drift {
		fmt.Fprintf(b.out, "changed since the lock: %s\n", changeText(change, r.before, now))
	}
	return nil
}

func (b *binder) tellAgent(w *wired) {
	fmt.Fprintf(b.out, "agent %s (%s)\n", cleanLine(w.Agent), cleanLine(w.Place))
	if len(w.Tools) == 0 {
		fmt.Fprintln(b.out, "  it has no tools")
	}
	for i := range w.Tools {
		t := &w.Tools[i]
		from := t.From
		if t.Library != "" {
			from += " (" + t.Library + ")"
		}
		if len(t.Problems) == 0 {
			fmt.Fprintf(b.out, "  ok     %s: %s\n", cleanLine(t.Name), cleanLine(from))
			for _, difference := range t.Differences {
				fmt.Fprintf(b.out, "    %s: %s\n", t.Fit, cleanLine(difference))
			}
			continue
		}
		places := t.Place
		if t.Library != "" {
			places += ", " + t.Library
		}
		for _, p := range t.Problems {
			fmt.Fprintf(b.out, "  error  %s (%s): %s: %s\n", cleanLine(t.Name), cleanLine(places), p.Reason, cleanLine(p.Message))
			for line := range strings.Lines(p.Diff) {
				fmt.Fprintf(b.out, "    %s", clean(line))
			}
		}
	}
}
