package grammar

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// This file writes as gram the signatures of other languages: (x: str, y?: int = 3) -> str.

// A foreignSignature is the signature of a function in another language.
type foreignSignature struct {
	name  string
	chain string // as it is written in gram
	end   int    // where it ends in the text
	safe  bool   // nothing but this can be meant
}

// signature reads parameters in a parenthesis, with the result that may follow them. The
// types of parameters may be left out if untyped is set.
func (r *foreignReader) signature(untyped bool) (s foreignSignature, ok bool) {
	if !r.accept("(") {
		return s, false
	}
	s.safe = true
	var chain []string
	for r.peek() != ')' {
		node, safe := r.signatureParameter(untyped)
		if node == "" {
			return s, false
		}
		if node != "self" {
			chain = append(chain, node)
		}
		s.safe = s.safe && safe
		if !r.accept(",") && r.peek() != ')' {
			return s, false
		}
	}
	r.pos++
	s.end = r.pos
	if result, ok := r.signatureResult(); ok {
		if len(chain) == 0 {
			chain = append(chain, "()")
		}
		chain = append(chain, result)
		s.end = r.pos
	}
	s.chain = strings.Join(chain, "==>")
	return s, s.chain != ""
}

// signatureResult reads the type of a result with the sign before it, and returns its node.
func (r *foreignReader) signatureResult() (node string, ok bool) {
	if !slices.ContainsFunc([]string{"-->", "==>", "->", "=>", ":"}, r.accept) || r.atLineEnd() || r.peek() == '(' {
		return "", false
	}
	written := r.typ()
	if written == "" {
		return "", false
	}
	return "(::" + foreignTypeLabel(written) + ")", true
}

// atLineEnd reports whether the line ends, as after the head of a function in Python.
func (r *foreignReader) atLineEnd() bool {
	return strings.TrimSpace(r.text[r.pos:lexLineEnd(r.text, r.pos)]) == ""
}

// foreignValue is what a default of another language can be.
var foreignValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:"[^"\\\n]*"|'[^'\\\n]*'|\[[^\][\n]*\]|-?\w[\w.]*)`)
})

// signatureParameter reads x: int = 3 and returns its node, and whether nothing else can be meant.
func (r *foreignReader) signatureParameter(untyped bool) (node string, safe bool) {
	name := r.word()
	if name == "self" || name == "" || strings.Contains(name, ".") {
		return name, true
	}
	optional := r.accept("?")
	label := "Any"
	safe = true
	switch {
	case r.accept("::"), r.accept(":"):
		if label = r.typ(); label == "" {
			return "", false
		}
	case !untyped:
		return "", false
	case r.peek() != ',' && r.peek() != ')' && r.peek() != '=': // name string
		if label = r.typ(); label == "" {
			return "", false
		}
	}
	attributes := ""
	if r.accept("=") {
		r.peek()
		value := foreignValue().FindString(r.text[r.pos:])
		if value == "" {
			return "", false
		}
		r.pos += len(value)
		switch lower := strings.ToLower(value); {
		case foreignSignatureNone(value):
			optional, safe = true, false
		case lower == "true", lower == "false":
			attributes = "default: " + lower
		default:
			attributes = "default: " + value
		}
	}
	if optional && attributes == "" {
		attributes = "optional: true"
	}
	if r.peek() == '{' {
		n := fixBalanced(r.text[r.pos:])
		if n == 0 {
			return "", false
		}
		if inside := strings.TrimSpace(r.text[r.pos+1 : r.pos+n-1]); inside != "" {
			attributes = strings.TrimPrefix(attributes+", "+inside, ", ")
		}
		r.pos += n
	}
	if attributes != "" {
		attributes = " {" + attributes + "}"
	}
	return "(" + name + "::" + foreignTypeLabel(label) + attributes + ")", safe
}

// foreignSignatureNone reports whether a default of another language means that there is none.
func foreignSignatureNone(text string) bool {
	return slices.Contains([]string{"none", "null", "nil", "undefined"}, strings.ToLower(text))
}

// foreignSignatureFixes writes the parameters in the parenthesis at an offset as a chain, with the
// result that follows them.
func foreignSignatureFixes(text string, at int) []fix {
	r := foreignTypeAt(text, at)
	s, ok := r.signature(false)
	if !ok || s.chain == text[at:s.end] {
		return nil
	}
	return r.signatureChainFix(s, at)
}

// foreignSignatureUnionFixes is foreignSignatureFixes for a union of types that all are known.
func foreignSignatureUnionFixes(text string, at int) []fix {
	r := foreignTypeAt(text, at)
	s, ok := r.signature(false)
	if !ok || r.unknown {
		return nil
	}
	return r.signatureChainFix(s, at)
}

func (r *foreignReader) signatureChainFix(s foreignSignature, at int) []fix {
	f := writeFix(at, s.end, s.chain)
	f.safe = s.safe && !r.literal
	return []fix{f}
}

// foreignSignatureResultFixes writes the result after the arrow at an offset as a node.
func foreignSignatureResultFixes(text string, at int) []fix {
	r := foreignTypeAt(text, at)
	node, ok := r.signatureResult()
	if !ok {
		return nil
	}
	return []fix{writeFix(at, r.pos, chainArrow(text, at)+node)}
}

// functionWords are what functions start with in other languages.
var functionWords = []string{"def", "function", "func", "fn", "fun"}

// functionModifiers are what may stand before these.
var functionModifiers = []string{"export", "default", "async", "public", "static"}

// functionSignature reads a function of another language: its head, without what it does.
func (r *foreignReader) functionSignature() (s foreignSignature, ok bool) {
	word := r.word()
	for slices.Contains(functionModifiers, word) {
		word = r.word()
	}
	if !slices.Contains(functionWords, word) {
		return s, false
	}
	name := r.word()
	if name == "" {
		return s, false
	}
	if s, ok = r.signature(true); !ok {
		return s, false
	}
	s.name = name
	return s, ok
}

// functionBody returns where the body of a function ends of which the head ends at an offset, and
// the first line of the text that documents it in Python.
func functionBody(text string, start, at int) (end int, doc string) {
	r := foreignTypeAt(text, at)
	switch {
	case r.accept("{"):
		for depth := 1; r.pos < len(r.text); r.pos++ {
			switch r.text[r.pos] {
			case '{':
				depth++
			case '}':
				depth--
			}
			if depth == 0 {
				return r.pos + 1, ""
			}
		}
		return at, ""
	case r.accept(";"):
		return r.pos, ""
	case !r.accept(":"):
		return at, ""
	}
	indent := start - strings.LastIndexByte(text[:start], '\n') - 1
	end = r.pos
	for next := lexLineEnd(r.text, end); next < len(r.text); next = lexLineEnd(r.text, next+1) {
		line := r.text[next+1 : lexLineEnd(r.text, next+1)]
		if words := strings.TrimSpace(line); words != "" && len(line)-len(strings.TrimLeft(line, " \t")) <= indent {
			break
		} else if words != "" {
			end = next + 1 + len(strings.TrimRight(line, " \t\r"))
		}
	}
	body := strings.TrimSpace(r.text[r.pos:end])
	if after, found := strings.CutPrefix(body, `"""`); found {
		doc, _, _ = strings.Cut(strings.TrimSpace(after), `"""`)
		doc = strings.TrimSpace(doc[:lexLineEnd(doc, 0)])
	}
	return end, doc
}

// foreignFunctionSignature notes a function of another language that starts with the token at the
// offset, at the top of a file or in a bracket, moves over it, and reports whether there is one.
func (c *cursor) foreignFunctionSignature(start int, top bool) bool {
	text := c.scan.text
	s, ok := foreignTypeAt(text, start).functionSignature()
	if !ok {
		return false
	}
	end, doc := functionBody(text, start, s.end)
	tool := "[" + fixAsName(s.name) + `:Tool {description: ` + fixAsText(cmp.Or(doc, "…")) + "} | " + s.chain + "]"
	p := c.note(start, s.end, "gram has no functions; a signature is a chain of nodes: "+clipMessage(s.chain))
	asTool := changeFix("write it as a tool", start, end, tool)
	if p.offerFix(writeFix(start, end, s.chain), asTool); top {
		p.offerFix(asTool)
	}
	for !c.atEnd() && c.peek().begin() < end {
		c.next()
	}
	c.sync = max(c.sync, end)
	return true
}
