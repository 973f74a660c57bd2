package types

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/report"
)

// maxToolName is the length of the longest name of a tool, in bytes. Providers
// take less; they get another name then, see package target.
const maxToolName = 256

// ToolNameProblem returns why a name cannot be that of a tool, "" when it can.
func ToolNameProblem(name string) string {
	switch {
	case report.Blank(name):
		return "a tool needs a name"
	case len(name) > maxToolName:
		return fmt.Sprintf("the tool name %s has %d bytes; at most %d are possible", report.Quote(name), len(name), maxToolName)
	}
	if i := HiddenInName(name); i >= 0 {
		return fmt.Sprintf("the tool name %s holds %s, which is invisible", report.Quote(name), strings.ReplaceAll(strconv.QuoteToASCII(name[i:report.RuneEnd(name, i)]), `"`, "'"))
	}
	return ""
}

// HiddenInName returns where a text holds a character without a picture, -1 when
// it holds none.
func HiddenInName(text string) int {
	return strings.IndexFunc(text, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) })
}

// TypeNameProblem returns why a name cannot be that of a type, "" when it can.
func TypeNameProblem(name string) string {
	switch {
	case report.Blank(name):
		return "a type needs a name"
	case IsTypeName(name):
		return name + " is a type of the language and cannot be defined"
	case !nameableType(name):
		return "no type can refer to " + report.Quote(name) + "; the name of a type is one word of letters, digits and _, such as PostalAddress"
	case name[0] < 'A' || name[0] > 'Z':
		return "the name of the type " + report.Quote(name) + " should start with a capital letter"
	}
	return ""
}

// nameableType reports whether types can refer to a type by that name.
func nameableType(name string) bool {
	switch name {
	case "Maybe", "IO", "true", "false", "null":
		return false
	}
	e := &expression{text: name}
	return name[0] < utf8.RuneSelf && isFieldNameStart(name[0]) && e.name() == name && !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf })
}
