package lsp

import (
	"context"
	"slices"
	"strconv"
	"sync"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// This file answers the requests for semantic tokens: what each word of a
// document means, which an editor colours. Of other documents it depends only on
// those that a document imports, and only in which names are deprecated.

// A tokenKind is what a word is; it is the index of its name in the legend.
type tokenKind uint8

const (
	tokenAgent tokenKind = iota
	tokenTool
	tokenType
	tokenEnum
	tokenLibrary
	tokenParameter
	tokenProperty
	tokenVariable
	tokenEnumMember
	tokenString
	tokenNumber
	tokenRegexp
	tokenKeyword
	tokenOperator
	tokenComment
	tokenDecorator
)

// A tokenModifier is a set of bits, of which each is the index of its name in
// the legend.
type tokenModifier uint8

const (
	modifierDefinition tokenModifier = 1 << iota
	modifierDeprecated
	modifierDefaultLibrary
)

// tokenLegend returns the names of the kinds and of the modifiers. All are of the
// protocol, so that every theme has colours for them.
func tokenLegend() protocol.SemanticTokensLegend {
	return protocol.SemanticTokensLegend{
		TokenTypes: []string{
			"class", "function", "type", "enum", "namespace", "parameter", "property", "variable", "enumMember",
			"string", "number", "regexp", "keyword", "operator", "comment", "decorator",
		},
		TokenModifiers: []string{"definition", "deprecated", "defaultLibrary"},
	}
}

// declareSemanticTokens declares all three requests.
func declareSemanticTokens(c *capabilities) {
	yes := true
	c.SemanticTokensProvider = &protocol.SemanticTokensOptions{
		Legend: tokenLegend(), Range: true, Full: &protocol.SemanticDelta{Delta: &yes},
	}
}

// semanticTokensFull are the tokens of a document. Those of glsp leave out
// data that are empty.
type semanticTokensFull struct {
	ResultID string   `json:"resultId,omitempty"`
	Data     []uint32 `json:"data"`
}

// semanticTokensDelta are what has changed of them.
type semanticTokensDelta struct {
	ResultID string           `json:"resultId"`
	Edits    []semanticChange `json:"edits"`
}

type semanticChange struct {
	Start       int      `json:"start"`
	DeleteCount int      `json:"deleteCount"`
	Data        []uint32 `json:"data"`
}

// A colouring remembers, for each open document, the tokens that were sent
// last.
type colouring struct {
	mu     sync.Mutex
	last   int                   // number of the last response
	tokens map[string]sentTokens // by key of the document
}

type sentTokens struct {
	number int
	data   []uint32
}

// sent notes the tokens of a response, and returns its identifier.
func (c *colouring) sent(s *snapshot, d *document, data []uint32) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tokens == nil {
		c.tokens = map[string]sentTokens{}
	}
	for key := range c.tokens {
		if s.open[key] == nil {
			delete(c.tokens, key)
		}
	}
	c.last++
	if d.open {
		c.tokens[d.key] = sentTokens{c.last, data}
	}
	return strconv.Itoa(c.last)
}

// known returns the tokens of an earlier response about a document, if they are
// known.
func (c *colouring) known(d *document, id string) ([]uint32, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	last, ok := c.tokens[d.key]
	return last.data, ok && strconv.Itoa(last.number) == id
}

// semanticTokens handles textDocument/semanticTokens/full.
func semanticTokens(ctx context.Context, s *snapshot, d *document, p *protocol.SemanticTokensParams) (*semanticTokensFull, error) {
	data := d.encodeTokens(d.treeTokens(s.deprecatedNames(d)))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &semanticTokensFull{s.colouring.sent(s, d, data), data}, nil
}

// semanticTokensRange handles textDocument/semanticTokens/range.
func semanticTokensRange(_ context.Context, s *snapshot, d *document, p *protocol.SemanticTokensRangeParams) (*semanticTokensFull, error) {
	start, end := d.offsets(p.Range)
	tokens := slices.DeleteFunc(d.treeTokens(s.deprecatedNames(d)), func(t semanticToken) bool { return t.end <= start || end <= t.start })
	return &semanticTokensFull{Data: d.encodeTokens(tokens)}, nil
}

// semanticTokensFullDelta handles textDocument/semanticTokens/full/delta. The
// response holds all tokens if those of the client are unknown.
func semanticTokensFullDelta(ctx context.Context, s *snapshot, d *document, p *protocol.SemanticTokensDeltaParams) (any, error) {
	data := d.encodeTokens(d.treeTokens(s.deprecatedNames(d)))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	before, ok := s.colouring.known(d, p.PreviousResultID)
	id := s.colouring.sent(s, d, data)
	if !ok {
		return &semanticTokensFull{id, data}, nil
	}
	return &semanticTokensDelta{id, tokenDifference(before, data)}, nil
}

// numbersPerToken is how many numbers encode one token.
const numbersPerToken = 5

// tokenDifference returns the change, if there is one, that makes one list of tokens
// of another.
func tokenDifference(before, after []uint32) []semanticChange {
	if slices.Equal(before, after) {
		return []semanticChange{}
	}
	shorter := min(len(before), len(after))
	start := 0
	for start < shorter && before[start] == after[start] {
		start++
	}
	start -= start % numbersPerToken
	tail := 0
	for tail < shorter-start && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	tail -= tail % numbersPerToken
	data := slices.Clone(after[start : len(after)-tail])
	if data == nil {
		data = []uint32{}
	}
	return []semanticChange{{start, len(before) - tail - start, data}}
}

// encodeTokens returns tokens, which come in the order of the text and do not
// overlap, as the protocol has them. One of several lines becomes several.
func (d *document) encodeTokens(tokens []semanticToken) []uint32 {
	d.positionMapper.index()
	data := make([]uint32, 0, numbersPerToken*len(tokens))
	line, lastLine, lastColumn := 0, 0, 0
	for _, t := range tokens {
		for start := t.start; start < t.end; {
			for line+1 < len(d.lines) && int(d.lines[line+1]) <= start {
				line++
			}
			if end := min(t.end, d.lineEnd(line)); start < end {
				if line != lastLine {
					lastColumn = 0
				}
				first := d.unit(start)
				column := first - d.unit(int(d.lines[line]))
				data = append(data, uint32(line-lastLine), uint32(column-lastColumn), uint32(d.unit(end)-first), uint32(t.kind), uint32(t.modifiers))
				lastLine, lastColumn = line, column
			}
			if line+1 == len(d.lines) {
				break
			}
			start = int(d.lines[line+1])
		}
	}
	return data
}
