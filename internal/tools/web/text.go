package web

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxDepth is how deep the elements of a page may be nested. The parser stops
// there too, but what it moves around may get deeper.
const maxDepth = 512

var errDepth = errors.New("the elements of the page are nested deeper than 512")

// textOf returns the text of elements as a browser shows it: whitespace in a row is
// one space, blocks are on lines of their own, what is not shown is left out.
func textOf(roots ...*html.Node) (string, error) {
	var w textWriter
	for _, root := range roots {
		w.separate(newLine)
		if err := w.inside(root, root.DataAtom == atom.Pre, 0); err != nil {
			return "", err
		}
	}
	return w.text.String(), nil
}

// titleOf returns the text of the first title of a page.
func titleOf(root *html.Node) string {
	for n := range root.Descendants() {
		if n.DataAtom == atom.Title && n.Namespace == "" && n.FirstChild != nil {
			return strings.Join(strings.Fields(n.FirstChild.Data), " ")
		}
	}
	return ""
}

// A gap separates two words. The greater one wins.
type gap int

const (
	nothing gap = iota
	space
	nextCell
	newLine
)

var gaps = [...]string{nothing: "", space: " ", nextCell: " | ", newLine: "\n"}

// A textWriter writes words and, only between them, the gaps.
type textWriter struct {
	text strings.Builder
	gap  gap
}

func (w *textWriter) separate(g gap) { w.gap = max(w.gap, g) }

func (w *textWriter) write(text string) {
	if text == "" {
		return
	}
	if w.text.Len() > 0 {
		w.text.WriteString(gaps[w.gap])
	}
	w.gap = nothing
	w.text.WriteString(text)
}

// words writes running text.
func (w *textWriter) words(text string) {
	for i, word := range strings.Fields(text) {
		if i > 0 || !strings.HasPrefix(text, word) {
			w.separate(space)
		}
		w.write(word)
	}
	if strings.TrimRightFunc(text, unicode.IsSpace) != text {
		w.separate(space)
	}
}

// inside writes the text of the children of n. In preformatted text, whitespace
// stays.
func (w *textWriter) inside(n *html.Node, preformatted bool, depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	for child := range n.ChildNodes() {
		switch {
		case child.Type == html.TextNode && preformatted:
			w.write(child.Data)
		case child.Type == html.TextNode:
			w.words(child.Data)
		case child.Type == html.ElementNode && isShownText(child):
			g := textGapAround(child)
			w.separate(g)
			if err := w.inside(child, preformatted || child.DataAtom == atom.Pre, depth+1); err != nil {
				return err
			}
			w.separate(g)
		}
	}
	return nil
}

// isShownText reports whether the text of an element is shown.
func isShownText(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Head, atom.Title, atom.Iframe, atom.Object,
		atom.Svg, atom.Canvas, atom.Audio, atom.Video, atom.Datalist, atom.Noframes, atom.Noembed:
		return false
	}
	return !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "hidden" })
}

// textGapAround returns the gap before and after the text of an element.
func textGapAround(n *html.Node) gap {
	switch n.DataAtom {
	case atom.Td, atom.Th:
		return nextCell
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Br, atom.Caption, atom.Center, atom.Dd,
		atom.Details, atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure,
		atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr,
		atom.Legend, atom.Li, atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.Optgroup, atom.Option, atom.P, atom.Pre,
		atom.Section, atom.Select, atom.Summary, atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr, atom.Ul:
		return newLine
	}
	return nothing
}
