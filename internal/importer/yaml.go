package importer

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// isYAML reports whether a text is YAML rather than JSON, by the name of its
// file, or by the first line of an OpenAPI document.
func isYAML(name, text string) bool {
	start := strings.TrimLeft(text, "\ufeff \t\r\n")
	if start == "" || strings.IndexByte("{[", start[0]) >= 0 {
		return false // JSON, whatever the file is called
	}
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") ||
		strings.HasPrefix(start, "openapi:") || strings.HasPrefix(start, "swagger:") || strings.HasPrefix(start, "---\n")
}

// maxYAML is how many values a YAML text may stand for, with what its aliases
// repeat.
const maxYAML = 2_000_000

// A yamlReader makes JSON values of a YAML text.
type yamlReader struct {
	file  *source.File
	lines []int // where each line starts
	json  *jsonReader
	done  map[*yaml.Node]*node // anchors; nil while one is read
	size  map[*node]int        // values that a node stands for
}

// readYAML reads a YAML text, of which the values that JSON has no word for
// become text.
func readYAML(file *source.File, diags *diag.List) (*node, bool) {
	r := &yamlReader{file: file, json: &jsonReader{file: file, diags: diags}, done: map[*yaml.Node]*node{}, size: map[*node]int{}}
	text := strings.TrimPrefix(file.Text(), "\ufeff")
	r.lines = []int{0}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
	document, err := parseYAML(text)
	if err == nil {
		var n *node
		if n, err = r.value(document); err == nil {
			return n, true
		}
	}
	diags.Errorf(file.Span(0, 0), diag.CodeNotJSON, "this is not YAML: %s", clip(strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", " ")))
	return nil, false
}

// parseYAML parses a text. A mistake in it must not be one of ours, whatever
// the parser does.
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

// place returns the rest of the line on which a node starts.
func (r *yamlReader) place(n *yaml.Node) source.Span {
	const longLine = 10_000 // where counting columns would take too long
	if n.Line < 1 || n.Line > len(r.lines) {
		return r.file.Span(0, 0)
	}
	text := r.file.Text()
	bom := len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	start := r.lines[n.Line-1] + bom
	line, _, _ := strings.Cut(text[start:], "\n")
	if column := n.Column - 1; column > 0 && len(line) < longLine {
		for i := range line {
			if column--; column < 0 {
				return r.file.Span(start+i, start+len(line))
			}
		}
	}
	return r.file.Span(start, start+min(len(line), longLine))
}

func (r *yamlReader) value(n *yaml.Node) (*node, error) {
	if n.Kind == yaml.AliasNode {
		return r.alias(n)
	}
	j := &node{span: r.place(n)}
	if n.Anchor != "" {
		r.done[n] = nil
	}
	var err error
	switch n.Kind {
	case yaml.MappingNode:
		j.kind = kindObject
		err = r.mapping(j, n)
	case yaml.SequenceNode:
		j.kind = kindArray
		err = r.sequence(j, n)
	default:
		r.scalar(j, n)
	}
	if r.size[j]++; r.size[j] > maxYAML {
		err = cmp.Or(err, errors.New("its aliases repeat too much"))
	}
	if n.Anchor != "" {
		r.done[n] = j
	}
	return j, err
}

// alias returns what an alias stands for.
func (r *yamlReader) alias(n *yaml.Node) (*node, error) {
	j, known := r.done[n.Alias]
	if !known || j == nil {
		return nil, fmt.Errorf("line %d: the alias %s holds itself", n.Line, quote(n.Value))
	}
	return j, nil
}

func (r *yamlReader) mapping(j *node, n *yaml.Node) error {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" {
			return fmt.Errorf("line %d: a key that is no text; JSON has none such", key.Line)
		}
		v, err := r.value(n.Content[i+1])
		if err != nil {
			return err
		}
		r.size[j] += r.size[v]
		r.json.keep(j, member{key.Value, v, r.place(key)})
	}
	return nil
}

func (r *yamlReader) sequence(j *node, n *yaml.Node) error {
	for _, item := range n.Content {
		v, err := r.value(item)
		if err != nil {
			return err
		}
		r.size[j] += r.size[v]
		j.items = append(j.items, v)
	}
	return nil
}

// scalar reads a single value. Dates and the like are text.
func (r *yamlReader) scalar(j *node, n *yaml.Node) {
	j.kind, j.text = kindString, n.Value
	switch n.ShortTag() {
	case "!!null":
		j.kind, j.text = kindNull, "null"
	case "!!bool":
		j.kind, j.text = kindBool, strings.ToLower(n.Value)
	case "!!int", "!!float":
		text := strings.TrimPrefix(n.Value, "+")
		if whole, err := strconv.ParseInt(text, 0, 64); err == nil && !isNumber(text) {
			text = strconv.FormatInt(whole, 10)
		} else if f, err := strconv.ParseFloat(text, 64); err == nil && !isNumber(text) {
			text = strconv.FormatFloat(f, 'g', -1, 64)
		}
		if isNumber(text) {
			j.kind, j.text = kindNumber, text
		}
	}
}
