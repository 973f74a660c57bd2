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

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// LockVersion is the version of the lock files that this package writes and
// reads.
const LockVersion = 1

// A Lock records descriptions and schemas of tools. Its file is made to be committed
// and reviewed, see [Lock.JSON]. The order of the tools does not count.
type Lock struct {
	Version int      `json:"version"` // set by [Lock.JSON]
	Tools   []Locked `json:"tools"`
}

// A Locked is one tool of a lock.
type Locked struct {
	Name        string          `json:"name"`
	From        string          `json:"from"` // the kind and the name of what does the work: Mcp files
	Description string          `json:"description"`
	Input       json.RawMessage `json:"input"`
	Output      json.RawMessage `json:"output,omitempty"` // empty means anything
	Repeat      runtime.Repeat  `json:"repeat,omitempty"` // "" in older files, which do not say it
	SHA256      Hashes          `json:"sha256"`           // set by [Lock.JSON]
}

// Hashes are the SHA-256 of the description and of the schemas of a tool, these
// without whitespace and with the keys of objects sorted.
type Hashes struct {
	Description string `json:"description"`
	Input       string `json:"input"`
	Output      string `json:"output,omitempty"`
}

// Compare returns the changes from the lock to now: first those of From, by name,
// then those of [Contracts]. A Repeat that the lock does not say is not compared.
func (l *Lock) Compare(now *Lock) []Change {
	var list []Change
	from := make(map[string]string, len(l.Tools))
	for _, t := range l.Tools {
		from[t.Name] = t.From
	}
	for _, t := range now.sorted() {
		if was, known := from[t.Name]; known && was != t.From {
			list = append(list, Change{Compatible, "", t.Name, "/from",
				fmt.Sprintf("the tool comes from %s now, and came from %s", describeText(t.From), describeText(was))})
		}
	}
	is := now.contracts()
	for i := range is {
		if l.Lookup(is[i].Name).Repeat == "" {
			is[i].Repeat = ""
		}
	}
	return append(list, Contracts(l.contracts(), is)...)
}

func (l *Lock) sorted() []Locked {
	return slices.SortedFunc(slices.Values(l.Tools), func(a, b Locked) int { return strings.Compare(a.Name, b.Name) })
}

func (l *Lock) contracts() []runtime.Contract {
	var list []runtime.Contract
	for _, t := range l.sorted() {
		list = append(list, runtime.Contract{Name: t.Name, Description: t.Description, Input: t.Input, Output: t.Output, Repeat: t.Repeat})
	}
	return list
}

// Lookup returns the locked tool of that name, or the zero Locked.
func (l *Lock) Lookup(tool string) Locked {
	for _, t := range l.Tools {
		if t.Name == tool {
			return t
		}
	}
	return Locked{}
}

// Only returns the part of a lock that holds some tools.
func (l *Lock) Only(names []string) *Lock {
	return &Lock{Tools: slices.DeleteFunc(slices.Clone(l.Tools), func(t Locked) bool { return !slices.Contains(names, t.Name) })}
}

func lockHash[T string | json.RawMessage](text T) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// JSON returns the file of the lock: tools sorted by name, keys of schemas
// sorted, a line for each value unless that makes it much larger. The bytes are
// the same for the same promises, in whatever order they came. The error names a
// tool that has no name or no schema of its arguments, or that occurs twice.
func (l *Lock) JSON() ([]byte, error) {
	file := Lock{LockVersion, make([]Locked, len(l.Tools))}
	for i, t := range l.sorted() {
		t, err := t.canonical()
		if err != nil {
			return nil, err
		}
		file.Tools[i] = t
	}
	if err := file.check(); err != nil {
		return nil, err
	}
	text, err := plainjson.Marshal(file)
	if err != nil {
		return nil, err
	}
	return compile.Indent(text), nil
}

// canonical returns the tool as a file has it.
func (t Locked) canonical() (Locked, error) {
	var err error
	if t.Input, err = canonicalLockSchema(t.Input); err != nil {
		return t, fmt.Errorf("tool %s: the schema of the arguments %w", describeText(t.Name), err)
	}
	t.Description = strings.ToValidUTF8(t.Description, "\ufffd")
	t.SHA256 = Hashes{Description: lockHash(t.Description), Input: lockHash(t.Input)}
	if len(t.Output) > 0 {
		if t.Output, err = canonicalLockSchema(t.Output); err != nil {
			return t, fmt.Errorf("tool %s: the schema of the result %w", describeText(t.Name), err)
		}
		t.SHA256.Output = lockHash(t.Output)
	}
	return t, nil
}

// canonicalLockSchema returns a schema without whitespace and with sorted keys.
func canonicalLockSchema(schema json.RawMessage) (json.RawMessage, error) {
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
func (l *Lock) check() error {
	seen := make(map[string]bool, len(l.Tools))
	for i, t := range l.Tools {
		switch {
		case t.Name == "":
			return fmt.Errorf("tools[%d]: the tool has no name", i)
		case seen[t.Name]:
			return fmt.Errorf("the tool %s occurs twice", describeText(t.Name))
		}
		seen[t.Name] = true
	}
	return nil
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
	lock := &Lock{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(lock)
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typed):
		return nil, fmt.Errorf("this is no lock file: %s is a JSON %s", typed.Field, typed.Value)
	case err != nil:
		return nil, fmt.Errorf("this is no lock file: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if err := lock.check(); err != nil {
		return nil, err
	}
	for i, written := range lock.Tools {
		t, err := written.canonical()
		if err != nil {
			return nil, err
		}
		if part := t.SHA256.differs(written.SHA256); part != "" {
			return nil, fmt.Errorf("tool %s: its %s is not the one of its sha256: the file was changed by hand; write a new lock", describeText(t.Name), part)
		}
		lock.Tools[i] = t
	}
	return lock, nil
}

// differs names the part of a tool that is not the one that was written; ""
// means that all are.
func (h Hashes) differs(written Hashes) string {
	switch {
	case h.Description != written.Description:
		return "description"
	case h.Input != written.Input:
		return "input"
	case h.Output != written.Output:
		return "output"
	}
	return ""
}
