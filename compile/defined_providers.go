package compile

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// providerProperties are the keys of what a provider can say. They are not changed.
var providerProperties = vocabulary.Keys(vocabulary.OwnerProvider)

// DefinedProviders returns the providers of models that a file defines. The list is what is
// wrong with them; with an error in it, or where something did not parse, there are none.
// A file without a provider is an error too.
func DefinedProviders(f *ast.File, o *Options) ([]models.Provider, diag.List) {
	c := newCompiler(f, o)
	list := c.definedProviders(f)
	if len(list) == 0 && !c.Diags.HasErrors() {
		c.Diags.Errorf(f.Span().Head(), diag.CodeInvalidProvider, `there is no provider; write [name:Provider {address: "https://…"}]`)
	}
	if c.Broken || c.Diags.HasErrors() {
		return nil, c.Diags
	}
	return list, c.Diags
}

// definedProviders lowers the providers of a file. A pattern with the label alone can be
// anything.
func (c *compiler) definedProviders(f *ast.File) (list []models.Provider) {
	for _, p := range f.Patterns {
		if !p.HasLabel(ast.LabelProvider) || p.Property("address") == nil && p.Property("dialect") == nil && p.Property("key") == nil {
			continue
		}
		provider := c.definedProvider(p)
		for _, other := range list {
			if strings.EqualFold(other.Name, provider.Name) {
				c.Diags.Errorf(report.NameSpan(p), diag.CodeInvalidProvider, "two providers have the name %s", report.Quote(provider.Name))
			}
		}
		list = append(list, provider)
	}
	return list
}

func (c *compiler) definedProvider(p *ast.Pattern) models.Provider {
	what := report.Named("the provider", p.Identity())
	c.refuseLiteralKeys(p, what)
	misspelt := c.UnknownProperties(p.Subject.Record, "a provider", providerProperties, "address")
	out := models.Provider{Name: p.Identity(), Dialect: models.Chat}
	if known, ok := models.Builtin().ProviderNamed(out.Name); ok {
		c.Diags.Errorf(report.NameSpan(p), diag.CodeInvalidProvider, "%s is the name of a built-in provider; choose another one", known.Name)
	} else if report.Blank(out.Name) || strings.ContainsAny(out.Name, "/: \t\n") {
		c.Diags.Errorf(report.NameSpan(p), diag.CodeInvalidProvider, "a provider has a name without spaces, / and :, which agents write before the id of a model")
	}
	address, property := c.RequiredTextProperty(p, types.Required{
		Key: "address", Example: `address: "https://models.example.com/v1"`,
		Missing: diag.CodeInvalidProvider, NotText: diag.CodeInvalidProvider, Empty: diag.CodeInvalidProvider,
	}, what, misspelt["address"])
	out.Address = strings.TrimRight(address, "/")
	if key := p.Property("key"); key != nil && key.Value != nil {
		c.definedProviderKey(key, &out, what)
	}
	if property != nil && property.Value != nil {
		c.checkDefinedAddress(property, &out, what)
	}
	if dialect := p.Property("dialect"); dialect != nil && dialect.Value != nil {
		c.definedProviderDialect(dialect, &out, what)
	}
	out.Strict = c.definedProviderFlag(p, "strict", what)
	out.Schema = c.definedProviderFlag(p, "schema", what)
	return out
}

// definedProviderKey reads the name of the variable with the key.
func (c *compiler) definedProviderKey(p *ast.Property, out *models.Provider, what string) {
	name, ok := ast.TextOf(p.Value)
	if !ok || !isProviderVariable(name) || looksLikeKey(name) {
		// What stands there may be a key: it is not repeated.
		c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidProvider, "the key of %s is the name of an environment variable, such as WORK_API_KEY; a key never stands in a file", what).MarkSecret()
		return
	}
	out.Keys = []string{name}
}

// refuseLiteralKeys reports keys in properties that a provider does not have, such as apiKey.
func (c *compiler) refuseLiteralKeys(p *ast.Pattern, what string) {
	if p.Subject.Record == nil {
		return
	}
	for _, each := range p.Subject.Record.Properties {
		text, ok := ast.TextOf(each.Value)
		if ok && text != "" && !slices.Contains(providerProperties, each.Key.Text) && library.IsSecretName(each.Key.Text) {
			c.Diags.Errorf(each.Value.Span(), diag.CodeInvalidProvider, "a key never stands in a file: %s names an environment variable that holds it, such as key: WORK_API_KEY", what).MarkSecret()
		}
	}
}

// isProviderVariable reports whether a text is the name of an environment variable: letters, digits
// and _, and no digit first.
func isProviderVariable(name string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
	return name != "" && strings.Trim(name, letters+"0123456789") == "" && strings.IndexByte(letters, name[0]) >= 0
}

// looksLikeKey reports whether a text that could be the name of a variable is a key: it has
// a long word of letters and digits, as in gsk_a1B2….
func looksLikeKey(name string) bool {
	const long = 16
	return slices.ContainsFunc(strings.Split(name, "_"), func(word string) bool {
		return len(word) >= long && strings.ContainsAny(word, "0123456789") && strings.Trim(word, "0123456789") != ""
	})
}

// checkDefinedAddress reports what is wrong with the base URL of a provider.
func (c *compiler) checkDefinedAddress(p *ast.Property, out *models.Provider, what string) {
	u, err := url.Parse(out.Address)
	wrong := ""
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		wrong = "it starts with https://, such as https://models.example.com/v1"
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		wrong = "it has no user, query or fragment"
	case strings.HasSuffix(u.Path, "/chat/completions") || strings.HasSuffix(u.Path, "/messages"):
		wrong = "it ends before the name of the operation, which gramc adds"
	case u.Scheme == "http" && out.Keys != nil && !library.IsThisMachine(u.Host):
		wrong = "with a key it starts with https://, so that nobody on the way reads the key"
	}
	if wrong != "" {
		d := c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidProvider, "the address of %s cannot be used: %s", what, wrong)
		d.Secret = err != nil || u.User != nil || u.RawQuery != ""
	}
}

func (c *compiler) definedProviderDialect(p *ast.Property, out *models.Provider, what string) {
	word, _ := ast.WordOf(p.Value)
	for _, d := range models.Dialects() {
		if string(d) == word {
			out.Dialect = d
			return
		}
	}
	known := vocabulary.Values(vocabulary.OwnerProvider, "dialect")
	d := c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidProvider, "the dialect of %s is one of %s", what, strings.Join(known, ", "))
	if near := c.Guess(word, known); near != "" {
		report.Fix(d, "write "+near, p.Value.Span(), near)
	}
}

func (c *compiler) definedProviderFlag(p *ast.Pattern, key, what string) bool {
	flag := p.Property(key)
	return flag != nil && flag.Value != nil && c.Flag(flag, what)
}
