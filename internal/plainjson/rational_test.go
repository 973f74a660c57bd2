package plainjson

import "testing"

func TestNumbersAreReadExactlyAndWithinLimits(t *testing.T) {
	for text, want := range map[string]string{
		"1":                      "1",
		"-0.10":                  "-1/10",
		"1e3":                    "1000",
		"5E-1":                   "1/2",
		"1e+9":                   "1000000000",
		"9007199254740993":       "9007199254740993",
		"1e10":                   "", // the exponent is limited to 9
		"1e-10":                  "",
		"1e99999999999999999999": "",
		"123456789012345678901":  "", // the length to 20
		"":                       "",
		"x":                      "",
		"1e":                     "",
	} {
		got := ""
		if r := Rational(text, 20, 9); r != nil {
			got = r.RatString()
		}
		if got != want {
			t.Errorf("%s is read as %q, want %q", text, got, want)
		}
	}
}
