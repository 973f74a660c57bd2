package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	compiled "github.com/gram-lang/gramc/compile/scenario"

	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/scenario"
	"github.com/gram-lang/gramc/internal/trace"
	"github.com/gram-lang/gramc/runtime"
)

// A testDrafter makes a test of a conversation: gramc test --from.
type testDrafter struct {
	*tester
	from   string // the file of the conversation
	agent  string // which agent of the file
	name   string // of the test
	output string
}

// maxConversation is the size of a saved conversation, in bytes.
const maxConversation = 64 << 20

func (d *testDrafter) command(ctx context.Context, words []string) error {
	if len(words) != 1 {
		return errors.New("--from takes one file: that of the agent")
	}
	if d.name != "" && d.name != identifierOf(d.name) {
		return fmt.Errorf("--name %q is no name: it has letters and digits, and begins with a letter", d.name)
	}
	if d.output != "" {
		if _, err := os.Lstat(d.output); err == nil {
			return fmt.Errorf("-o %s: it exists; name a new file", d.output)
		}
	}
	conversation, err := d.readConversation()
	if err != nil {
		return unusableInput(d.from, err)
	}
	r := newRunner(d.cli)
	r.agentName = d.agent
	if err := r.loadAgent(words[0]); err != nil {
		return err
	}
	file := cmp.Or(d.output, "conversation.test.gram")
	imported, err := importOf(file, words[0])
	if err != nil {
		return err
	}
	base := filepath.Base(d.from)
	draft := &scenario.Draft{Name: cmp.Or(d.name, identifierOf(strings.TrimSuffix(base, filepath.Ext(base))), "conversation"), Import: imported, Agent: r.agent}
	text, notes, err := draft.Text(conversation)
	if err != nil {
		return unusableInput(d.from, err)
	}
	parsed, problems := grammar.Parse(file, text)
	if err := problems.Err(); err != nil {
		return fmt.Errorf("%s cannot be written as a test: %w", d.from, err)
	}
	text = format.File(parsed, nil)
	for _, note := range notes {
		d.note("warning: " + shortMessage(note))
	}
	if err := d.try(ctx, file, text); err != nil {
		return err
	}
	if d.output == "" {
		return d.writeText(text)
	}
	return d.writeOutput(d.output, []byte(text))
}

// readConversation reads a conversation that /save has written as JSON, one with its messages
// as a member, or a trace.
func (d *testDrafter) readConversation() (runtime.Conversation, error) {
	in, err := d.openTraceInput(d.from)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var text bytes.Buffer
	if n, err := text.ReadFrom(io.LimitReader(in, maxConversation+1)); err != nil || n > maxConversation {
		return nil, cmp.Or(err, fmt.Errorf("it is larger than %d MiB", maxConversation>>20))
	}
	var messages runtime.Conversation
	if json.Unmarshal(text.Bytes(), &messages) == nil {
		return messages, nil
	}
	var saved struct{ Messages runtime.Conversation }
	if json.Unmarshal(text.Bytes(), &saved) == nil && len(saved.Messages) > 0 {
		return saved.Messages, nil
	}
	conversation, err := trace.Conversation(&text)
	if err != nil {
		return nil, errors.New("this is neither a trace nor a conversation that /save has written as JSON")
	}
	return conversation, nil
}

// try runs the test, and reports why it does not pass, which ends the command.
func (d *testDrafter) try(ctx context.Context, file, text string) error {
	u, err := d.loadInput(input{file, true, text})
	if err != nil {
		return err
	}
	d.suite = d.newSuite()
	defer d.suite.close()
	if err := d.suite.add(u, nil); err != nil {
		return err
	}
	for _, t := range d.suite.cases {
		if t.Model != compiled.Scripted {
			continue
		}
		report := d.newReport()
		report.format.value = "human"
		if result := d.test(ctx, t); !result.ok() {
			if err := report.add(result); err != nil {
				return err
			}
			d.complain("the conversation does not pass as a test; nothing is written")
			return exitSilently(exitRun)
		}
	}
	return nil
}

// importOf returns the path of a file from another file.
func importOf(from, to string) (string, error) {
	a, err := filepath.Abs(filepath.Dir(from))
	if err != nil {
		return "", err
	}
	b, err := filepath.Abs(to)
	if err != nil {
		return "", err
	}
	path, err := filepath.Rel(a, b)
	if err != nil {
		return "", err
	}
	if path = filepath.ToSlash(path); !strings.HasPrefix(path, "../") {
		path = "./" + path
	}
	return path, nil
}

// identifierOf returns the words of a text as a name: lateParcel of late-parcel.
func identifierOf(text string) string {
	var b strings.Builder
	upper := false
	for _, r := range text {
		switch {
		case r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			upper = b.Len() > 0
		case b.Len() == 0 && unicode.IsDigit(r):
		case upper:
			b.WriteRune(unicode.ToUpper(r))
			upper = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
