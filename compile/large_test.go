package compile

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/grammar"
)

// A count is how often something stands in a text.
type count int

// repeat writes a format that often, with a number and the next one.
func (n count) repeat(format string) string {
	var b strings.Builder
	for i := range int(n) {
		args := []any{i, i + 1}
		fmt.Fprintf(&b, format, args[:min(len(args), strings.Count(format, "%"))]...)
	}
	return b.String()
}

// largeFiles returns files in which about n things of a kind stand.
func largeFiles(n count) map[string]string {
	const agent = `[a:Agent {instruction:"i", model:"OpenAI/m"} | `
	const one = `[t:Tool {description:"d"} | `
	const library = `[l:Library | `
	trim := func(text string) string { return strings.TrimSuffix(text, ", ") }
	return map[string]string{
		"many tools on one line":    n.repeat(`[t%d:Tool {description:"é"} | (x::Text)==>(::Text)] `),
		"many agents on one line":   one + `(::Text)]` + n.repeat(`[b%[1]d:Agent {instruction:"é", model:"OpenAI/m"} | t]`),
		"references backwards":      agent + strings.TrimSuffix(n.repeat(`t%d, `), ", ") + `]` + n.repeat(`[t%d:Tool {description:"é"} | (::Text)] `),
		"one tool, many references": one + `(::Text)]` + agent + strings.Repeat(`t, `, int(n)) + `t]`,
		"one tool, many times":      strings.Repeat(one+`(::Text)] `, int(n)),
		"one tool, many meanings":   n.repeat(`[t:Tool {description:"%d"} | (::Text)] `),
		"unknown references":        agent + strings.TrimSuffix(n.repeat(`x%d, `), ", ") + `]` + n.repeat(`[xx%d:Tool {description:"d"} | (::Text)] `),
		"a long chain":              one + n.repeat(`(p%d::Text)==>`) + `(::Text)]`,
		"a long chain of one name":  one + strings.Repeat(`(p::Text)==>`, int(n)) + `(::Text)]`,
		"a long chain to the left":  one + `(::Text)` + n.repeat(`<==(p%d::Text)`) + `]`,
		"a large library":           library + trim(n.repeat(`[t%d:Command {run: ["x", "{é}"]}], `)) + `]`,
		"a library of one name":     library + trim(strings.Repeat(`[t:Builtin {root: "."}], `, int(n))) + `]`,
		"many rules":                library + `[t:Command {run: ["x"]} | ` + n.repeat(`(p%d::Text)==>`) + `(::Text)` + n.repeat(`, (:Ask {q%d: "*"})`) + `]]`,
		"many braces":               library + `[t:Http {url: "https://x.test/` + strings.Repeat(`{a}{`, int(n)) + strings.Repeat(`}`, int(n)) + `"} | (a::Text)==>(::Text)]]`,
		"many templates":            library + `[t:Http {url: "https://x.test/` + n.repeat(`{a%d}`) + `"} | (a::Text)==>(::Text)]]`,
		"many open variables":       library + `[t:Command {run: ["x", "` + strings.Repeat(`${`, int(n)) + `"]}]]`,
		"a host of variables":       library + `[t:Http {url: "` + strings.Repeat(`${A}`, int(n)) + `"}]]`,
		"many headers":              library + `[t:Http {url: "https://x.test", headers: {` + trim(n.repeat(`h%d: "x", `)) + `}}]]`,
		"many unknown properties":   library + `[t:Command {` + n.repeat(`cmd%d: "x", cmd: 1, `) + `run: ["x"]}]]`,
		"many tools of a server":    library + `[t:Mcp {` + n.repeat(`x%d: 1, `) + `command: ["x"], allow: [` + trim(n.repeat(`"t%d", `)) + `]}]]`,
		"many secrets in a url":     library + `[t:Http {url: "https://x.test/?` + n.repeat(`token=abcdefgh%d&`) + `"}]]`,
		"many unnamed":              one + strings.Repeat(`(::Text)==>`, int(n)) + `(::Text)]`,
		"many unknown types":        one + n.repeat(`(p%d::Tex%[1]d)==>`) + `(::Text)]`,
		"many labels":               one + `(p` + n.repeat(`:L%d`) + `)==>(::Text)]`,
		"many properties":           `[a:Agent {` + strings.TrimSuffix(n.repeat(`k%d:1, `), ", ") + `}]`,
		"many equal keys":           `[a:Agent {` + strings.Repeat(`k:1, `, int(n)) + `k:1}]`,
		"many fields":               one + `(o::Object {fields:[` + strings.TrimSuffix(n.repeat(`{name:f%d, type:Text}, `), ", ") + `]})==>(::Text)]`,
		"many fields, many defaults": one + `(o::Array {of:Object, fields:[` + n.repeat(`{name:f%d, type:Text, optional:true}, `) + `{name:g, type:Text}], default:[` +
			strings.Repeat(`{g:x}, `, int(n)) + `{g:x}]})==>(::Text)]`,
		"a large expression":           one + "(o::`{" + strings.TrimSuffix(n.repeat(`f%d: [Text], `), ", ") + "}`)==>(::Text)]",
		"escapes in an expression":     one + "(o::`{" + strings.TrimSuffix(n.repeat(`f%d:\nText, `), ", ") + "}`)==>(::Text)]",
		"deep fields":                  one + `(o::Object {` + strings.Repeat(`fields:[{name:f, type:Object, `, int(n)/4) + `x:1` + strings.Repeat(`}]`, int(n)/4) + `})==>(::Text)]`,
		"deep brackets":                strings.Repeat(one, min(int(n), 900)) + `(::Text)` + strings.Repeat(`]`, min(int(n), 900)),
		"a deep default":               one + `(o::Array {default:` + strings.Repeat(`[`, 900) + `5kg` + strings.Repeat(`]`, 900) + `})==>(::Text)]`,
		"a chain of types":             one + `(x::T0)==>(::Text)]` + n.repeat(`[T%d:Type {a::T%d}] `) + fmt.Sprintf(`[T%d:Type {a::Int}]`, n),
		"a chain of names of types":    one + `(x::T0)==>(::Text)]` + n.repeat(`[T%d:Type {description:"d"} | (::T%d)] `) + fmt.Sprintf(`[T%d:Type {a::Int}]`, n),
		"a cycle of types":             one + `(x::T0)==>(::Text)]` + n.repeat("[T%d:Type {a:: type`T%d?`}] ") + fmt.Sprintf(`[T%d:Type {a::T0}]`, n),
		"an endless cycle of types":    one + `(x::T0)==>(::Text)]` + n.repeat("[T%d:Type {a::T%d}] ") + fmt.Sprintf(`[T%d:Type {a::T0}]`, n),
		"types that double":            one + `(x::T0)==>(y::T1)==>(::T0)]` + count(60).repeat("[T%d:Type {a::T%[2]d, b::T%[2]d}] ") + `[T60:Type {a::T0}]`,
		"unions that double":           one + `(x::T0 {default:null})==>(y::T1)==>(::T0)]` + count(60).repeat("[T%d:Union | (::T%[2]d), (::T%[2]d)] ") + `[T60:Type {a::Int}]`,
		"a large enum, many values":    one + `(x::E {examples:[` + strings.TrimSuffix(n.repeat(`"v%d", `), ", ") + `]})==>(::Text)] [E:Enum {values:[` + strings.TrimSuffix(n.repeat(`"v%d", `), ", ") + `]}]`,
		"a large enum, many uses":      one + n.repeat(`(x%[1]d::E {default:"v%[1]d"})==>`) + `(::Text)] [E:Enum {values:[` + strings.TrimSuffix(count(100).repeat(`"v%d", `), ", ") + `]}]`,
		"a large type, many uses":      n.repeat(`[t%d:Tool {description:"d"} | (x::E)==>(::Text)]`) + `[E:Type {` + strings.TrimSuffix(count(200).repeat(`f%d::Int, g%d::Int, `), ", ") + `}]`,
		"a slow pattern":               one + "(x::Text {pattern:\"^(a{900}){1,1}b?$|x\", examples:[" + strings.Repeat(`"x", `, int(n)) + `"x"]})==>(::Text)]`,
		"values for many alternatives": one + "(x::T {examples:json`[" + strings.Repeat(strings.Repeat("[", 40)+`"x"`+strings.Repeat("]", 40)+",", int(n)) + "1]`})==>(::Text)] [T:Union | (::`[T]`), (::`[T]`), (::Int)]",
		"many discriminated":           one + "(x::T)==>(::Text)] [T:Union {discriminator:k} | " + strings.TrimSuffix(n.repeat("(::`{k: \"%d\"}`), "), ", ") + `]`,
		"a long name":                  one + `(` + strings.Repeat("x", 50*int(n)) + `)==>(::` + strings.Repeat("y", 50*int(n)) + `)]`,
	}
}

// TestLargeFilesTakeLinearMemory compiles each file in two sizes and compares what
// was allocated: whatever copies, or makes, something for each pair of parts
// allocates sixteen times as much for a file four times as large.
func TestLargeFilesTakeLinearMemory(t *testing.T) {
	const n = 300
	large := largeFiles(4 * n)
	for name, small := range largeFiles(n) {
		t.Run(name, func(t *testing.T) {
			before, after := allocated(t, small), allocated(t, large[name])
			size := float64(len(large[name])) / float64(len(small))
			if growth := float64(after) / float64(before); growth > 2*size {
				t.Errorf("a file %.1f times as large allocates %.1f times as much", size, growth)
			}
		})
	}
}

// allocated returns how many bytes are allocated to compile a text and to read
// back its program.
func allocated(t *testing.T, text string) uint64 {
	f, problems := grammar.Parse("large", text)
	if problems != nil {
		t.Fatal(problems[0])
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	program, reported := File(f, nil)
	if program != nil {
		if _, err := ReadProgram("ir", program.JSON(), nil); err != nil {
			t.Error(err)
		}
	}
	runtime.ReadMemStats(&after)
	for _, d := range reported {
		checkWords(t, d)
	}
	return after.TotalAlloc - before.TotalAlloc
}

func TestAProgramThatGrowsTooLargeIsRefused(t *testing.T) {
	text := `[t:Tool {description:"` + strings.Repeat("x", 1<<20) + `"} | (::Text)]` + count(20_000).repeat(`[a%d:Agent {instruction:"i", model:"Anthropic/m"} | t]`)
	_, problems := file(t, text, nil)
	if got := summary(problems); len(got) != 1 || !strings.HasPrefix(got[0], "error too-large a") {
		t.Error(got)
	}
}
