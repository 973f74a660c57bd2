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
	*importer
	lines  []int                           // offsets of the lines
	done   map[*yaml.Node]*jsonschema.Node // anchors; nil while one is read
	size   map[*jsonschema.Node]int        // how many values a value has in it, itself included
	failed bool
}

// yaml reads a YAML text. Values that JSON does not have become strings. It
// returns nil if it reported an error.
func (im *importer) yaml() *jsonschema.Node {
	r := &yamlReader{importer: im, done: map[*yaml.Node]*jsonschema.Node{}, size: map[*jsonschema.Node]int{}}
	text := strings.TrimPrefix(im.file.Text(), "\ufeff")
	offset := len(im.file.Text()) - len(text)
	for line := range strings.SplitSeq(text, "\n") {
		r.lines = append(r.lines, offset)
		offset += len(line) + 1
	}
	document, err := parseYAML(text)
	var wrong *yaml.ParserError
	switch {
	case errors.As(err, &wrong):
		r.fail(&yaml.Node{Line: wrong.Line, Column: 1}, "%s", wrong.Message)
	case err != nil:
		r.fail(&yaml.Node{}, "%s", strings.TrimPrefix(err.Error(), "yaml: "))
	default:
		n := r.value(document)
		if !r.failed {
			return n
		}
	}
	return nil
}

// fail reports the first error.
func (r *yamlReader) fail(n *yaml.Node, format string, args ...any) {
	if start, end := r.span(n); !r.failed {
		r.diags.Errorf(r.file.Span(start, end), diag.CodeNotJSON, "this is not YAML: %s", noteLine(format, args))
	}
	r.failed = true
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
func (r *yamlReader) value(n *yaml.Node) *jsonschema.Node {
	if n.Kind == yaml.AliasNode {
		v := r.done[n.Alias]
		if v == nil {
			r.fail(n, "the alias %s contains itself", quoteText(n.Value))
			return jsonschema.Null()
		}
		return v
	}
	v, size := yamlScalar(n), 1
	switch n.Kind {
	case yaml.MappingNode:
		v, size = r.mapping(n)
	case yaml.SequenceNode:
		v, size = r.sequence(n)
	}
	v = v.At(r.span(n))
	if r.size[v] = size; size > maxYAML {
		r.fail(n, "its aliases repeat too much")
	}
	if n.Anchor != "" {
		r.done[n] = v
	}
	return v
}

func (r *yamlReader) mapping(n *yaml.Node) (*jsonschema.Node, int) {
	made, size := &object{}, 1
	for i := 0; i+1 < len(n.Content) && !r.failed; i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" {
			r.fail(key, "a key that is not text; JSON has no such keys")
			break
		}
		v := r.value(n.Content[i+1])
		size += r.size[v]
		start, end := r.span(key)
		m := jsonschema.Member{Key: key.Value, Value: v, Start: int32(start), End: int32(end)}
		if i := made.find(m.Key); i >= 0 {
			r.acceptJSON(jsonschema.Defect{Kind: jsonschema.DuplicateKey, Start: start, End: end, Key: m.Key, First: made.members[i]})
			made.members[i] = m
		} else {
			made.add(m)
		}
	}
	return jsonschema.Object(made.members...), size
}

func (r *yamlReader) sequence(n *yaml.Node) (*jsonschema.Node, int) {
	var items []*jsonschema.Node
	size := 1
	for _, item := range n.Content {
		if r.failed {
			break
		}
		v := r.value(item)
		items = append(items, v)
		size += r.size[v]
	}
	return jsonschema.Array(items...), size
}

// yamlScalar returns a single value. Dates and the like are strings.
func yamlScalar(n *yaml.Node) *jsonschema.Node {
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
