package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
)

// writeData writes JSON in which characters that could control a terminal are
// escaped.
func (c *cli) writeData(text []byte) error {
	controls := func(r rune) bool { return r >= 0x7f && r < 0xa0 || unicode.Is(unicode.Bidi_Control, r) }
	for {
		n := bytes.IndexFunc(text, controls)
		if n < 0 {
			_, err := c.out.Write(text)
			return err
		}
		r, size := utf8.DecodeRune(text[n:])
		if _, err := fmt.Fprintf(c.out, "%s\\u%04x", text[:n], r); err != nil {
			return err
		}
		text = text[n+size:]
	}
}

// encodeData writes v as indented JSON with writeData.
func (c *cli) encodeData(v any) error {
	var text bytes.Buffer
	if err := encodeOutput(&text, v, "  "); err != nil {
		return err
	}
	return c.writeData(text.Bytes())
}

// writeLine writes v as one line of JSON, and flushes it.
func (c *cli) writeLine(v any) error {
	if err := encodeOutput(c.out, v, ""); err != nil {
		return err
	}
	return c.out.Flush()
}

func encodeOutput(w io.Writer, v any, indent string) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	return e.Encode(v)
}

// writeResult writes the JSON output of a command to the file of -o or to
// standard output.
func (c *cli) writeResult(output string, text []byte) error {
	if output == "" || output == stdinName {
		return c.writeData(text)
	}
	return c.writeOutput(output, text)
}

// writeGram is writeResult for generated gram text, which it formats.
func (c *cli) writeGram(output, text string) error {
	file, problems := grammar.Parse("", text)
	if err := problems.Err(); err != nil {
		panic("gramc: " + err.Error())
	}
	text = format.File(file, nil)
	if output == "" || output == stdinName {
		return c.writeText(text)
	}
	return c.writeOutput(output, []byte(text))
}

// writeText writes text to standard output: as it is, unless that is a terminal,
// which it could control.
func (c *cli) writeText(text string) error {
	if isTerminal(c.unbuffered) {
		text = clean(text)
	}
	_, err := c.out.WriteString(text)
	return err
}

// writeOutput writes the file of -o.
func (c *cli) writeOutput(name string, data []byte) error {
	if err := c.refuseOverwrite("-o", name); err != nil {
		return err
	}
	return writeFile(name, data)
}

// refuseOverwrite refuses the file of a flag that would overwrite what was read.
func (c *cli) refuseOverwrite(flag, name string) error {
	output, err := os.Stat(name)
	if err != nil || !output.Mode().IsRegular() {
		return nil
	}
	isInput := false
	if in, ok := c.in.(*os.File); ok && c.stdinRead.Load() {
		info, err := in.Stat()
		isInput = err == nil && os.SameFile(info, output)
	}
	c.filesRead.Range(func(read, _ any) bool {
		info, err := os.Stat(read.(string))
		isInput = isInput || err == nil && os.SameFile(info, output)
		return !isInput
	})
	if isInput {
		return fmt.Errorf("%s %s would overwrite a file that is read", flag, name)
	}
	return nil
}

// writeFile writes a file atomically: a reader finds either the old text or the
// new. Devices and pipes are written directly.
func writeFile(name string, data []byte) error { return replaceFile(name, data, 0o666) }

// writePrivateFile is writeFile for what other users of the machine may not read. A file that
// is there keeps its mode.
func writePrivateFile(name string, data []byte) error { return replaceFile(name, data, 0o600) }

func replaceFile(name string, data []byte, mode os.FileMode) error {
	if err := replace(name, data, mode); err != nil {
		return unusableInput(name, err)
	}
	return nil
}

// replace writes a file, which has the mode if it is new.
func replace(name string, data []byte, mode os.FileMode) error {
	old := false
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	if info, err := os.Stat(name); err == nil {
		if info.IsDir() {
			return errors.New("is a directory; name a file in it")
		}
		if !info.Mode().IsRegular() {
			return os.WriteFile(name, data, mode)
		}
		mode, old = info.Mode().Perm(), true
	}
	temp := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%d.tmp", filepath.Base(name), os.Getpid()))
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if old {
		err = errors.Join(err, f.Chmod(mode)) // whatever the umask is now
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

// createPrivate creates the file of a flag, which other users cannot read, since it
// contains the conversation. It must be no file that was read.
func (c *cli) createPrivate(flag, name string) (*os.File, error) {
	c.filesRead.Store(dotenvName, true) // later
	if err := c.refuseOverwrite(flag, name); err != nil {
		return nil, err
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if info, err := os.Stat(name); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		flags |= syscall.O_NONBLOCK // an error, where opening would wait for a reader
	}
	file, err := os.OpenFile(name, flags, 0o600)
	if errors.Is(err, syscall.ENXIO) {
		err = errors.New("nobody reads the named pipe")
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, name, bareInputError(err))
	}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		if err := file.Chmod(0o600); err != nil { // it was there, and others could read it
			file.Close()
			return nil, fmt.Errorf("%s %s: %w", flag, name, bareInputError(err))
		}
	}
	return file, nil
}
