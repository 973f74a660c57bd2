package grammar

import (
	"regexp"
	"strings"
	"sync"
)

// This file handles what the lines of other languages look like: imports, blocks of YAML, lists
// with dashes.

// importForm is the import of another language.
var importForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:import|use|include|require|from)\b[^\n"'=]*["']([^"'\n]+)["'][^\n]*(?:\n\s*|$)`)
})

// foreignImports notes imports of another language at the start of a file, moves over them, and
// reports whether there are any.
func (c *cursor) foreignImports() bool {
	start, text := c.peek().begin(), c.scan.text
	if c.pos > 0 {
		return false
	}
	var paths []string
	end := start
	for {
		found := importForm().FindStringSubmatch(text[end:min(len(text), end+maxForeign)])
		if found == nil {
			break
		}
		path := found[1]
		if !strings.HasSuffix(path, ".gram") {
			path += ".gram"
		}
		paths = append(paths, fixAsText(path))
		end += len(found[0])
	}
	if len(paths) == 0 {
		return false
	}
	end = start + len(strings.TrimRight(text[start:end], " \t\r\n"))
	header := "{import: [" + strings.Join(paths, ", ") + "]}"
	c.note(start, end, "files are imported in the header: "+clipMessage(header)).offerFix(writeFix(start, end, header))
	for !c.atEnd() && c.peek().begin() < end {
		c.next()
	}
	return true
}

// blockForm is the sign of YAML before a text of several lines, which are further to the right.
var blockForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[|>][+-]?[ \t\r]*\n`)
})

// foreignTextBlock notes a text of several lines as YAML has it, after a key that starts at the offset,
// moves over it, and reports whether there is one.
func (c *cursor) foreignTextBlock(key int) bool {
	start, text := c.peek().begin(), c.scan.text
	sign := blockForm().FindString(text[start:min(len(text), start+maxForeign)])
	if sign == "" {
		return false
	}
	indent := key - strings.LastIndexByte(text[:key], '\n') - 1
	var lines []string
	end := start + len(sign)
	for end < len(text) {
		line := text[end:lexLineEnd(text, end)]
		trimmed := strings.TrimLeft(line, " \t")
		if strings.TrimSpace(line) != "" && len(line)-len(trimmed) <= indent {
			break
		}
		lines = append(lines, strings.TrimSuffix(line, "\r"))
		end = min(len(text), end+len(line)+1)
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return false
	}
	last := len(strings.TrimRight(text[:end], " \t\r\n"))
	common := lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " \t"))]
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], common)
	}
	written := fence + "\n" + strings.Join(lines, "\n") + "\n" + fence
	if next := foreignTypeAt(text, end).peek(); next != '}' && next != ',' && next != 0 {
		written += ","
	}
	c.note(start, start+1, "a text of several lines stands between ``` fences").
		offerFix(changeFix("put the text between fences", start, last, written))
	for !c.atEnd() && c.peek().begin() < end {
		c.next()
	}
	c.sync = max(c.sync, c.end())
	return true
}

// dashForm is an entry of a list of YAML.
var dashForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t]*-[ \t]+([^\s,|\]][^\n]*)`)
})

// foreignDashFixes writes the list of YAML of which a dash stands at an offset with commas.
func foreignDashFixes(text string, at int) []fix {
	f := fix{title: "write , between them"}
	for at < len(text) && len(f.edits) < maxForeign {
		entry := dashForm().FindStringSubmatchIndex(text[at:lexLineEnd(text, at)])
		if entry == nil {
			break
		}
		dash := at + strings.IndexByte(text[at:], '-')
		if len(f.edits) > 0 {
			end := len(strings.TrimRight(text[:at], " \t\r\n"))
			f.edits = append(f.edits, edit{end, end, ","})
		}
		f.edits = append(f.edits, edit{dash, at + entry[2], ""})
		at = min(len(text), lexLineEnd(text, at)+1)
	}
	return []fix{f}
}
