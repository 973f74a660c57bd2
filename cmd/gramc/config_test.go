package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDotenvIsReadAsOneExpects(t *testing.T) {
	got := parseDotenv("\ufeff# comment\r\n\n" +
		"A=plain\r\n" +
		"  export B = spaces around  \n" +
		"export\tC='as $it \\n is' # comment\n" +
		`D="one\ntwo \"three\" # four"` + "\n" +
		"E=a#b # comment\n" +
		"F=\n" +
		"G= # comment\n" +
		"H_1.x-y=1\n" +
		"exported=1\n" +
		"A=again")
	want := map[string]string{
		"A": "again", "B": "spaces around", "C": `as $it \n is`, "D": "one\ntwo \"three\" # four",
		"E": "a#b", "F": "", "G": "", "H_1.x-y": "1", "exported": "1",
	}
	if diff := cmp.Diff(want, got.values); diff != "" || got.faults != nil {
		t.Errorf("faults %q\n%s", got.faults, diff)
	}
}

func TestDotenvTellsTheLineOfAMistakeButNotWhatItSays(t *testing.T) {
	got := parseDotenv("OK=1\nhunter2\n=hunter2\n2FAST=hunter2\nA B=hunter2\nC='hunter2\nD=\"hunter2\" hunter2\n")
	want := []string{
		"line 2: a line is KEY=value",
		"line 3: a line is KEY=value",
		"line 4: a line is KEY=value",
		"line 5: a line is KEY=value",
		"line 6: C: the quote is not closed on its line",
		"line 7: D: something follows the closing quote",
	}
	if diff := cmp.Diff(want, got.faults); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"OK": "1"}, got.values); diff != "" {
		t.Error(diff)
	}
}

func TestAKeyGoesOnlyWhereItsOwnerSends(t *testing.T) {
	const stranger, local = "http://example.test/v1", "http://127.0.0.1:1/v1"
	env := func(pairs ...string) map[string]string {
		m := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return m
	}
	tests := []struct {
		name      string
		env, file map[string]string
		flag      string
		want      string // the base URL, "refused" when there is none
	}{
		{"both in the environment", env("OPENAI_API_KEY", "k", "OPENAI_BASE_URL", stranger), nil, "", stranger},
		{"both in the file", nil, env("OPENAI_API_KEY", "k", "OPENAI_BASE_URL", stranger), "", stranger},
		{"key in the environment, URL in the file", env("OPENAI_API_KEY", "k"), env("OPENAI_BASE_URL", stranger), "", "refused"},
		{"the same for this machine", env("OPENAI_API_KEY", "k"), env("OPENAI_BASE_URL", local), "", "refused"},
		{"the same for the provider", env("OPENAI_API_KEY", "k"), env("OPENAI_BASE_URL", "https://api.openai.com/v1/"), "", "https://api.openai.com/v1/"},
		{"the same for a name like the provider's", env("OPENAI_API_KEY", "k"), env("OPENAI_BASE_URL", "https://api.openai.com.example.test/v1"), "", "refused"},
		{"the same with a flag", env("OPENAI_API_KEY", "k"), env("OPENAI_BASE_URL", stranger), local, local},
		{"the same for a provider with two", env("GOOGLE_API_KEY", "k"), env("GOOGLE_BASE_URL", "https://generativelanguage.googleapis.com/v1beta"), "", "https://generativelanguage.googleapis.com/v1beta"},
		{"the same for its chat completions", env("GEMINI_API_KEY", "k"), env("GOOGLE_BASE_URL", "https://generativelanguage.googleapis.com/v1beta/openai"), "", "https://generativelanguage.googleapis.com/v1beta/openai"},
		{"another provider's URL", env("OPENAI_API_KEY", "k", "GOOGLE_BASE_URL", stranger), nil, "", ""},
	}
	for _, test := range tests {
		provider := "OpenAI"
		if test.env["OPENAI_API_KEY"] == "" && test.file["OPENAI_API_KEY"] == "" {
			provider = "Google"
		}
		if got, key := baseURLOf(test.env, test.file, provider, test.flag); got != test.want || key != "k" {
			t.Errorf("%s: base URL %q, want %q", test.name, got, test.want)
		}
	}
	// A provider without keys gets the conversation all the same.
	for base, want := range map[string]string{
		stranger: "refused", local: local, "http://localhost:1/v1": "http://localhost:1/v1", "http://[::1]:1/v1": "http://[::1]:1/v1",
		"http://localhost.example.test/v1": "refused", "http://127.0.0.1.example.test/v1": "refused", "http://2130706433/v1": "refused",
	} {
		if got, _ := baseURLOf(nil, env("OLLAMA_BASE_URL", base), "Ollama", ""); got != want {
			t.Errorf("%s in .env: base URL %q, want %q", base, got, want)
		}
		if got, _ := baseURLOf(env("OLLAMA_BASE_URL", base), nil, "Ollama", ""); got != base {
			t.Errorf("%s in the environment: base URL %q", base, got)
		}
	}
}

// baseURLOf returns the base URL and the key for a provider, with variables of the
// environment and of a file .env.
func baseURLOf(env, file map[string]string, provider, flag string) (base, key string) {
	c := &config{
		lookup: func(v string) (string, bool) { value, ok := env[v]; return value, ok },
		file:   dotenv{values: file},
	}
	o, err := c.modelOptions(nil, provider, flag)
	if err != nil {
		return "refused", o.APIKey
	}
	return o.BaseURL, o.APIKey
}
