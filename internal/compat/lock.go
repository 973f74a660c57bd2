package compat

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// LockVersion is the version of the lock files that this package writes and
// reads.
const LockVersion = 1

// A Lock records descriptions and schemas of tools. Its file is made to be committed
// and reviewed, see [Lock.JSON]. The order of the tools does not count.
type Lock struct{ Tools []Locked }

// A Locked is one tool of a lock.
type Locked struct {
	Name        string
	From        string // the kind and the name of what does the work: Mcp files
	Description string
	Input       json.RawMessage
	Output      json.RawMessage // empty means anything
}

// Compare returns the changes from the lock to now: first those of From, by name,
// then those of [Contracts].
func (l *Lock) Compare(now *Lock) []Change {
	var list []Change
	from := make(map[string]string, len(l.Tools))
	for _, t := range l.Tools {
		from[t.Name] = t.From
	}
	for _, t := range now.sorted() {
		if was, known := from[t.Name]; known && was != t.From {
			list = append(list, Change{Compatible, "", t.Name, "/from",
				fmt.Sprintf("the tool comes from %s now, and came from %s", showText(t.From), showText(was))})
		}
	}
	return append(list, Contracts(l.contracts(), now.contracts())...)
}

func (l *Lock) sorted() []Locked {
	return slices.SortedFunc(slices.Values(l.Tools), func(a, b Locked) int { return strings.Compare(a.Name, b.Name) })
}

func (l *Lock) contracts() []runtime.Contract {
	var list []runtime.Contract
	for _, t := range l.sorted() {
		list = append(list, runtime.Contract{Name: t.Name, Description: t.Description, Input: t.Input, Output: t.Output})
	}
	return list
}

// A lockText is the file of a lock.
type lockText struct {
	Version int          `json:"version"`
	Tools   []lockedText `json:"tools"`
}

type lockedText struct {
	Name        string          `json:"name"`
	From        string          `json:"from"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"input"`
	Output      json.RawMessage `json:"output,omitempty"`
	SHA256      hashes          `json:"sha256"`
}

// Hashes are the SHA-256 of the description and of the schemas, these without
// whitespace and with the keys of objects sorted.
type hashes struct {
	Description string `json:"description"`
	Input       string `json:"input"`
	Output      string `json:"output,omitempty"`
}

func hash[T string | json.RawMessage](text T) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// JSON returns the file of the lock: tools sorted by name, keys of schemas
// sorted, a line for each value. The bytes are the same for the same promises,
// in whatever order they came. The error names a tool that has no name or no
// schema of its arguments, or that occurs twice.
func (l *Lock) JSON() ([]byte, error) {
	file := lockText{LockVersion, []lockedText{}}
	for _, t := range l.sorted() {
		text, err := t.text()
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", showText(t.Name), err)
		}
		file.Tools = append(file.Tools, text)
	}
	if err := file.check(); err != nil {
		return nil, err
	}
	return file.write(), nil
}

// text returns the locked tool as a file has it.
func (t *Locked) text() (lockedText, error) {
	text := lockedText{Name: t.Name, From: t.From, Description: strings.ToValidUTF8(t.Description, "\ufffd")}
	var err error
	if text.Input, err = canonical(t.Input); err != nil {
		return text, fmt.Errorf("the schema of the arguments %w", err)
	}
	if len(t.Output) > 0 {
		if text.Output, err = canonical(t.Output); err != nil {
			return text, fmt.Errorf("the schema of the result %w", err)
		}
		text.SHA256.Output = hash(text.Output)
	}
	text.SHA256.Description, text.SHA256.Input = hash(text.Description), hash(text.Input)
	return text, nil
}

// canonical returns a schema without whitespace and with sorted keys.
func canonical(schema json.RawMessage) (json.RawMessage, error) {
	if len(schema) == 0 {
		return nil, errors.New("is missing")
	}
	d := json.NewDecoder(bytes.NewReader(schema))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil || d.More() {
		return nil, errors.New("is not JSON")
	}
	switch value.(type) {
	case map[string]any, bool:
		return plainjson.Marshal(value)
	}
	return nil, errors.New("is no JSON Schema, which is an object")
}

// check reports tools without a name, and duplicate ones.
func (f *lockText) check() error {
	seen := make(map[string]bool, len(f.Tools))
	for i, t := range f.Tools {
		switch {
		case t.Name == "":
			return fmt.Errorf("tools[%d]: the tool has no name", i)
		case seen[t.Name]:
			return fmt.Errorf("the tool %s occurs twice", showText(t.Name))
		}
		seen[t.Name] = true
	}
	return nil
}

// write formats the file.
func (f *lockText) write() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"version\": %d,\n  \"tools\": [", f.Version)
	for i, t := range f.Tools {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    {\n      \"name\": %s,\n      \"from\": %s,\n      \"description\": %s,\n      \"input\": ",
			plainjson.String(t.Name), plainjson.String(t.From), plainjson.String(t.Description))
		lines(&b, t.Input)
		if t.Output != nil {
			b.WriteString(",\n      \"output\": ")
			lines(&b, t.Output)
		}
		fmt.Fprintf(&b, ",\n      \"sha256\": {\n        \"description\": %q,\n        \"input\": %q", t.SHA256.Description, t.SHA256.Input)
		if t.Output != nil {
			fmt.Fprintf(&b, ",\n        \"output\": %q", t.SHA256.Output)
		}
		b.WriteString("\n      }\n    }")
	}
	if len(f.Tools) > 0 {
		b.WriteString("\n  ")
	}
	b.WriteString("]\n}\n")
	return b.Bytes()
}

// lines writes a schema with a line for each value, or a very large or deep one
// as it is: indenting could make it much larger.
func lines(b *bytes.Buffer, schema json.RawMessage) {
	const maxSize, maxDepth = 256 << 10, 50
	depth, deepest := 0, 0
	for _, c := range schema { // brackets inside of text count too, which does no harm
		switch c {
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	if len(schema) > maxSize || deepest > maxDepth {
		b.Write(schema)
		return
	}
	if err := json.Indent(b, schema, "      ", "  "); err != nil {
		panic("compat: " + err.Error())
	}
}

// maxLockBytes is the size of the largest lock file that is read.
const maxLockBytes = 64 << 20

// ReadLock reads a lock file. The name is only used in the error.
func ReadLock(name string, data []byte) (*Lock, error) {
	l, err := readLock(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return l, nil
}

func readLock(data []byte) (*Lock, error) {
	var version struct{ Version *int }
	var syntax *json.SyntaxError
	switch err := json.Unmarshal(data, &version); {
	case len(data) > maxLockBytes:
		return nil, fmt.Errorf("the lock file is larger than %d MiB", maxLockBytes>>20)
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("this is no lock file: not JSON at byte %d: %w", syntax.Offset, err)
	case err != nil || version.Version == nil:
		return nil, errors.New("this is no lock file: it has no version")
	case *version.Version != LockVersion:
		return nil, fmt.Errorf("version %d of lock files is not known here; only version %d is", *version.Version, LockVersion)
	}
	var file lockText
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(&file)
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typed):
		return nil, fmt.Errorf("this is no lock file: %s is a JSON %s", typed.Field, typed.Value)
	case err != nil:
		return nil, fmt.Errorf("this is no lock file: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if err := file.check(); err != nil {
		return nil, err
	}
	l := &Lock{}
	for _, t := range file.Tools {
		locked := Locked{t.Name, t.From, t.Description, t.Input, t.Output}
		text, err := locked.text()
		if err == nil {
			err = text.SHA256.differs(t.SHA256)
		}
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", showText(t.Name), err)
		}
		locked.Input, locked.Output = text.Input, text.Output
		l.Tools = append(l.Tools, locked)
	}
	return l, nil
}

// differs reports which part of a locked tool is not the one that was written.
func (h hashes) differs(written hashes) error {
	for _, part := range []struct{ what, is, was string }{
		{"description", h.Description, written.Description}, {"input", h.Input, written.Input}, {"output", h.Output, written.Output},
	} {
		if part.is != part.was {
			return fmt.Errorf("its %s is not the one of its sha256: the file was changed by hand; write a new lock", part.what)
		}
	}
	return nil
}
