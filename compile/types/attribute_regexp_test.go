package types

import "testing"

func TestRegexpsThatJavaScriptReadsDifferently(t *testing.T) {
	fine := []string{`\d+`, `\p{L}`, `\P{Lu}`, `a\/b`, `\x41`, `[a&&b]`, `\\A`, `(?<n>a)`, `(?:a|b)*?c`, `[\w\-]`, `é`, `^$`, `a{1000}`, ``, `[(?i]`, `\[:alpha:]`}
	for _, p := range fine {
		if at, n := foreignRegexpPart(p); n > 0 {
			t.Errorf("%s: %s is refused", p, p[at:at+n])
		}
	}
	for p, want := range map[string]string{
		`\Aa`: `\A`, `a\z`: `\z`, `\pL`: `\pL`, `\p{Greek}`: `\p{Greek}`, `\p{^L}`: `\p{^L}`, `\x{41}`: `\x{41}`, `\Qa\E`: `\Q`, `\07`: `\0`,
		`a(?i)b`: `(?i`, `(?P<n>a)`: `(?P`, `[[:alpha:]]`: `[:`, `[^[:alpha:]]`: `[:`, `[]a]`: `[]`, `[^]a]`: `[^]`, `\\\A`: `\A`,
	} {
		at, n := foreignRegexpPart(p)
		if got := p[at : at+n]; got != want {
			t.Errorf("%s: %q is refused, not %q", p, got, want)
		}
	}
}
