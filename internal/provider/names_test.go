package provider_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/provider"
)

func TestName(t *testing.T) {
	long := strings.Repeat("a", 70)
	tests := []struct {
		target     provider.Target
		name, want string
	}{
		{provider.OpenAI, "get_weather-2", "get_weather-2"},
		{provider.OpenAI, "9lives", "9lives"},
		{provider.OpenAI, "files.read", "files_read"},
		{provider.OpenAI, "größe", "gr__e_cd38f49a"},
		{provider.OpenAI, "菜单", "tool_413cbfd5"},
		{provider.OpenAI, "下单", "tool_904aca53"},
		{provider.Gemini, "菜单", "tool_413cbfd5"},
		{provider.OpenAI, strings.Repeat("菜", 70), "tool_2ef88553"},
		{provider.OpenAI, "a\xffb", "a_b"},
		{provider.OpenAI, "", "_"},
		{provider.OpenAI, long[:64], long[:64]},
		{provider.OpenAI, long[:65], long[:55] + "_2dd603ec"},
		{provider.OpenAI, long[:66], long[:55] + "_b4e796f7"},
		{provider.Anthropic, "files.read", "files_read"},
		{provider.Gemini, "files.read", "files.read"},
		{provider.Gemini, "9lives", "_9lives"},
		{provider.Gemini, "-x", "_-x"},
		{provider.MCP, "files.read", "files.read"},
		{provider.MCP, "files/read", "files_read"},
		{provider.MCP, long, long},
		{provider.Plain, "any thing ü", "any thing ü"},
		{provider.Plain, "", ""},
	}
	for _, tt := range tests {
		if got := provider.Name(tt.name, tt.target); got != tt.want {
			t.Errorf("%q is %q for %s, want %q", tt.name, got, tt.target, tt.want)
		}
	}
}

func TestNames(t *testing.T) {
	names, collisions := provider.Names([]string{"a.b", "c", "a_b", "a/b", "c"}, provider.OpenAI)
	if d := cmp.Diff([]string{"a_b", "c", "a_b", "a_b", "c"}, names); d != "" {
		t.Error(d)
	}
	var got []string
	for _, c := range collisions {
		got = append(got, c.Error())
	}
	want := []string{
		`the tools "a.b" and "a_b" would both be "a_b" for OpenAI; rename one of them`,
		`the tools "a.b" and "a/b" would both be "a_b" for OpenAI; rename one of them`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestEachProviderHasATarget(t *testing.T) {
	strict := [2]provider.Target{provider.OpenAI, provider.OpenAIStrict}
	loose := [2]provider.Target{provider.OpenAI, provider.OpenAI}
	want := map[string][2]provider.Target{
		"OpenAI": strict, "Azure": strict, "unknown": strict,
		"Anthropic": {provider.Anthropic, provider.AnthropicStrict},
		"Google":    {provider.Gemini, provider.Gemini},
	}
	for _, name := range append(models.Builtin().Names(), "unknown") {
		expected, ok := want[name]
		if !ok {
			expected = loose
		}
		if got := [2]provider.Target{provider.TargetNamed(name, false), provider.TargetNamed(name, true)}; got != expected {
			t.Errorf("%s has %v, want %v", name, got, expected)
		}
	}
}

func TestTargets(t *testing.T) {
	for _, to := range provider.AllTargets() {
		if to.Title() == "" {
			t.Errorf("%s has no title", to)
		}
		long := to == provider.OpenAI || to == provider.OpenAIStrict
		if problems := provider.CheckTargetDescription(strings.Repeat("é", 1025), to); (len(problems) > 0) != long {
			t.Errorf("%s: %v", to, problems)
		}
		if problems := provider.CheckTargetDescription(strings.Repeat("é", 1024), to); len(problems) > 0 {
			t.Errorf("%s: %v", to, problems)
		}
	}
}
