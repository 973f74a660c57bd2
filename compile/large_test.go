package compile

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/grammar"
)

// large is how many parts the large files have. Whatever takes quadratic time
// in it does not end before the limit.
const (
	large     = 20_000
	timeLimit = 3 * time.Minute // a busy machine with the race detector takes a tenth
)

func repeat(format string) string {
	var b strings.Builder
	for i := range large {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// repeatN writes a format n times, with a number and the next one.
func repeatN(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i, i+1)
	}
	return b.String()
}

func TestLargeFilesTakeLinearTime(t *testing.T) {
	const agent = `[a:Agent {instruction:"i", model:"m"} | `
	const one = `[t:Tool {description:"d"} | `
	const library = `[l:Library | `
	trim := func(text string) string { return strings.TrimSuffix(text, ", ") }
	for name, text := range map[string]string{
		"many tools on one line":    repeat(`[t%d:Tool {description:"é"} | (x::Text)==>(::Text)] `),
		"many agents on one line":   one + `(::Text)]` + repeat(`[b%[1]d:Agent {instruction:"é", model:"m"} | t]`),
		"references backwards":      agent + strings.TrimSuffix(repeat(`t%d, `), ", ") + `]` + repeat(`[t%d:Tool {description:"é"} | (::Text)] `),
		"one tool, many references": one + `(::Text)]` + agent + strings.Repeat(`t, `, large) + `t]`,
		"one tool, many times":      strings.Repeat(one+`(::Text)] `, large),
		"one tool, many meanings":   repeat(`[t:Tool {description:"%d"} | (::Text)] `),
		"unknown references":        agent + strings.TrimSuffix(repeat(`x%d, `), ", ") + `]` + repeat(`[xx%d:Tool {description:"d"} | (::Text)] `),
		"a long chain":              one + repeat(`(p%d::Text)==>`) + `(::Text)]`,
		"a long chain of one name":  one + strings.Repeat(`(p::Text)==>`, large) + `(::Text)]`,
		"a long chain to the left":  one + `(::Text)` + repeat(`<==(p%d::Text)`) + `]`,
		"a large library":           library + trim(repeat(`[t%d:Command {run: ["x", "{é}"]}], `)) + `]`,
		"a library of one name":     library + trim(strings.Repeat(`[t:Builtin {root: "."}], `, large)) + `]`,
		"many rules":                library + `[t:Command {run: ["x"]} | ` + repeat(`(p%d::Text)==>`) + `(::Text)` + repeat(`, (:Ask {q%d: "*"})`) + `]]`,
		"many braces":               library + `[t:Http {url: "https://x.test/` + strings.Repeat(`{a}{`, large) + strings.Repeat(`}`, large) + `"} | (a::Text)==>(::Text)]]`,
		"many templates":            library + `[t:Http {url: "https://x.test/` + repeat(`{a%d}`) + `"} | (a::Text)==>(::Text)]]`,
		"many open variables":       library + `[t:Command {run: ["x", "` + strings.Repeat(`${`, large) + `"]}]]`,
		"a host of variables":       library + `[t:Http {url: "` + strings.Repeat(`${A}`, large) + `"}]]`,
		"many headers":              library + `[t:Http {url: "https://x.test", headers: {` + trim(repeat(`h%d: "x", `)) + `}}]]`,
		"many unknown properties":   library + `[t:Command {` + repeat(`cmd%d: "x", cmd: 1, `) + `run: ["x"]}]]`,
		"many tools of a server":    library + `[t:Mcp {` + repeat(`x%d: 1, `) + `command: ["x"], allow: [` + trim(repeat(`"t%d", `)) + `]}]]`,
		"many secrets in a url":     library + `[t:Http {url: "https://x.test/?` + repeat(`token=abcdefgh%d&`) + `"}]]`,
		"many unnamed":              one + strings.Repeat(`(::Text)==>`, large) + `(::Text)]`,
		"many unknown types":        one + repeat(`(p%d::Tex%[1]d)==>`) + `(::Text)]`,
		"many labels":               one + `(p` + repeat(`:L%d`) + `)==>(::Text)]`,
		"many properties":           `[a:Agent {` + strings.TrimSuffix(repeat(`k%d:1, `), ", ") + `}]`,
		"many equal keys":           `[a:Agent {` + strings.Repeat(`k:1, `, large) + `k:1}]`,
		"many fields":               one + `(o::Object {fields:[` + strings.TrimSuffix(repeat(`{name:f%d, type:Text}, `), ", ") + `]})==>(::Text)]`,
		"many fields, many defaults": one + `(o::Array {of:Object, fields:[` + repeat(`{name:f%d, type:Text, optional:true}, `) + `{name:g, type:Text}], default:[` +
			strings.Repeat(`{g:x}, `, large) + `{g:x}]})==>(::Text)]`,
		"a large expression":           one + "(o::`{" + strings.TrimSuffix(repeat(`f%d: [Text], `), ", ") + "}`)==>(::Text)]",
		"escapes in an expression":     one + "(o::`{" + strings.TrimSuffix(repeat(`f%d:\nText, `), ", ") + "}`)==>(::Text)]",
		"deep fields":                  one + `(o::Object {` + strings.Repeat(`fields:[{name:f, type:Object, `, 400) + `x:1` + strings.Repeat(`}]`, 400) + `})==>(::Text)]`,
		"deep brackets":                strings.Repeat(one, 900) + `(::Text)` + strings.Repeat(`]`, 900),
		"a deep default":               one + `(o::Array {default:` + strings.Repeat(`[`, 900) + `5kg` + strings.Repeat(`]`, 900) + `})==>(::Text)]`,
		"a chain of types":             one + `(x::T0)==>(::Text)]` + repeatN(9999, `[T%d:Type {a::T%d}] `) + `[T9999:Type {a::Int}]`,
		"a chain of names of types":    one + `(x::T0)==>(::Text)]` + repeatN(9999, `[T%d:Type {description:"d"} | (::T%d)] `) + `[T9999:Type {a::Int}]`,
		"a cycle of types":             one + `(x::T0)==>(::Text)]` + repeatN(9999, "[T%d:Type {a:: type`T%d?`}] ") + `[T9999:Type {a::T0}]`,
		"an endless cycle of types":    one + `(x::T0)==>(::Text)]` + repeatN(9999, "[T%d:Type {a::T%d}] ") + `[T9999:Type {a::T0}]`,
		"types that double":            one + `(x::T0)==>(y::T1)==>(::T0)]` + repeatN(60, "[T%d:Type {a::T%[2]d, b::T%[2]d}] ") + `[T60:Type {a::T0}]`,
		"unions that double":           one + `(x::T0 {default:null})==>(y::T1)==>(::T0)]` + repeatN(60, "[T%d:Union | (::T%[2]d), (::T%[2]d)] ") + `[T60:Type {a::Int}]`,
		"a large enum, many values":    one + `(x::E {examples:[` + strings.TrimSuffix(repeat(`"v%d", `), ", ") + `]})==>(::Text)] [E:Enum {values:[` + strings.TrimSuffix(repeat(`"v%d", `), ", ") + `]}]`,
		"a large enum, many uses":      one + repeat(`(x%[1]d::E {default:"v%[1]d"})==>`) + `(::Text)] [E:Enum {values:[` + strings.TrimSuffix(repeat(`"v%d", `), ", ") + `]}]`,
		"a large type, many uses":      repeat(`[t%d:Tool {description:"d"} | (x::E)==>(::Text)]`) + `[E:Type {` + strings.TrimSuffix(repeatN(1900, `f%d::Int, g%d::Int, `), ", ") + `}]`,
		"a slow pattern":               one + "(x::Text {pattern:\"^(a{900}){1,1}b?$|x\", examples:[" + strings.Repeat(`"x", `, large) + `"x"]})==>(::Text)]`,
		"values for many alternatives": one + "(x::T {examples:json`[" + strings.Repeat(strings.Repeat("[", 40)+`"x"`+strings.Repeat("]", 40)+",", large) + "1]`})==>(::Text)] [T:Union | (::`[T]`), (::`[T]`), (::Int)]",
		"many discriminated":           one + "(x::T)==>(::Text)] [T:Union {discriminator:k} | " + strings.TrimSuffix(repeat("(::`{k: \"%d\"}`), "), ", ") + `]`,
		"a long name":                  one + `(` + strings.Repeat("x", 1<<20) + `)==>(::` + strings.Repeat("y", 1<<20) + `)]`,
	} {
		t.Run(name, func(t *testing.T) {
			f, problems := grammar.Parse("large", text)
			if problems != nil {
				t.Fatal(problems[0])
			}
			start := time.Now()
			program, told := File(f, nil)
			for _, d := range told {
				checkWords(t, d)
			}
			if program != nil {
				if _, err := ReadProgram("ir", program.JSON()); err != nil {
					t.Error(err)
				}
			}
			if took := time.Since(start); took > timeLimit {
				t.Errorf("%d bytes took %v", len(text), took)
			}
		})
	}
}

func TestAProgramThatGrowsTooLargeIsRefused(t *testing.T) {
	text := `[t:Tool {description:"` + strings.Repeat("x", 1<<20) + `"} | (::Text)]` + repeat(`[a%d:Agent {instruction:"i", model:"Anthropic/m"} | t]`)
	_, problems := file(t, text, nil)
	if got := told(problems); len(got) != 1 || !strings.HasPrefix(got[0], "error too-large a") {
		t.Error(got)
	}
}
