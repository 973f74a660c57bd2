package builtin

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/spell"
	"github.com/gram-lang/gramc/runtime"
)

// Options configure a built-in. The zero value suits all but those
// that work on files, which need a Root.
type Options struct {
	Name   string // of the tool; empty means that of the built-in
	Root   string // the folder that a built-in for files may use
	Hidden bool   // let it use names that start with a dot, such as .env and .git

	// Private are folders that no tool may enter, whatever its root is. They need not exist.
	Private []string
}

// Library returns the library of what is there without being asked for: the
// built-in sayHello. It touches neither files nor the network.
func Library() runtime.Library {
	var lib runtime.Library
	t, err := New("sayHello", Options{})
	if err == nil {
		lib, err = lib.Add(t.Name(), t)
	}
	if err != nil {
		panic("builtin: " + err.Error())
	}
	return lib
}

// A builtinDefinition describes a built-in. It has either do or onFiles.
type builtinDefinition struct {
	description   string
	input, output string // JSON Schemas; without them, those of the contract
	example       string // of a result, see [runtime.ToolConfig]
	accept        func(runtime.Contract) error
	changes       bool // calls are asked for, and not made side by side
	do            work
	onFiles       func(f *folder, ctx context.Context, parts []string, args arguments) (any, error)
	done          string // what onFiles does, as a participle for its errors
}

// A work does what a built-in is for. Its result is written as JSON.
type work func(context.Context, arguments) (any, error)

// arguments are those of a call. Their names are compared exactly: decoding
// into a struct would take "Path" for "path", past the schema and the rules of
// approval.
type arguments map[string]any

// text returns an argument that is a string, or "".
func (a arguments) text(name string) string {
	s, _ := a[name].(string)
	return s
}

// Names returns the names of the built-ins, sorted.
func Names() []string {
	return slices.Sorted(maps.Keys(kinds))
}

var kinds = map[string]builtinDefinition{
	"calculator":     calculator,
	"current_time":   currentTime,
	"get_file_info":  getFileInfo,
	"list_directory": listDirectory,
	"read_file":      readFile,
	"sayHello":       {accept: helloGreets, do: sayHello},
	"write_file":     writeFile,
}

// New returns a built-in as a tool. The tool takes its description from the
// agent that uses it, and refuses an agent that gives it other arguments or
// wants results of another shape. The tools that work on files open the root
// at once.
func New(name string, o Options) (runtime.Tool, error) {
	d, ok := kinds[name]
	if !ok {
		meant := ""
		if near := spell.Nearest(name, Names()); near != "" {
			meant = "; did you mean " + near + "?"
		}
		return runtime.Tool{}, fmt.Errorf("unknown built-in %q%s", name, meant)
	}
	do, err := d.workWith(o)
	if err != nil {
		return runtime.Tool{}, fmt.Errorf("built-in %s: %w", name, err)
	}
	c := runtime.ToolConfig{
		Name:             cmp.Or(o.Name, name),
		Description:      d.description,
		AdoptDescription: true,
		Input:            json.RawMessage(d.input),
		Output:           json.RawMessage(d.output),
		Adopt:            d.input == "",
		Accept:           d.accept,
		Example:          json.RawMessage(d.example),
		Execute:          do.execute,
		Concurrent:       !d.changes,
		Repeat:           runtime.RepeatSafe, // write_file too: the file is the same after a second time
	}
	if d.changes {
		c.Approval.Default = runtime.Ask
	}
	return runtime.NewTool(c)
}

// workWith returns the work of a built-in that has those options.
func (d *builtinDefinition) workWith(o Options) (work, error) {
	switch {
	case d.onFiles == nil && (o.Root != "" || o.Hidden):
		return nil, errors.New("it uses no files; leave out root and hidden")
	case d.onFiles == nil:
		return d.do, nil
	case o.Root == "":
		return nil, errors.New("it needs a root, the folder that it may use")
	}
	f, err := openFolder(o)
	return func(ctx context.Context, args arguments) (any, error) {
		name := args.text("path")
		parts, err := f.parts(name)
		if err != nil {
			return nil, err
		}
		result, err := d.onFiles(f, ctx, parts, args)
		if err != nil {
			return nil, fileError(d.done, name, err)
		}
		return result, nil
	}, err
}

// execute is a [runtime.Handler].
func (w work) execute(ctx context.Context, raw json.RawMessage) (json.RawMessage, error) {
	var args arguments
	if err := json.Unmarshal(raw, &args); err != nil {
		return nil, err
	}
	result, err := w(ctx, args)
	if err != nil {
		return nil, err
	}
	return plainjson.Marshal(result)
}
