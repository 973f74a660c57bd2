package web

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
	counts bool // siblings
}

// A part matches one element: its own features, and by its combinator another
// element that matched the part before.
type part struct {
	own        cascadia.Sel
	combinator byte // ' ', '>', '+', '~'; 0 for the first of a selector
	last       bool // of a selector: what it matches is found
}

// parseSelector reads a group of selectors, separated by commas.
func parseSelector(text string) (*selector, error) {
	if len(text) > maxSelector {
		return nil, fmt.Errorf("it has %d bytes; at most %d are allowed", len(text), maxSelector)
	}
	s := &selector{}
	for _, piece := range cutSelector(text) {
		if len(s.parts) == maxParts {
			return nil, fmt.Errorf("it has more than %d parts", maxParts)
		}
		if piece.text == "" {
			return nil, errors.New("an element is missing at its start or end, or beside a comma or combinator")
		}
		if err := s.checkPseudo(piece.text, true); err != nil {
			return nil, err
		}
		own, err := cascadia.Parse(piece.text)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", piece.text, err)
		}
		if piece.combinator == 0 && len(s.parts) > 0 {
			s.parts[len(s.parts)-1].last = true
		}
		s.parts = append(s.parts, part{own: own, combinator: piece.combinator})
	}
	s.parts[len(s.parts)-1].last = true
	return s, nil
}

const (
	whitespace  = " \t\r\n\f"
	combinators = ",>+~"
)

// A piece is the text of a part, and what stands before it.
type piece struct {
	combinator byte
	text       string
}

// cutSelector cuts a group of selectors at its commas and combinators. Where
// one of these has nothing on one side, there is a piece without text.
func cutSelector(text string) []piece {
	var pieces []piece
	combinator, start := byte(0), 0
	add := func(end int) {
		pieces = append(pieces, piece{combinator, text[start:end]})
	}
	text = strings.Trim(text, whitespace)
	for i := 0; i < len(text); {
		if strings.IndexByte(whitespace+combinators, text[i]) < 0 {
			i = afterToken(text, i)
			continue
		}
		add(i)
		combinator = ' '
		for ; i < len(text) && strings.IndexByte(whitespace+combinators, text[i]) >= 0; i++ {
			switch c := text[i]; {
			case strings.IndexByte(combinators, c) < 0:
			case combinator != ' ': // two in a row
				start = i
				add(i)
			case c == ',':
				combinator = 0
			default:
				combinator = c
			}
		}
		start = i
	}
	add(len(text))
	return pieces
}

// afterToken returns where the character, string, or bracket at i ends.
func afterToken(text string, i int) int {
	closer := byte(0)
	switch text[i] {
	case '\\':
		return afterEscape(text, i+1)
	case '"', '\'':
		for quote, j := text[i], i+1; j < len(text); j++ {
			switch text[j] {
			case '\\':
				j++
			case quote:
				return j + 1
			}
		}
		return len(text)
	case '(':
		closer = ')'
	case '[':
		closer = ']'
	default:
		return i + 1
	}
	for i++; i < len(text); {
		if text[i] == closer {
			return i + 1
		}
		if text[i] == '(' || text[i] == '[' { // cascadia refuses it
			i++
			continue
		}
		i = afterToken(text, i)
	}
	return len(text)
}

// afterEscape returns where the escape ends whose backslash stands before i: one
// character, or up to six hexadecimal digits with one space.
func afterEscape(text string, i int) int {
	const hex = "0123456789abcdefABCDEF"
	end := i
	for end < len(text) && end < i+6 && strings.IndexByte(hex, text[end]) >= 0 {
		end++
	}
	switch {
	case end == i:
		return min(i+1, len(text))
	case strings.HasPrefix(text[end:], "\r\n"):
		return end + 2
	case end < len(text) && strings.IndexByte(whitespace, text[end]) >= 0:
		return end + 1
	}
	return end
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
	for i := 0; i < len(text); i = afterToken(text, i) {
		switch text[i] {
		case '/': // cascadia would take a comment for a combinator
			return errors.New("it may not have comments")
		case '[':
			if strings.Contains(text[i:afterToken(text, i)], "#=") {
				return errors.New("the operator #= is not known; use = ~= |= ^= $= *=")
			}
		case ':':
			name := strings.ToLower(text[i+1:])
			if end := strings.IndexFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' }); end >= 0 {
				name = name[:end]
			}
			if name == "not" && not {
				if err := s.checkNot(text[i+1+len(name):]); err != nil {
					return err
				}
				continue
			}
			if slices.Contains(countingPseudo, name) {
				s.counts = true
			} else if !slices.Contains(simplePseudo, name) {
				return fmt.Errorf("it may not use :%s; there is :not, :%s, :%s",
					name, strings.Join(simplePseudo, ", :"), strings.Join(countingPseudo, ", :"))
			}
		}
	}
	return nil
}

// checkNot checks what stands in the parentheses of :not.
func (s *selector) checkNot(rest string) error {
	if !strings.HasPrefix(rest, "(") {
		return errors.New(":not needs a selector in parentheses")
	}
	inner := strings.TrimSuffix(rest[1:afterToken(rest, 0)], ")")
	for _, p := range cutSelector(inner) {
		if p.combinator != 0 {
			return errors.New("inside of :not there may be no combinators")
		}
		if err := s.checkPseudo(p.text, false); err != nil {
			return err
		}
	}
	return nil
}

// find returns the outermost elements that match, in the order of the page.
func (s *selector) find(root *html.Node) ([]*html.Node, error) {
	if s.counts && siblingPairs(root) > maxSiblings {
		return nil, errors.New("the page has too many siblings to count; use a selector without :nth-child and the like")
	}
	f := finder{selector: s}
	for i, p := range s.parts {
		if p.last {
			f.last |= 1 << i
		}
	}
	if err := f.children(root, 0, 0, 0); err != nil {
		return nil, err
	}
	return f.found, nil
}

func siblingPairs(root *html.Node) int {
	pairs := 0
	for n := range root.Descendants() {
		if n.FirstChild == n.LastChild {
			continue
		}
		children := 0
		for range n.ChildNodes() {
			children++
		}
		pairs += children * children
	}
	return pairs
}

// A finder walks a page. For each element it knows a mask: bit i is set when
// part i matches it, with all parts of the selector before.
type finder struct {
	*selector
	last  uint64
	found []*html.Node
}

// children looks at the elements in parent, given its mask and those of all
// that it stands in.
func (f *finder) children(parent *html.Node, mask, ancestors uint64, depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	ancestors |= mask
	var previous, earlier uint64
	for n := range parent.ChildNodes() {
		if n.Type != html.ElementNode {
			continue
		}
		own := f.match(n, mask, ancestors, previous, earlier)
		if own&f.last != 0 {
			f.found = append(f.found, n)
		} else if err := f.children(n, own, ancestors, depth+1); err != nil {
			return err
		}
		previous, earlier = own, earlier|own
	}
	return nil
}

func (f *finder) match(n *html.Node, parent, ancestors, previous, earlier uint64) uint64 {
	var own uint64
	for i := range f.parts {
		before := uint64(1)
		switch f.parts[i].combinator {
		case ' ':
			before = ancestors >> (i - 1)
		case '>':
			before = parent >> (i - 1)
		case '+':
			before = previous >> (i - 1)
		case '~':
			before = earlier >> (i - 1)
		}
		if before&1 == 1 && f.parts[i].own.Match(n) {
			own |= 1 << i
		}
	}
	return own
}
