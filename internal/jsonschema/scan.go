package jsonschema

import (
	"hash/maphash"
	"slices"
)

// IsPlain reports whether a text is one JSON value that needs no second look: in UTF-8,
// with different keys in every object, and with numbers that all pass. It makes no tree,
// and takes no memory but for the keys of the largest object. It may be wrong about keys
// that differ, and says false then.
func IsPlain(text string, passes func(number string) bool) bool {
	s := plainScanner{jsonReader: newJSONReader(text, 0, &ReadOptions{Accept: scanSurrogates}), seed: maphash.MakeSeed(), passes: passes}
	return s.value() && (s.peek() == 0) && s.pos == len(text)
}

func scanSurrogates(d Defect) bool { return d.Kind == LoneSurrogate }

// A plainScanner reads values without keeping them.
type plainScanner struct {
	*jsonReader
	passes func(number string) bool
	seed   maphash.Seed
	keys   []uint64 // of the objects that are open
}

func (s *plainScanner) value() bool {
	switch first := s.peek(); {
	case first == '{', first == '[':
		s.depth++
		ok := s.depth <= s.maxDepth && (first == '{' && s.object() || first == '[' && s.array())
		s.depth--
		return ok
	case first == '"':
		_, err := s.string()
		return err == nil
	case first == '-', isDigit(first):
		start := s.pos
		return s.number() == nil && s.passes(s.text[start:s.pos])
	}
	_, err := s.word()
	return err == nil
}

func (s *plainScanner) array() bool {
	s.pos++
	for more := s.peek() != ']'; more; {
		if !s.value() {
			return false
		}
		var err *SyntaxError
		if more, err = s.separator(']'); err != nil {
			return false
		}
	}
	s.pos++
	return true
}

func (s *plainScanner) object() bool {
	open := len(s.keys)
	s.pos++
	for more := s.peek() != '}'; more; {
		if s.peek() != '"' {
			return false
		}
		start := s.pos
		escaped, err := s.string()
		if err != nil {
			return false
		}
		key := s.text[start+1 : s.pos-1]
		if escaped {
			key = unquoteNode(s.text[start:s.pos])
		}
		if s.peek() != ':' {
			return false
		}
		s.keys = append(s.keys, maphash.String(s.seed, key))
		s.pos++
		if !s.value() {
			return false
		}
		if more, err = s.separator('}'); err != nil {
			return false
		}
	}
	s.pos++
	differ := allDiffer(s.keys[open:])
	s.keys = s.keys[:open]
	return differ
}

// allDiffer reports whether no two numbers are equal; it may sort them.
func allDiffer(numbers []uint64) bool {
	if len(numbers) > smallObject {
		slices.Sort(numbers)
		return len(slices.Compact(numbers)) == len(numbers)
	}
	for i, n := range numbers {
		if slices.Contains(numbers[:i], n) {
			return false
		}
	}
	return true
}
