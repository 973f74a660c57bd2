package web

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// A model chooses the selector, anyone may have written the page, and cascadia takes
// time that grows with a power of the page: "a b c d" with the third power, and
// :has(:has(…)) worse. So cascadia only matches the parts between the
// combinators; those are followed here, for all elements in one walk.

const (
	maxSelector = 1000       // bytes
	maxParts    = 64         // between combinators and commas; bits of a mask
	maxSiblings = 20_000_000 // pairs of siblings, where a selector counts them
)

// A selector is a CSS selector without those pseudo-classes that take long.
type selector struct {
	parts  []part
	last   uint64 // the mask of the parts that end a selector: what they match is found
	counts bool   // siblings
}

// A part matches one element: its own features, and by its combinator another
// element that matched the part before.
type part struct {
	own        cascadia.Sel
	combinator byte // ' ', '>', '+', '~'; ',' for the first of a selector
}

// Regular expressions for the tokens of a selector. A parenthesis may have
// one level of others in it, as in :not(:nth-child(2)).
const (
	whitespace = " \t\r\n\f"
	optSpace   = `[ \t\r\n\f]*`
	escape     = `\\[0-9a-fA-F]{1,6}(?:\r\n|[ \t\r\n\f])?|(?s:\\.)`
	quoted     = `"(?:(?s:\\.)|[^"\\])*"|'(?:(?s:\\.)|[^'\\])*'`
	plain      = escape + `|` + quoted + `|[^()\[\]"'\\]`
	bracket    = `\[(?:` + plain + `)*\]`
	inner      = plain + `|` + bracket
	parens     = `\((?:` + inner + `|\((?:` + inner + `)*\))*\)`
	element    = `(?:` + escape + `|` + quoted + `|` + bracket + `|` + parens + `|[^ \t\r\n\f,>+~()\[\]"'\\])+`
)

var (
	nextPart = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^` + optSpace + `([,>+~]?)` + optSpace + `(` + element + `)`)
	})
	risky = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(escape + `|` + quoted + `|(` + bracket + `|/)|:([a-zA-Z-]*)(` + parens + `)?`)
	})
)

// parseSelector reads a group of selectors, separated by commas.
func parseSelector(text string) (*selector, error) {
	if len(text) > maxSelector {
		return nil, fmt.Errorf("it has %d bytes; at most %d are allowed", len(text), maxSelector)
	}
	pieces, err := cutSelector(text)
	if err != nil {
		return nil, err
	}
	if len(pieces) > maxParts {
		return nil, fmt.Errorf("it has more than %d parts", maxParts)
	}
	s := &selector{last: 1 << (len(pieces) - 1)}
	for i, p := range pieces {
		if err := s.checkPseudo(p.text, true); err != nil {
			return nil, err
		}
		own, err := cascadia.Parse(p.text)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", p.text, err)
		}
		s.parts = append(s.parts, part{own, p.combinator})
		if i > 0 && p.combinator == ',' {
			s.last |= 1 << (i - 1)
		}
	}
	return s, nil
}

// A piece is the text of a part, and its combinator.
type piece struct {
	combinator byte
	text       string
}

// cutSelector cuts a group of selectors at its commas and combinators.
func cutSelector(text string) ([]piece, error) {
	var pieces []piece
	for rest := strings.Trim(text, whitespace); rest != "" || len(pieces) == 0; {
		m := nextPart().FindStringSubmatch(rest)
		if m == nil || len(pieces) == 0 && m[1] != "" {
			return nil, fmt.Errorf("%q is not a selector: an element is missing, or a bracket or quote is not closed", text)
		}
		combinator := (m[1] + " ")[0]
		if len(pieces) == 0 {
			combinator = ','
		}
		pieces = append(pieces, piece{combinator, m[2]})
		rest = rest[len(m[0]):]
	}
	return pieces, nil
}

var (
	simplePseudo   = []string{"empty", "root", "link", "checked"}
	countingPseudo = []string{
		"first-child", "last-child", "only-child", "nth-child", "nth-last-child",
		"first-of-type", "last-of-type", "only-of-type", "nth-of-type", "nth-last-of-type",
	}
)

// checkPseudo refuses the pseudo-classes and operators that may take long.
func (s *selector) checkPseudo(text string, not bool) error {
	for _, m := range risky().FindAllStringSubmatch(text, -1) {
		name := strings.ToLower(m[2])
		switch {
		case m[1] == "/": // cascadia would take a comment for a combinator
			return errors.New("it may not have comments")
		case strings.Contains(m[1], "#="):
			return errors.New("the operator #= is not known; use = ~= |= ^= $= *=")
		case m[0][0] != ':', slices.Contains(simplePseudo, name):
		case slices.Contains(countingPseudo, name):
			s.counts = true
		case name != "not" || !not:
			return fmt.Errorf("it may not use :%s; there is :not, :%s, :%s",
				name, strings.Join(simplePseudo, ", :"), strings.Join(countingPseudo, ", :"))
		case m[3] == "":
			return errors.New(":not needs a selector in parentheses")
		default:
			pieces, err := cutSelector(m[3][1 : len(m[3])-1])
			if err != nil {
				return err
			}
			for _, p := range pieces {
				if p.combinator != ',' {
					return errors.New("inside of :not there may be no combinators")
				}
				if err := s.checkPseudo(p.text, false); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// find returns the outermost elements that match, in the order of the page.
func (s *selector) find(root *html.Node) ([]*html.Node, error) {
	if s.counts && siblingPairs(root) > maxSiblings {
		return nil, errors.New("the page has too many siblings to count; use a selector without :nth-child and the like")
	}
	f := selectorFinder{selector: s}
	err := f.children(root, 0, 0, 0)
	return f.found, err
}

func siblingPairs(root *html.Node) int {
	pairs := 0
	for n := range root.Descendants() {
		children := 0
		for range n.ChildNodes() {
			children++
		}
		pairs += children * children
	}
	return pairs
}

// A selectorFinder walks a page. For each element it knows a mask: bit i is set when
// part i matches it, with all parts of the selector before.
type selectorFinder struct {
	*selector
	found []*html.Node
}

// children looks at the elements in parent, given its mask and that of all its
// ancestors together.
func (f *selectorFinder) children(parent *html.Node, mask, ancestors uint64, depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	ancestors |= mask
	var previous, earlier uint64
	for n := range parent.ChildNodes() {
		if n.Type != html.ElementNode {
			continue
		}
		own := f.match(n, map[byte]uint64{' ': ancestors, '>': mask, '+': previous, '~': earlier})
		if own&f.last != 0 {
			f.found = append(f.found, n)
		} else if err := f.children(n, own, ancestors, depth+1); err != nil {
			return err
		}
		previous, earlier = own, earlier|own
	}
	return nil
}

// match returns the mask of an element, given those of the elements that each
// combinator leads to.
func (f *selectorFinder) match(n *html.Node, related map[byte]uint64) uint64 {
	var own uint64
	for i, p := range f.parts {
		if (p.combinator == ',' || related[p.combinator]>>(i-1)&1 == 1) && p.own.Match(n) {
			own |= 1 << i
		}
	}
	return own
}
