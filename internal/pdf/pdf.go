// Package pdf bounds how much a PDF shows, without showing it:
//
//	size, ok := pdf.Measure(data)
//
// It reads what it needs of ISO 32000 and nothing else: the tree of the pages, and the
// strings in what they draw. Where it does not understand a file, it says so, since a part
// that is not seen would make the bound wrong.
package pdf

import (
	"bytes"
	"strconv"
)

// A Size is what a PDF has at most.
type Size struct {
	Pages int
	Text  int // bytes of the strings that the pages show, each time that they do, and one for each string
}

// What a file may have.
const (
	maxObjects  = 200_000
	maxInflated = 64 << 20 // bytes of all streams, decompressed
	maxDepth    = 100
	most        = 1 << 30 // pages, or bytes of text
)

// Measure returns the size of a PDF. It reports false if that cannot be known: the file is
// encrypted, damaged, or too large or too odd to be followed.
func Measure(data []byte) (Size, bool) {
	d := document{objects: map[int]*object{}, weights: map[int]int{}, counts: map[int]int{}}
	if !d.read(data) {
		return Size{}, false
	}
	var s Size
	largest, draws, pages := 0, 0, 0 // the text of the largest form; how often the pages draw one; their objects
	for n, o := range d.objects {
		switch {
		case o.is("Subtype", "Form"):
			weight := d.weight(n, 0)
			largest, s.Text = max(largest, weight), add(s.Text, weight)
		case o.is("Type", "Page"):
			pages++
			for _, c := range d.contents(o) {
				s.Text, draws = add(s.Text, c.text), add(draws, c.draws)
			}
		case o.has("Kids"):
			s.Pages = max(s.Pages, d.count(n, 0))
		}
	}
	s.Pages = max(s.Pages, pages) // also those that no tree has
	s.Text = add(s.Text, times(draws, largest))
	s.Text = times(s.Text, (s.Pages+pages-1)/max(pages, 1)) // a page can stand in the tree often
	return s, !d.odd && pages > 0 && s.Pages < most && s.Text < most
}

func add(a, b int) int { return min(a+b, most) }

func times(a, b int) int {
	if a > 0 && b > most/a {
		return most
	}
	return a * b
}

// A document is what was read of a file.
type document struct {
	objects  map[int]*object
	inflated int
	odd      bool        // there is something that cannot be followed
	weights  map[int]int // of forms; -1 while one is measured
	counts   map[int]int // of pages below an object; -1 while they are counted
}

// An object is one of a file. What a stream shows is counted once.
type object struct {
	head   []byte // without its stream
	stream []byte
	read   bool
	shown  shown
}

// shown is what a stream shows.
type shown struct {
	text  int // bytes of its strings, and one for each
	draws int // of forms and images
}

func (o *object) key(name string) []byte {
	for rest := o.head; ; {
		i := bytes.Index(rest, []byte("/"+name))
		if i < 0 {
			return nil
		}
		rest = rest[i+1+len(name):]
		if len(rest) == 0 || !isRegular(rest[0]) {
			return bytes.TrimLeft(rest, " \t\r\n\f\x00")
		}
	}
}

func (o *object) has(name string) bool { return o.key(name) != nil }

// is reports whether an object has a key with that name as its value.
func (o *object) is(key, value string) bool {
	for rest := o.head; ; {
		k := (&object{head: rest}).key(key)
		if k == nil {
			return false
		}
		if v, ok := bytes.CutPrefix(k, []byte("/"+value)); ok && (len(v) == 0 || !isRegular(v[0])) {
			return true
		}
		rest = k
	}
}

// isRegular reports whether a byte is part of a name or a number.
func isRegular(c byte) bool { return bytes.IndexByte([]byte(" \t\r\n\f\x00()<>[]{}/%"), c) < 0 }

// references returns the objects that a text refers to.
func references(text []byte) (list []int) {
	for _, m := range reference().FindAllSubmatch(text, -1) {
		if n, err := strconv.Atoi(string(m[1])); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// list returns the references in the array that is the value of a key, or in the object that
// it refers to.
func (d *document) list(o *object, key string) []int {
	value := o.key(key)
	if bytes.HasPrefix(value, []byte("[")) {
		end := bytes.IndexByte(value, ']')
		if end < 0 {
			d.odd = true
			return nil
		}
		return references(value[:end])
	}
	refs := references(value[:min(len(value), 40)])
	if len(refs) == 0 {
		return nil
	}
	if target := d.objects[refs[0]]; target != nil && bytes.HasPrefix(target.head, []byte("[")) {
		return references(target.head)
	}
	return refs[:1]
}

// count returns how many pages stand below an object, each as often as it does.
func (d *document) count(n, depth int) int {
	if known, ok := d.counts[n]; ok || depth > maxDepth {
		d.odd = d.odd || known < 0 || depth > maxDepth
		return max(known, 0)
	}
	o := d.objects[n]
	switch {
	case o == nil:
		return 0
	case !o.has("Kids"):
		return 1
	}
	d.counts[n] = -1
	sum := 0
	for _, kid := range d.list(o, "Kids") {
		sum = add(sum, d.count(kid, depth+1))
	}
	d.counts[n] = sum
	return sum
}

// contents returns what the streams of a page show.
func (d *document) contents(page *object) (all []shown) {
	for _, n := range d.list(page, "Contents") {
		o := d.objects[n]
		if o == nil || o.stream == nil {
			d.odd = d.odd || o == nil
			continue
		}
		all = append(all, d.shownBy(o))
	}
	return all
}

// weight returns the most text that a form shows, with the forms that it draws.
func (d *document) weight(n, depth int) int {
	if known, ok := d.weights[n]; ok || depth > maxDepth {
		d.odd = d.odd || known < 0 || depth > maxDepth
		return max(known, 0)
	}
	d.weights[n] = -1
	o := d.objects[n]
	own, inner := d.shownBy(o), 0
	if own.draws > 0 {
		seen := map[int]bool{n: true}
		for _, form := range d.formsOf(o, seen, 0) {
			inner = max(inner, d.weight(form, depth+1))
		}
	}
	d.weights[n] = add(own.text, times(own.draws, inner))
	return d.weights[n]
}

// formsOf returns the forms that an object can draw: those that its resources have.
func (d *document) formsOf(o *object, seen map[int]bool, depth int) (forms []int) {
	if depth > maxDepth {
		d.odd = true
		return nil
	}
	for _, n := range references(o.head) {
		next := d.objects[n]
		if next == nil || seen[n] || next.is("Type", "Page") || next.is("Type", "Pages") {
			continue
		}
		seen[n] = true
		if next.is("Subtype", "Form") {
			forms = append(forms, n)
		} else {
			forms = append(forms, d.formsOf(next, seen, depth+1)...)
		}
	}
	return forms
}

// shownBy returns what the stream of an object shows.
func (d *document) shownBy(o *object) shown {
	if !o.read {
		o.read = true
		text, ok := d.inflate(o)
		d.odd = d.odd || !ok
		o.shown = shownIn(text)
	}
	return o.shown
}
