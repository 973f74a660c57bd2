package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/process"
	"github.com/gram-lang/gramc/internal/template"
)

// A Missing is something that an entry of a library needs and this machine does
// not have.
type Missing struct {
	Origin
	Property string // of the entry, "" for its variables
	Message  string
}

// CheckEnvironment returns what the entries of libraries need and this machine does
// not have: variables, programs, folders, and the files in their arguments. It
// starts nothing and connects to nothing.
func CheckEnvironment(libraries []*library.Library, o *Options) []Missing {
	op := newOpener(o)
	var missing []Missing
	for _, l := range libraries {
		for _, e := range l.Entries {
			op.secrets.missing = nil
			op.entry(l, e)
			check := environmentCheck{opener: op, origin: Origin{l, e}, base: filepath.Dir(l.Place.File)}
			op.hideSecrets(e)
			for _, err := range []error{op.secrets.incomplete(), op.checkUntrusted(e)} {
				if err != nil {
					check.add("", "%v", err)
				}
			}
			check.entry(e)
			missing = append(missing, check.missing...)
		}
	}
	return missing
}

// An environmentCheck checks one entry.
type environmentCheck struct {
	*opener
	origin  Origin
	base    string // the folder of the library file
	missing []Missing
}

func (c *environmentCheck) entry(e *library.Entry) {
	switch {
	case e.Command != nil:
		c.folder("dir", e.Command.Dir)
		c.program("run", e.Command.Run, e.Command.Dir)
	case e.MCP != nil:
		c.folder("dir", e.MCP.Dir)
		c.program("command", e.MCP.Command, e.MCP.Dir)
	case e.Builtin != nil:
		c.folder("root", e.Builtin.Root)
	}
}

func (c *environmentCheck) add(property, format string, args ...any) {
	c.missing = append(c.missing, Missing{c.origin, property, fmt.Sprintf(format, args...)})
}

// path returns a path of an entry, which is relative to the file of its library.
func (c *environmentCheck) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.base, name)
}

// text returns a text of an entry, and whether its variables are set.
func (c *environmentCheck) text(t library.Text) (text string, known bool) {
	c.secrets.missing = nil
	text = c.secrets.plain(t)
	return text, c.secrets.missing == nil
}

func (c *environmentCheck) folder(property string, t library.Text) {
	text, known := c.text(t)
	if t.IsZero() || !known {
		return
	}
	name := c.path(text)
	switch info, err := os.Stat(name); {
	case err != nil:
		c.add(property, "there is no folder %s", name)
	case !info.IsDir():
		c.add(property, "%s is not a folder", name)
	}
}

// program checks a program, and the arguments that name files: ./x and ../x.
func (c *environmentCheck) program(property string, run []library.Text, dir library.Text) {
	if len(run) == 0 {
		return
	}
	if name, known := c.text(run[0]); known {
		if _, err := process.Find(name, c.base); err != nil {
			c.add(property, "%v", err)
		}
	}
	folder, known := c.text(dir)
	if !known {
		return
	}
	for _, t := range run[1:] {
		name, known := c.text(t)
		if !known || t.Template.Has(template.Argument) || !strings.HasPrefix(name, "./") && !strings.HasPrefix(name, "../") {
			continue
		}
		if _, err := os.Stat(filepath.Join(c.path(folder), name)); err != nil {
			c.add(property, "there is no file %s", name)
		}
	}
}
