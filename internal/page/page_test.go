package page

import (
	"strings"
	"testing"
)

// TestTextOfModelsIsNoMarkup writes hostile text everywhere that text can stand.
func TestTextOfModelsIsNoMarkup(t *testing.T) {
	hostile := []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'><svg onload=alert(1)>`, "</title></style><script>", "javascript:alert(1)", "JaVaScRiPt:alert(1)",
		"data:text/html,<script>alert(1)</script>", " javascript:alert(1)", "java\nscript:alert(1)", "//evil.example/x", "vbscript:x", "\x00\x1b[31m<b>", "\xff<i>",
	}
	for _, text := range hostile {
		var w Writer
		w.Text(text)
		w.Markup(`<p title="%s">%s</p>`, text, text)
		w.Link(text, text)
		got := w.Page(text, "")
		for _, bad := range []string{"<script", "<img", "<svg", "<b>", "<i>", "\x00", "\x1b", "href=\"java", "href=\"Ja", "href=\"data", "href=\" ", "href=\"vb", "href=\"//", "onerror=alert(1)>"} {
			body := got[strings.Index(got, "<body>"):]
			if strings.Contains(body, bad) {
				t.Errorf("%q leaves %q in\n%s", text, bad, body)
			}
		}
		if strings.Count(got, "<title>") != 1 || strings.Count(got, "</style>") != 1 {
			t.Errorf("%q ends an element:\n%s", text, got)
		}
	}
}

func TestLinks(t *testing.T) {
	for address, linked := range map[string]bool{"https://example.com/x": true, "http://127.0.0.1/": true, "traces/a 1.jsonl": true, "./x": true, "": false, "file:///etc/passwd": false} {
		var w Writer
		w.Link(address, "text")
		if strings.Contains(w.Page("", ""), "<a href") != linked {
			t.Errorf("%q: linked is not %v", address, linked)
		}
	}
}

func TestPagesLoadNothing(t *testing.T) {
	got := new(Writer).Page("t", ".x{}")
	if !strings.Contains(got, "default-src &#39;none&#39;") || !strings.Contains(got, ".x{}") {
		t.Errorf("no policy or no style:\n%s", got)
	}
}
