package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
)

type renameOptions struct {
	Prepare bool `json:"prepareProvider"`
}

// prepareRename handles textDocument/prepareRename. The error is the reason why
// the name at the position cannot change.
func prepareRename(ctx context.Context, s *snapshot, d *document, p *protocol.PrepareRenameParams) (*protocol.RangeWithPlaceholder, error) {
	r, err := s.renaming(ctx, d, p.Position)
	if r == nil {
		return nil, err
	}
	return &protocol.RangeWithPlaceholder{Range: d.indexedRange(r.at), Placeholder: r.name}, nil
}

// rename handles textDocument/rename.
func rename(ctx context.Context, s *snapshot, d *document, p *protocol.RenameParams) (*workspaceEdit, error) {
	r, err := s.renaming(ctx, d, p.Position)
	if r == nil {
		if err == nil {
			err = errors.New("no name at this position")
		}
		return nil, err
	}
	to := strings.TrimSpace(p.NewName)
	if n := len(to); n > 2 && to[0] == '`' && to[n-1] == '`' {
		to = to[1 : n-1]
	}
	c := s.changes()
	if to == r.name {
		return c.edit(), nil
	}
	if err := r.check(to); err != nil {
		return nil, err
	}
	r.change(c, to)
	return c.edit(), nil
}

// A renaming is a symbol that gets another name.
type renaming struct {
	*finder
	*symbol
	at          spelling // of the name that the client has pointed at
	occurrences []occurrence
	ordered     []*definition // of the symbol, as they occur
}

// change writes the other name, which was checked, wherever the symbol occurs.
func (r *renaming) change(c *changes, to string) {
	for _, o := range r.occurrences {
		if o.certain || o.purpose != mention {
			c.add(o.document, protocol.TextEdit{Range: o.indexedRange(o.spelling), NewText: o.renamedText(r.name, to)})
		}
	}
	r.keepBuiltins(c)
}

// renaming returns the symbol at a position; nil if there is none, and with an
// error if the name cannot change.
func (s *snapshot) renaming(ctx context.Context, d *document, p protocol.Position) (*renaming, error) {
	found := d.index().at(d.offset(p))
	if found == nil {
		return nil, d.renamesLanguageType(p)
	}
	f, err := s.finder(ctx)
	if err != nil {
		return nil, err
	}
	defs, _ := f.at(d, p)
	if len(defs) == 0 {
		switch found.purpose {
		case mention:
			return nil, nil // just a word
		case imported:
			return nil, errors.New("the path of an import is the path of a file; rename the file")
		}
		return nil, fmt.Errorf("nothing defines %q", found.name)
	}
	r := &renaming{finder: f, symbol: f.symbol(defs), at: found.spelling}
	if r.occurrences, err = f.symbolOccurrences(ctx, r.symbol); err != nil {
		return nil, err
	}
	for _, o := range r.occurrences {
		if o.definition != nil {
			r.ordered = append(r.ordered, o.definition)
		}
	}
	if err := r.checkFixed(); err != nil {
		return nil, err
	}
	return r, nil
}

// renamesLanguageType returns an error when the word at a position is a type of the
// language.
func (d *document) renamesLanguageType(p protocol.Position) error {
	word := d.wordAt(d.offset(p)).Text()
	nodes := d.nodesAt(p)
	if _, inText := nodes[len(nodes)-1].(*ast.String); inText || !types.IsTypeName(word) {
		return nil
	}
	return fmt.Errorf("%s is a type of the language and keeps its name", word)
}

// renamedText returns how the name of a place is written when it is another one.
// Quotes that a name has without need stay.
func (o occurrence) renamedText(from, to string) string {
	raw := o.text[o.start:o.end]
	switch {
	case o.code != noCode:
		return o.renamedEscaped(o.renamedInCode(strings.TrimLeft(raw, `\`), from, to))
	case o.form == asName && ast.NewName(from).Kind == ast.NameSymbol && strings.IndexAny(raw, "\"'`") == 0:
		return raw[:1] + renamedInQuotes(to, raw[0]) + raw[:1]
	case o.form == asName:
		return ast.Print(ast.NewName(to))
	case o.form == asValue:
		return renamedValue(raw, to)
	}
	return o.renamedEscaped(to)
}

// renamedEscaped returns a text as it is written where the place is.
func (o occurrence) renamedEscaped(text string) string {
	switch o.form {
	case inDouble:
		return renamedInQuotes(text, '"')
	case inSingle:
		return renamedInQuotes(text, '\'')
	case inBacktick:
		return renamedInQuotes(text, '`')
	}
	return text
}

// renamedInCode returns a name as JSON or a type expression has it, in place of raw.
func (o occurrence) renamedInCode(raw, from, to string) string {
	isQuoted := strings.IndexAny(raw, `"'`) == 0
	switch {
	case o.code == typeCode && types.IsFieldWord(to) && !(isQuoted && types.IsFieldWord(from)):
		return to
	case isQuoted:
		return raw[:1] + renamedInQuotes(to, raw[0]) + raw[:1]
	}
	return `"` + renamedInQuotes(to, '"') + `"`
}

// renamedValue returns a name as the value of a property, in place of raw.
func renamedValue(raw, name string) string {
	bare := ast.Print(ast.NewName(name))
	switch i := strings.IndexAny(raw, "\"'`"); {
	case i < 0 && bare == name && name != "true" && name != "false":
		return name
	case i < 0 || strings.HasPrefix(raw[i:], "```"):
		return `"` + renamedInQuotes(name, '"') + `"`
	default:
		return raw[:i+1] + renamedInQuotes(name, raw[i]) + raw[i:i+1]
	}
}

// renamedInQuotes returns a text as it is written between quotes.
func renamedInQuotes(text string, quote byte) string {
	return strings.NewReplacer(`\`, `\\`, string(quote), `\`+string(quote)).Replace(text)
}

// keepBuiltins writes into entries that are a built-in tool by their name which
// one it is.
func (r *renaming) keepBuiltins(c *changes) {
	for _, entry := range r.symbolEntries(r.symbol) {
		if !entry.isBuiltin() || entry.pattern.Property("builtin") != nil || !library.IsBuiltin(entry.name) {
			continue
		}
		text := "builtin: " + entry.name
		subject := entry.pattern.Subject
		at := subject.Span().End
		switch record := subject.Record; {
		case record == nil:
			text = " {" + text + "}"
		case len(record.Properties) > 0:
			at = record.Span().Start + 1
			text += ", "
		default:
			at = record.Span().Start + 1
		}
		c.replace(entry.document, at, at, text)
	}
}
