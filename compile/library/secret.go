package library

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/template"
)

// secretInQuery warns of a key that is written into an address.
func (r *entryReader) secretInQuery(p *ast.Property, t Text) {
	_, query, _ := strings.Cut(t.Written, "?")
	for each := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(each, "=")
		const short = 8
		if !IsSecretName(name) || len(value) < short || strings.ContainsAny(value, "{$") {
			continue
		}
		at := strings.Index(t.Written, each) + len(name) + len("=")
		d := r.Diags.Warnf(report.NewQuotation(p.Value, t.Written).At(at, at+len(value)), diag.CodeLiteralSecret,
			"%s holds a secret; take it from the environment: %s=${NAME}", r.whose(p.Key.Text), report.Clip(name))
		variable := "${" + r.secretName() + "}"
		d.MarkSecret()
		report.Fix(d, "write "+variable, d.Span, variable)
		return
	}
}

// literalSecret warns of a secret that is written into the file.
func (r *entryReader) literalSecret(v ast.Value, variable Variable) {
	scheme, rest, two := strings.Cut(variable.Value.Written, " ")
	if !two {
		scheme, rest = "", scheme
	}
	if !IsSecretName(variable.Name) || variable.Value.Template.Has(template.Environment) || report.Blank(rest) {
		return
	}
	name := variable.Name
	if template.VariableName(name) != name || name != strings.ToUpper(name) { // no environment variable itself
		name = r.secretName()
	}
	d := r.Diags.Warnf(v.Span(), diag.CodeLiteralSecret,
		"%s of %s is a secret in a file; take it from the environment: ${%s}", report.Quote(variable.Name), r.what, report.Clip(name))
	text := "${" + name + "}"
	if scheme != "" {
		text = scheme + " " + text
	}
	d.MarkSecret()
	report.Fix(d, "write "+report.Clip(text), v.Span(), strconv.Quote(text))
}

// secretName returns a name for the environment variable with the secret of an
// entry: GET_WEATHER_KEY.
func (r *entryReader) secretName() string {
	var b strings.Builder
	for i, c := range r.pattern.Identity() {
		switch {
		case i > 0 && 'A' <= c && c <= 'Z':
			b.WriteByte('_')
			b.WriteRune(c)
		case c < unicode.MaxASCII && (unicode.IsLetter(c) || i > 0 && unicode.IsDigit(c)):
			b.WriteRune(unicode.ToUpper(c))
		default:
			b.WriteByte('_')
		}
	}
	return b.String() + "_KEY"
}

// IsSecretName reports whether what has this name is a secret: a header, an
// environment variable, a property or a field of an address.
func IsSecretName(name string) bool {
	if isPublicVariable(name) {
		return false
	}
	for word := range strings.FieldsFuncSeq(name, func(c rune) bool { return c == '_' || c == '-' || c == '.' }) {
		word = strings.TrimRight(strings.ToLower(word), "0123456789")
		switch word {
		case "key", "pass", "pwd", "auth", "dsn", "authorization":
			return true
		}
		for _, end := range []string{
			"token", "secret", "password", "passphrase", "cookie", "webhook", "credential", "credentials",
			"apikey", "accesskey", "privatekey", "secretkey",
		} {
			if strings.HasSuffix(word, end) {
				return true
			}
		}
	}
	return false
}
