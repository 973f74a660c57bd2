package web

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/runtime"
)

// templateOf returns a template as the compiler parses it.
func templateOf(text string) template.Template {
	parts, _, _ := template.Parse(text, true)
	return parts
}

func expanded(t *testing.T, text string, values map[string]string) (string, error) {
	t.Helper()
	made, err := newAddress(templateOf(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return made.expand(func(name string) ([]string, error) { return []string{values[name]}, nil })
}

func TestTemplatesEscapeByPlace(t *testing.T) {
	const hostile = `a b/c?d=e&f#g%h"+é;.`
	for _, tt := range []struct{ template, value, want string }{
		{"https://h.test", "", "https://h.test"},
		{"https://h.test/", "", "https://h.test/"},
		{"https://h.test?a=b", "", "https://h.test?a=b"},
		{"https://h.test:8443/a/{x}/b", "Köln", "https://h.test:8443/a/K%C3%B6ln/b"},
		{"https://h.test/{x}", hostile, "https://h.test/a%20b%2Fc%3Fd=e&f%23g%25h%22+%C3%A9%3B."},
		{"https://h.test/?q={x}", hostile, "https://h.test/?q=a+b%2Fc%3Fd%3De%26f%23g%25h%22%2B%C3%A9%3B."},
		{"https://h.test/?q={x}&r={x}", "&", "https://h.test/?q=%26&r=%26"},
		{"https://h.test/?{x}=1", "a=b&c", "https://h.test/?a%3Db%26c=1"},
		{"https://h.test/a?q={x}/{x}", "/", "https://h.test/a?q=%2F/%2F"},
		{"https://h.test/v{x}.json", "1", "https://h.test/v1.json"},
		{"https://h.test/{{{x}}}", "1", "https://h.test/%7B1%7D"},
		{"https://h.test/a b/ü?c d={x}", "1", "https://h.test/a%20b/%C3%BC?c%20d=1"},
		{"https://h.test/a%2Fb/{x}", "c", "https://h.test/a%2Fb/c"},
		{"https://h.test/{x}", "...", "https://h.test/..."},
		{"https://h.test/{x}", "a..b", "https://h.test/a..b"},
		{"https://h.test/?q={x}", "../..", "https://h.test/?q=..%2F.."},
		{"https://h.test/?q={x}", "", "https://h.test/?q="},
		{"https://h.test/{a/b?#%}/{x}?{a/b?#%}", "1", "https://h.test/2/1?2"},
		{"https://h.test/{x}/b", "1\x00/delete", "https://h.test/1%00%2Fdelete/b"},
		{"https://[::1]:80/{x}", "@evil.test", "https://[::1]:80/@evil.test"},
	} {
		if got, err := expanded(t, tt.template, map[string]string{"x": tt.value, "a/b?#%": "2"}); err != nil || got != tt.want {
			t.Errorf("%s with %q: %s, %v; want %s", tt.template, tt.value, got, err, tt.want)
		}
	}
}

func TestValuesDoNotLeadOutOfTheirSegment(t *testing.T) {
	for _, tt := range []struct{ template, value string }{
		{"/{x}", "."}, {"/{x}", ".."}, {"/{x}/a", ".."}, {"/{x}{x}", "."}, {"/.{x}", "."}, {"/%2e{x}", "."}, {"/{x}", "../admin"}, {"/{x}", "a/../../b"},
		{"/{x}", `..\admin`}, {"/{x}", "a/."}, {"/{x}", ""}, {"/{x}{x}", ""}, {"/a/{x}/b?c={x}", "/.."}, {"/%2e%2e%2f{x}", "a"}, {"/{x}", "a\x00/.."}, {"/{x}", "a\x00..\x00b"},
	} {
		got, err := expanded(t, "https://h.test"+tt.template, map[string]string{"x": tt.value})
		if err == nil || !strings.HasPrefix(err.Error(), "x ") {
			t.Errorf("%s with %q: %s, %v", tt.template, tt.value, got, err)
		}
	}
}

func TestTemplatesThatAreRefused(t *testing.T) {
	for text, says := range map[string]string{
		"": "must start", "h.test/": "must start", "/a": "must start", "ftp://h.test/": "must start", "https://": "must start", "https:///a": "must start", "://h": "missing protocol",
		"{x}://h.test/": "missing protocol", "https://{x}/": "{x} is part of the host", "https://{x}.test/": "{x} is part of the host", "https://h.test:{x}/": "{x} is part of the host",
		"https://h.test{x}": "{x} is part of the host", "https://{user}:{x}@h.test/": "{user} is part of the host", "https://u:p@h.test/": "user name", "https://u@h.test/": "user name",
		"https://h.test/#{x}": "no #", "https://h.test/#a": "no #", "https://h.test/?a#b": "no #", `https://h.test\{x}`: "{x} is part of the host", `https://h.test\a`: "host",
		"https://h.test/%zz": "%25", "https://h.test/%{x}": "%25", "https://h.test/?a=%4": "%25", "https://h.test:port/": "port", "https://h test/": "host", "https://h{{.test/": "host",
	} {
		if _, err := newAddress(templateOf(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}

// FuzzTemplate expands templates with hostile values: scheme, host, port and
// the number of segments are those of the template, and each value comes back
// as it was.
func FuzzTemplate(f *testing.F) {
	f.Add("https://h.test/a/{x}/b?c={y}&d=e", "../..", "&c=1#")
	f.Add("http://127.0.0.1:80/{x}{y}", ".", ".")
	f.Add("https://h.test/?{x}", "a=b", "\r\nHost: evil")
	f.Add("https://h.test/%2e%2E%2f{x}/{{}}", "%2e%2e%2f", "@evil.test:80/")
	f.Add("https://h.test/{x};a=b", `\..\`, "\x00")
	f.Fuzz(func(t *testing.T, text, x, y string) {
		made, err := newAddress(templateOf(text))
		if err != nil {
			return
		}
		const plain = "plain"
		value := func(x, y string) func(string) (string, error) {
			return func(name string) (string, error) {
				if name == "x" {
					return x, nil
				}
				return y, nil
			}
		}
		want, err := expandedURL(made, value(plain, plain))
		if err != nil {
			return // the literal text has dots
		}
		got, err := expandedURL(made, value(x, y))
		var refused *runtime.ToolError
		if errors.As(err, &refused) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		if got.Scheme != want.Scheme || got.Host != want.Host || got.User != nil || got.Fragment != "" {
			t.Fatalf("%s with %q, %q: %s", text, x, y, got)
		}
		segments, wanted := strings.Split(got.EscapedPath(), "/"), strings.Split(want.EscapedPath(), "/")
		if len(segments) != len(wanted) || strings.Count(got.RawQuery, "&") != strings.Count(want.RawQuery, "&") {
			t.Fatalf("%s with %q, %q: %s", text, x, y, got)
		}
		for i, segment := range segments {
			if segment != wanted[i] && (segment == "" || segment == "." || segment == "..") {
				t.Fatalf("%s with %q, %q: %s", text, x, y, got)
			}
		}
		line := fmt.Sprintf("GET %s HTTP/1.1", got.RequestURI())
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f }) || strings.Count(line, " ") != 2 {
			t.Fatalf("%s with %q, %q: %q", text, x, y, line)
		}
	})
}

func expandedURL(made *address, value func(string) (string, error)) (*url.URL, error) {
	text, err := made.expand(func(name string) ([]string, error) {
		text, err := value(name)
		return []string{text}, err
	})
	if err != nil {
		return nil, err
	}
	return url.Parse(text)
}
