// Package page writes self-contained HTML pages. What they show comes from models and
// tools, so a page runs no script, loads nothing, sends nothing, and all text is escaped.
package page

import (
	"fmt"
	"html"
	"net/url"
	"strings"
)

// policy is the content security policy of every page.
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'none'; base-uri 'none'; form-action 'none'"

// The colours of all pages. In a webview of VS Code, the classes of its theme decide, and else
// the settings of the system.
const (
	light = `color-scheme:light;--ink:#1c2024;--soft:#60646c;--line:#d9d9e0;--paper:#fff;--panel:#f6f6f8;--a:#b45309;--b:#0f766e;--bad:#b91c1c`
	dark  = `color-scheme:dark;--ink:#edeef0;--soft:#b0b4ba;--line:#3a3f45;--paper:#16181b;--panel:#202327;--a:#f59e0b;--b:#2dd4bf;--bad:#f87171`
)

// style is what all pages share.
const style = `:root{` + light + `}@media(prefers-color-scheme:dark){:root{` + dark + `}}
.vscode-light,.vscode-high-contrast-light{` + light + `}.vscode-dark,.vscode-high-contrast:not(.vscode-high-contrast-light){` + dark + `}
*{box-sizing:border-box}body{margin:0 auto;max-width:72rem;padding:1.5rem 1rem 4rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{font-size:1.5rem;line-height:1.3}h2{font-size:1.1rem;margin-top:2rem}p,td,th,dd{overflow-wrap:anywhere}small,.soft{color:var(--soft)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{padding:.35rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
.wide{overflow-x:auto}.n{text-align:right;white-space:nowrap}.bad{color:var(--bad)}.a{color:var(--a)}.b{color:var(--b)}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--panel);padding:.6rem .8rem;border-radius:.4rem;font:13px/1.45 ui-monospace,monospace;margin:.4rem 0}
svg{width:100%;height:auto;font:12px system-ui,sans-serif}svg text{fill:var(--ink)}svg .axis{stroke:var(--line)}svg .a{stroke:var(--a);fill:var(--a)}svg .b{stroke:var(--b);fill:var(--b)}svg .curve{fill:none;stroke-width:2}
a{color:inherit}`

// A Writer collects the body of a page.
type Writer struct{ body strings.Builder }

// Text writes text, escaped.
func (w *Writer) Text(text string) { w.body.WriteString(Escape(text)) }

// Markup writes a format whose arguments of type string are escaped; what it returns
// is markup, so the format must be a constant.
func (w *Writer) Markup(format string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = Escape(text)
		}
	}
	fmt.Fprintf(&w.body, format, args...)
}

// Escape returns text as it stands in HTML, in an attribute too. Control characters
// other than line breaks and tabs become U+FFFD.
func Escape(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return html.EscapeString(text)
}

// Link writes a link to a file beside the page or to the web; the address of anything
// else becomes text.
func (w *Writer) Link(address, text string) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" && u.Scheme != "https" && u.Scheme != "http" || address == "" || u.Scheme == "" && u.Host != "" {
		w.Text(text)
		return
	}
	w.Markup(`<a href="%s" rel="noreferrer">%s</a>`, address, text)
}

// Page returns the whole page. extra is more style, a constant.
func (w *Writer) Page(title, extra string) string {
	return fmt.Sprintf(`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">
<title>%s</title><style>%s%s</style></head><body>
%s</body></html>
`, Escape(policy), Escape(title), style, extra, w.body.String())
}
