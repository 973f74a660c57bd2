package importer

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/source"
)

// isYAML reports whether a text is YAML rather than JSON, by the name of its
// file, or by the first line of an OpenAPI document.
func isYAML(name, text string) bool {
	start := strings.TrimLeft(text, "\ufeff"+whitespace)
	if start == "" || strings.IndexByte("{[", start[0]) >= 0 {
		return false // JSON, whatever the file is called
	}
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") ||
		strings.HasPrefix(start, "openapi:") || strings.HasPrefix(start, "swagger:") || strings.HasPrefix(start, "---\n")
}

// maxYAML is how many values a YAML text can have, with its aliases expanded.
const maxYAML = 2_000_000

// A yamlReader makes JSON values of a YAML text.
type yamlReader struct {
	file   *source.File
	accept func(jsonschema.Defect) bool
	lines  []int                           // offsets of the lines
	done   map[*yaml.Node]*jsonschema.Node // anchors; nil while one is read
	size   map[*jsonschema.Node]int        // how many values a value has in it, itself included
}

// yaml reads a YAML text. Values that JSON does not have become strings. It
// returns nil if it reported an error.
func (im *importer) yaml() *jsonschema.Node {
	r := &yamlReader{file: im.file, accept: im.accept, done: map[*yaml.Node]*jsonschema.Node{}, size: map[*jsonschema.Node]int{}}
	text := strings.TrimPrefix(im.file.Text(), "\ufeff")
	offset := len(im.file.Text()) - len(text)
	for line := range strings.SplitSeq(text, "\n") {
		r.lines = append(r.lines, offset)
		offset += len(line) + 1
	}
	var n *jsonschema.Node
	document, err := parseYAML(text)
	if err == nil {
		n, err = r.value(document)
	}
	if err != nil {
		im.diags.Errorf(im.file.Span(0, 0), diag.CodeNotJSON, "this is not YAML: %s", clip(strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", " ")))
		return nil
	}
	return n
}

// parseYAML parses a text. A panic of the parser becomes an error.
func parseYAML(text string) (n *yaml.Node, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("the parser failed: %v", problem)
		}
	}()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return nil, err
	}
	if len(document.Content) == 0 {
		return nil, errors.New("it is empty")
	}
	return document.Content[0], nil
}

// span returns the offsets of the rest of the line on which a node starts.
func (r *yamlReader) span(n *yaml.Node) (start, end int) {
	const longLine = 10_000 // where counting columns would take too long
	if n.Line < 1 || n.Line > len(r.lines) {
		return 0, 0
	}
	start = r.lines[n.Line-1]
	line, _, _ := strings.Cut(r.file.Text()[start:], "\n")
	if len(line) >= longLine {
		return start, start + longLine
	}
	end, column := start+len(line), n.Column
	for i := range line {
		if column--; column == 0 {
			return start + i, end
		}
	}
	return start, end
}

// value returns a value with the offsets of its YAML node.
func (r *yamlReader) value(n *yaml.Node) (v *jsonschema.Node, err error) {
	if n.Kind == yaml.AliasNode {
		if v = r.done[n.Alias]; v == nil {
			return nil, fmt.Errorf("line %d: the alias %s contains itself", n.Line, quote(n.Value))
		}
		return v, nil
	}
	size := 1
	switch n.Kind {
	case yaml.MappingNode:
		v, size, err = r.mapping(n)
	case yaml.SequenceNode:
		v, size, err = r.sequence(n)
	default:
		v = scalarOf(n)
	}
	if err != nil {
		return nil, err
	}
	v = v.At(r.span(n))
	if r.size[v] = size; size > maxYAML {
		return nil, errors.New("its aliases repeat too much")
	}
	if n.Anchor != "" {
		r.done[n] = v
	}
	return v, nil
}

func (r *yamlReader) mapping(n *yaml.Node) (*jsonschema.Node, int, error) {
	made, size := &object{}, 1
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" {
			return nil, 0, fmt.Errorf("line %d: a key that is not text; JSON has no such keys", key.Line)
		}
		v, err := r.value(n.Content[i+1])
		if err != nil {
			return nil, 0, err
		}
		size += r.size[v]
		start, end := r.span(key)
		m := jsonschema.Member{Key: key.Value, Value: v, Start: int32(start), End: int32(end)}
		if i := made.find(m.Key); i >= 0 {
			r.accept(jsonschema.Defect{Kind: jsonschema.DuplicateKey, Start: start, End: end, Key: m.Key, First: made.members[i]})
			made.members[i] = m
		} else {
			made.add(m)
		}
	}
	return jsonschema.Object(made.members...), size, nil
}

func (r *yamlReader) sequence(n *yaml.Node) (*jsonschema.Node, int, error) {
	items, size := make([]*jsonschema.Node, len(n.Content)), 1
	for i, item := range n.Content {
		v, err := r.value(item)
		if err != nil {
			return nil, 0, err
		}
		items[i] = v
		size += r.size[v]
	}
	return jsonschema.Array(items...), size, nil
}

// scalarOf returns a single value. Dates and the like are strings.
func scalarOf(n *yaml.Node) *jsonschema.Node {
	switch n.ShortTag() {
	case "!!null":
		return jsonschema.Null()
	case "!!bool":
		return jsonschema.Bool(strings.EqualFold(n.Value, "true"))
	case "!!int", "!!float":
		text := strings.TrimPrefix(n.Value, "+")
		if jsonschema.IsNumber(text) {
			return jsonschema.Number(text)
		}
		if whole, err := strconv.ParseInt(text, 0, 64); err == nil {
			return jsonschema.Number(strconv.FormatInt(whole, 10))
		}
		if f, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			return jsonschema.Number(strconv.FormatFloat(f, 'g', -1, 64))
		}
	}
	return jsonschema.String(n.Value)
}
