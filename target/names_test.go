package target_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/target"
)

func TestName(t *testing.T) {
	long := strings.Repeat("a", 70)
	tests := []struct {
		target     target.Target
		name, want string
	}{
		{target.OpenAI, "get_weather-2", "get_weather-2"},
		{target.OpenAI, "9lives", "9lives"},
		{target.OpenAI, "files.read", "files_read"},
		{target.OpenAI, "größe", "gr__e"},
		{target.OpenAI, "a\xffb", "a_b"},
		{target.OpenAI, "", "_"},
		{target.OpenAI, long[:64], long[:64]},
		{target.OpenAI, long[:65], long[:55] + "_2dd603ec"},
		{target.OpenAI, long[:66], long[:55] + "_b4e796f7"},
		{target.Anthropic, "files.read", "files_read"},
		{target.Gemini, "files.read", "files.read"},
		{target.Gemini, "9lives", "_9lives"},
		{target.Gemini, "-x", "_-x"},
		{target.MCP, "files.read", "files.read"},
		{target.MCP, "files/read", "files_read"},
		{target.MCP, long, long},
		{target.Plain, "any thing ü", "any thing ü"},
		{target.Plain, "", ""},
	}
	for _, tt := range tests {
		if got := target.Name(tt.name, tt.target); got != tt.want {
			t.Errorf("%q is %q for %s, want %q", tt.name, got, tt.target, tt.want)
		}
	}
}

func TestNames(t *testing.T) {
	names, collisions := target.Names([]string{"a.b", "c", "a_b", "a/b", "c"}, target.OpenAI)
	if d := cmp.Diff([]string{"a_b", "c", "a_b", "a_b", "c"}, names); d != "" {
		t.Error(d)
	}
	var told []string
	for _, c := range collisions {
		told = append(told, c.Error())
	}
	want := []string{
		`the tools "a.b" and "a_b" would both be "a_b" for OpenAI; rename one of them`,
		`the tools "a.b" and "a/b" would both be "a_b" for OpenAI; rename one of them`,
	}
	if d := cmp.Diff(want, told); d != "" {
		t.Error(d)
	}
}

func TestEachProviderHasATarget(t *testing.T) {
	for provider, want := range map[string][2]target.Target{
		"OpenAI":    {target.OpenAI, target.OpenAIStrict},
		"Anthropic": {target.Anthropic, target.Anthropic},
		"Google":    {target.Gemini, target.Gemini},
	} {
		if got := [2]target.Target{target.Of(provider, false), target.Of(provider, true)}; got != want {
			t.Errorf("%s has %v, want %v", provider, got, want)
		}
	}
}

func TestTargets(t *testing.T) {
	for _, to := range target.All() {
		if to.Title() == "" {
			t.Errorf("%s has no title", to)
		}
		long := to == target.OpenAI || to == target.OpenAIStrict
		if problems := target.CheckDescription(strings.Repeat("é", 1025), to); (len(problems) > 0) != long {
			t.Errorf("%s: %v", to, problems)
		}
		if problems := target.CheckDescription(strings.Repeat("é", 1024), to); len(problems) > 0 {
			t.Errorf("%s: %v", to, problems)
		}
	}
}
