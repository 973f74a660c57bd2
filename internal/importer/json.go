package importer

import (
	"errors"
	"strings"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// whitespace is what can be between the values of a JSON text.
const whitespace = " \t\r\n"

// jsonValues calls visit with the values of a JSON text, which is one value or JSON
// Lines. After a syntax error it continues with the next line.
func (im *importer) jsonValues(visit func(*jsonschema.Node)) {
	text := im.file.Text()
	options := &jsonschema.ReadOptions{Accept: im.acceptJSON}
	skip := func(pos int) int { return len(text) - len(strings.TrimLeft(text[pos:], whitespace)) }
	pos := skip(len(text) - len(strings.TrimPrefix(text, "\ufeff")))
	for pos < len(text) || strings.TrimSpace(text) == "" {
		n, end, err := jsonschema.ReadAt(text, pos, options)
		if err == nil {
			visit(n)
			pos = skip(end)
			continue
		}
		var syntax *jsonschema.SyntaxError
		if !errors.As(err, &syntax) {
			panic("importer: " + err.Error())
		}
		code := diag.CodeNotJSON
		if syntax.TooDeep {
			code = diag.CodeTooDeep
		}
		im.diags.Errorf(im.file.Span(syntax.Start, syntax.End), code, "this is not JSON: %s", syntax.Message)
		if pos = nextJSONLine(text, pos, syntax.Start); pos < 0 {
			return
		}
	}
}

// nextJSONLine returns the offset of the line behind a syntax error in the value
// that begins at start, -1 if the text is not JSON Lines: one value a line.
func nextJSONLine(text string, start, failed int) int {
	n := strings.IndexByte(text[failed:], '\n')
	if n < 0 || strings.Contains(text[start:failed], "\n") {
		return -1
	}
	next := failed + n + 1
	if strings.HasPrefix(text[next:], "{") || strings.HasPrefix(text[next:], "[") {
		return next
	}
	return -1
}

// acceptJSON reports a defect of a JSON text, which is read nevertheless.
func (im *importer) acceptJSON(d jsonschema.Defect) bool {
	span := im.file.Span(d.Start, d.End)
	switch d.Kind {
	case jsonschema.DuplicateKey:
		im.diags.Errorf(span, diag.CodeDuplicateKey, "duplicate key %s; the last value counts", quoteText(d.Key)).Relate(im.key(d.First), "first here")
	case jsonschema.InvalidUTF8:
		im.diags.Errorf(span, diag.CodeNotUTF8, "this string is not valid UTF-8; invalid bytes become U+FFFD")
	case jsonschema.LoneSurrogate:
		im.diags.Errorf(span, diag.CodeImportLost, "%s is half of a surrogate pair; it becomes U+FFFD", span.Text())
	}
	return true
}
