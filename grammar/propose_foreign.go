package grammar

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/gram-lang/gramc/internal/vocabulary"
)

// This file proposes what is meant by values and lists of other languages, and by a name
// that is missing.

// proposeForeignValue proposes to write as one text the texts and environment variables from the token at
// i on, joined by +.
func (r *repairer) proposeForeignValue(i int) {
	if i == 0 || !(colons | 1<<tokComma | 1<<tokLeftBracket).has(r.tokens[i-1].kind) {
		return
	}
	start := r.tokens[i].begin()
	value := &foreignReader{text: r.text, pos: start}
	if text, ok := value.proposedForeignValue(); ok {
		f := writeFix(start, value.pos, fixAsText(text))
		f.safe = !value.variable
		r.propose(-lead, f)
	}
}

// proposedForeignValue reads texts and environment variables that are joined by +. It reports whether
// gram writes them otherwise.
func (r *foreignReader) proposedForeignValue() (text string, computed bool) {
	for parts := 1; ; parts++ {
		part, ok := r.proposedForeignValuePart()
		if !ok {
			return "", false
		}
		text += part
		end := r.pos
		if !r.accept("+") {
			r.pos = end
			return text, parts > 1 || r.variable
		}
	}
}

// environmentForm is an environment variable in other languages.
var environmentForm = sync.OnceValue(func() *regexp.Regexp {
	const name, quote = `([A-Za-z_][0-9A-Za-z_]*)`, `["']`
	return regexp.MustCompile(`^(?:(?:process|import\.meta|Deno|Bun)\.env\.` + name + `!?` +
		`|(?:process\.env|os\.environ|ENV|env)\[` + quote + name + quote + `\]` +
		`|(?:os\.environ\.get|os\.getenv|os\.Getenv|System\.getenv|Deno\.env\.get|getenv|env)\(` + quote + name + quote + `\)` +
		`|\$\{` + name + `\}|\$env:` + name + `|\$` + name + `)`)
})

// proposedForeignValuePart reads a text in quotes, or an environment variable, which is written ${NAME}.
func (r *foreignReader) proposedForeignValuePart() (text string, ok bool) {
	quote := r.peek()
	rest := r.text[r.pos:]
	if form := environmentForm().FindStringSubmatch(rest[:lexLineEnd(rest, 0)]); form != nil {
		r.pos += len(form[0])
		r.variable = true
		return "${" + strings.Join(form[1:], "") + "}", true
	}
	if quote != '"' && quote != '\'' {
		return "", false
	}
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch rest[i] {
		case '\\':
			i++
		case quote:
			r.pos += i + 1
			text, bad := unescapeText(rest[1:i])
			return text, len(bad) == 0
		}
	}
	return "", false
}

// enumForm is what people write for the values of an enum, from after its label to the end of its
// pattern.
var enumForm = sync.OnceValue(func() *regexp.Regexp {
	const value = `(?:"[^"\\\n]*"|'[^'\\\n]*'|[A-Za-z_][0-9A-Za-z_]*)`
	return regexp.MustCompile(`^\s*[|=]?\s*(?:enum\b\s*)?([\[{(<]?)\s*(` + value + `(?:\s*[,|]\s*` + value + `)*),?\s*([\]})>]?)\s*\]`)
})

// proposeForeignEnumValues proposes to write as values of an enum what stands behind the label at i.
func (r *repairer) proposeForeignEnumValues(i int) {
	label := &r.tokens[i]
	if i < 3 || r.tokens[i-3].kind != tokLeftBracket || r.tokens[i-1].kind != tokColon || label.text != "Enum" && label.text != "Type" {
		return
	}
	form := enumForm().FindStringSubmatch(r.text[label.end():])
	if form == nil || form[1] != "" && form[3] != closerOf[form[1]] || form[1] == "" && form[3] != "" {
		return
	}
	var values []string
	for list := (&foreignReader{text: form[2]}); len(values) == 0 || list.accept(",") || list.accept("|"); {
		value := list.word()
		if value != "" && label.text == "Type" {
			return // it may be a field, or another type
		}
		if value == "" {
			value, _ = unescapeText(strings.Trim(list.quoted(), `"'`))
		}
		values = append(values, fixAsText(value))
	}
	written := "Enum {values: [" + strings.Join(values, ", ") + "]}]"
	r.propose(-unlikely, writeFix(label.begin(), label.end()+len(form[0]), written).asSafe())
}

// proposeStepText proposes to write the text behind the label of a step of a test as the property
// text: [:User "Hi"] is [:User {text: "Hi"}].
func (r *repairer) proposeStepText(i int) {
	t := &r.tokens[i]
	if i < 3 || !texts.has(t.kind) || !colons.has(r.tokens[i-2].kind) || r.tokens[i-3].kind != tokLeftBracket {
		return
	}
	for _, w := range vocabulary.StepLabels() {
		if p, known := vocabulary.PropertyOf(w.Owner, "text"); known && w.Name == r.tokens[i-1].text {
			f := writeFix(t.begin(), t.end(), "{text: "+t.text+"}")
			f.safe = p.Required
			r.propose(-lead, f)
		}
	}
}

var closerOf = map[string]string{"[": "]", "{": "}", "(": ")", "<": ">"}

// proposeForeignToolList proposes to write as elements of an agent what stands in the list of its key
// tools at i.
func (r *repairer) proposeForeignToolList(i int) {
	key := &r.tokens[i]
	if key.text != "tools" || i+4 >= len(r.tokens) || r.tokens[i+1].kind != tokColon || r.tokens[i+2].kind != tokLeftBracket {
		return
	}
	last := r.partnerToken(i + 2)
	if last < 0 {
		return
	}
	elements := strings.TrimSpace(r.text[r.tokens[i+2].end():r.tokens[last].begin()])
	if r.tokens[i+4].kind == tokColon { // the brackets are those of one tool
		elements = "[" + elements + "]"
	}
	const title = "write them as elements"
	if !r.tokenIsInRecord(i) {
		r.propose(-lead, changeFix(title, key.begin(), r.tokens[last].end(), elements))
		return
	}
	closer := r.partnerToken(r.openTokens(i)[0])
	if closer < 0 {
		return
	}
	from, to := key.begin(), r.tokens[last].end()
	switch {
	case r.tokens[i-1].kind == tokComma:
		from = r.tokens[i-1].begin()
	case r.tokens[last+1].kind == tokComma:
		to = r.tokens[last+2].begin()
	}
	place, written := r.tokens[closer].end(), " | "+elements
	if bar := &r.tokens[closer+1]; bar.kind == tokBar {
		place, written = bar.end(), " "+elements+","
	}
	r.propose(-lead, fix{title: title, edits: []edit{{from, to, ""}, {place, place, written}}})
}

// proposeMissingName proposes the one type or tool of the file that nothing uses, where a name is
// missing before the token at i.
func (r *repairer) proposeMissingName(i int) {
	if i == 0 {
		return
	}
	t, before := &r.tokens[i], &r.tokens[i-1]
	labels := ""
	switch {
	case before.kind == tokColons && (t.kind == tokRightParen || t.kind == tokLeftBrace):
		labels = "Type Enum Union"
	case (before.kind == tokBar || before.kind == tokComma) && (t.kind == tokComma || t.kind == tokRightBracket):
		labels = "Tool"
	default:
		return
	}
	name, known := r.unused[labels]
	if !known && len(r.file) <= maxPart {
		name = unusedName(r.file, labels)
		r.unused[labels] = name
	}
	if name == "" {
		return
	}
	written := fixAsName(name)
	if before.kind == tokBar {
		written = " " + written
	}
	r.propose(-1, insertFix(written, before.end()))
}

// definitionForm is a definition at the start of a line, with its label.
var definitionForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\[([A-Za-z_][0-9A-Za-z_]*):(Type|Enum|Union|Tool)\b`)
})

// unusedName returns the one name that a text defines with one of some labels and that it has
// nowhere else; "" where there are none or several.
func unusedName(text, labels string) (name string) {
	times := map[string]int{}
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		times[word]++
	}
	for _, form := range definitionForm().FindAllStringSubmatch(text, -1) {
		switch {
		case times[form[1]] > 1, !strings.Contains(labels, form[2]):
		case name != "":
			return ""
		default:
			name = form[1]
		}
	}
	return name
}
