package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/interp"
)

// An approver asks the user whether calls may be made. It is used by one
// goroutine.
type approver struct {
	in     io.Reader
	out    io.Writer
	always []string // tools that need not be asked for; "all" means every tool

	lines <-chan string // of in; nil before the first question
}

// approver returns the function that decides for the user; nil when there is no
// terminal to ask at and nothing is approved.
func (r *runner) approver() func(context.Context, *interp.ApprovalRequest) (bool, error) {
	a := &approver{in: r.in, out: r.err, always: slices.Clone(r.approve)}
	if isTerminal(r.in) && isTerminal(r.err) && !r.readsStdin {
		return a.ask
	}
	if len(a.always) == 0 {
		return nil
	}
	return func(_ context.Context, q *interp.ApprovalRequest) (bool, error) {
		if approves(a.always, q.Tool) {
			return true, nil
		}
		r.note(fmt.Sprintf("%s is not called: it needs approval, and there is no terminal to ask at; allow it with --approve %s",
			cleanLine(q.Tool), cleanLine(q.Tool)))
		return false, nil
	}
}

// approves reports whether calls of a tool are allowed by a list of names.
func approves(always []string, tool string) bool {
	return slices.Contains(always, tool) || slices.Contains(always, "all")
}

// settle is how long a question waits for input that was typed before it: that
// cannot be an answer to what had not been shown.
const settle = 50 * time.Millisecond

// ask shows a call and waits for the answer.
func (a *approver) ask(ctx context.Context, q *interp.ApprovalRequest) (bool, error) {
	if approves(a.always, q.Tool) {
		return true, nil
	}
	if err := a.skipTyped(ctx); err != nil {
		return false, err
	}
	shown, whole := argumentLines(q.Args)
	fmt.Fprintf(a.out, "%s wants to call %s with\n%s", visibly(q.Agent), visibly(q.Tool), shown)
	question, yes := "Allow this call? [y]es, [n]o, [a]lways this tool: ", []string{"y", "yes"}
	if !whole {
		question, yes = "Allow this call, although not all of it is shown? yes, [n]o: ", []string{"yes"}
	}
	for {
		fmt.Fprint(a.out, question)
		answer, open, err := a.line(ctx)
		if err != nil {
			return false, err
		}
		switch answer = strings.ToLower(strings.TrimSpace(answer)); {
		case slices.Contains(yes, answer):
			return true, nil
		case answer == "n" || answer == "no":
			return false, nil
		case whole && (answer == "a" || answer == "always"):
			a.always = append(a.always, q.Tool)
			return true, nil
		}
		if !open {
			fmt.Fprintln(a.out, "no")
			return false, nil
		}
	}
}

// skipTyped discards the lines that were typed before a question.
func (a *approver) skipTyped(ctx context.Context) error {
	if a.lines == nil {
		lines := make(chan string, 1000)
		a.lines = lines
		go func() { // reads until the process ends: a terminal cannot be asked to stop
			defer close(lines)
			for s := bufio.NewScanner(a.in); s.Scan(); {
				lines <- s.Text()
			}
		}()
	}
	settled := time.After(settle)
	for lines := a.lines; ; {
		select {
		case _, open := <-lines:
			if !open {
				lines = nil
			}
		case <-settled:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// line waits for the next line, or for the end of the context. Open is false
// after the last one.
func (a *approver) line(ctx context.Context) (text string, open bool, err error) {
	select {
	case text, open = <-a.lines:
		return text, open, nil
	case <-ctx.Done():
		return "", false, ctx.Err()
	}
}

// This file shows the arguments of a call so that nothing in them is hidden from
// the user who approves it.

// maxAsked is how many bytes of the arguments a question shows; more would not be
// read.
const maxAsked = 4000

// argumentLines shows arguments one by one, as JSON, and reports whether all of
// them are shown.
func argumentLines(args json.RawMessage) (text string, whole bool) {
	var values map[string]any
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	if d.Decode(&values) != nil || len(values) == 0 {
		shown, whole := shortened(visibly(string(args)), maxAsked)
		return "  " + shown + "\n", whole
	}
	var lines strings.Builder
	whole = true
	names := slices.Sorted(maps.Keys(values))
	for i, name := range names {
		left := maxAsked - lines.Len()
		if left <= 0 {
			fmt.Fprintf(&lines, "  … %s left out\n", counted(len(names)-i, "argument"))
			return lines.String(), false
		}
		shown, all := shortened(visibly(valueText(values[name])), left)
		fmt.Fprintf(&lines, "  %s: %s\n", nameText(name), shown)
		if word := mixedAlphabets(shown); word != "" {
			fmt.Fprintf(&lines, "    (letters of several alphabets: %s)\n", word)
		}
		whole = whole && all
	}
	return lines.String(), whole
}

// valueText writes a value anew, without the escapes that the model chose.
func valueText(value any) string {
	text, err := plainjson.Marshal(value)
	if err != nil {
		panic("gramc: decoded JSON has no JSON form: " + err.Error())
	}
	return string(text)
}

var simpleName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`) })

func nameText(name string) string {
	if simpleName().MatchString(name) {
		return name
	}
	text, _ := shortened(visibly(valueText(name)), maxAsked/10)
	return text
}

// shortened leaves out the middle of a text that is too long, and reports
// whether it did not have to.
func shortened(text string, most int) (short string, whole bool) {
	if len(text) <= most {
		return text, true
	}
	head := excerpt.Bytes(text, most/2)
	tail := text[len(text)-most/4:]
	for tail != "" && tail[0]&0xc0 == 0x80 { // inside of a character
		tail = tail[1:]
	}
	return fmt.Sprintf("%s … %d bytes left out … %s", head, len(text)-len(head)-len(tail), tail), false
}

var manySpaces = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` {9,}`) })

// visibly is cleanLine for text in which everything must be visible: invisible
// characters and those that look like a space are escaped, and many spaces
// counted.
func visibly(text string) string {
	unseen := func(r rune) bool {
		switch r {
		case '\u115f', '\u1160', '\u2800', '\u3164', '\uffa0': // letters that are not visible
			return true
		}
		return r != ' ' && unicode.In(r, unicode.Zs, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
	}
	var b strings.Builder
	for _, r := range cleanLine(text) {
		if unseen(r) {
			fmt.Fprintf(&b, `\u{%x}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return manySpaces().ReplaceAllStringFunc(b.String(), func(spaces string) string {
		return fmt.Sprintf(" [%d spaces] ", len(spaces))
	})
}

// mixedAlphabets returns the first word with letters of several alphabets that look alike,
// escaped; "" when there is none.
func mixedAlphabets(text string) string {
	alphabets := []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		found := 0
		for _, alphabet := range alphabets {
			if strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(alphabet, r) }) {
				found++
			}
		}
		if found > 1 {
			return excerpt.Short(strconv.QuoteToASCII(word), 100)
		}
	}
	return ""
}
