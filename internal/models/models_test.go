package models_test

import (
	"math"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/models"
)

func TestEveryRowIsWhole(t *testing.T) {
	names := map[string]bool{}
	for _, p := range models.Builtin().Providers() {
		if names[p.Name] || p.Name == "" {
			t.Errorf("%q stands twice, or has no name", p.Name)
		}
		names[p.Name] = true
		checkSource(t, p.Name, p.Source, p.Date)
		for _, address := range []string{p.Address, p.ChatAddress} {
			if u, err := url.Parse(address); err != nil || address != "" && (u.Scheme != "https" && u.Hostname() != "127.0.0.1" || u.Host == "") {
				t.Errorf("%s: %s is no address", p.Name, address)
			}
		}
		if p.Address == "" && p.Name != "Azure" {
			t.Errorf("%s has no address", p.Name)
		}
		if !regexp.MustCompile(`^[A-Z_]+_BASE_URL$`).MatchString(p.AddressVariable) {
			t.Errorf("%s: the variable %s", p.Name, p.AddressVariable)
		}
		if p.IsLocal() != (p.Address != "" && p.Address[:7] == "http://") {
			t.Errorf("%s: keys %v at %s", p.Name, p.Keys, p.Address)
		}
		ids := map[string]bool{}
		for _, m := range p.Models {
			for _, id := range append(m.Aliases, m.ID) {
				if ids[id] || id == "" {
					t.Errorf("%s: the id %q stands twice, or is empty", p.Name, id)
				}
				ids[id] = true
				if p.Makes != nil && !p.Has(id) {
					t.Errorf("%s: %s begins like no model that it makes", p.Name, id)
				}
			}
			checkModel(t, p.Name+"/"+m.ID, &m)
			if m.Successor != "" {
				if _, ok := p.Model(m.Successor); !ok {
					t.Errorf("%s/%s: the successor %s has no row", p.Name, m.ID, m.Successor)
				}
			}
		}
	}
}

func checkModel(t *testing.T, name string, m *models.Model) {
	t.Helper()
	checkSource(t, name, m.Source, m.Date)
	if strings.HasPrefix(m.Source, "https://github.com/") && !regexp.MustCompile(`/blob/[0-9a-f]{40}/`).MatchString(m.Source) {
		t.Errorf("%s: the source %s names no commit", name, m.Source)
	}
	if m.Context < 0 || m.Output < 0 || m.Input < 0 || m.Context > 0 && (m.Output > m.Context || m.Input > m.Context) {
		t.Errorf("%s: %d tokens, %d in, %d out", name, m.Context, m.Input, m.Output)
	}
	if (m.Retired != "" || m.Successor != "") && !m.Deprecated {
		t.Errorf("%s has an end, and is not deprecated", name)
	}
	for p := m.Prices; p != nil; p = p.Long {
		if p.CacheRead > p.Input || p.Output < p.Input || p.CacheWrite != 0 && p.CacheWrite < p.CacheRead || (p.Above > 0) != (p.Long != nil) {
			t.Errorf("%s: the prices %+v", name, p)
		}
	}
}

func checkSource(t *testing.T, name, source, date string) {
	t.Helper()
	if u, err := url.Parse(source); err != nil || u.Scheme != "https" || u.Host == "" {
		t.Errorf("%s: the source %q", name, source)
	}
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

func TestNamesOfProvidersInAnySpelling(t *testing.T) {
	for name, want := range map[string]string{
		"OpenAI": "OpenAI", "openai": "OpenAI", "open_ai": "OpenAI", "OPEN-AI": "OpenAI", "gemini": "Google", "LM Studio": "LMStudio",
		"lm-studio": "LMStudio", "x-ai": "xAI", "llama.cpp": "llama.cpp", "LlamaCpp": "llama.cpp", "mistralai": "Mistral", "OpenIA": "", "": "",
	} {
		got := ""
		if p, ok := models.Builtin().ProviderNamed(name); ok {
			got = p.Name
		}
		if got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestLookups(t *testing.T) {
	var none *models.Table
	m, ok := none.Model("OpenAI", "gpt-4o-2024-08-06")
	if !ok || m.ID != "gpt-4o" || !m.Is("gpt-4o-2024-11-20") || m.Is("gpt-4") {
		t.Errorf("the alias is %v %v", m, ok)
	}
	if _, ok := none.Model("OpenAI", "gpt-4o-mni"); ok {
		t.Error("a misspelt id is found")
	}
	if _, ok := none.Model("Nobody", "gpt-4o"); ok {
		t.Error("an unknown provider has models")
	}
	if p, ok := none.MakerOf("claude-99"); !ok || p.Name != "Anthropic" {
		t.Errorf("claude-99 is made by %v", p)
	}
	if p, ok := none.ServerOf("llama3.2:3b"); !ok || p.Name != "Ollama" {
		t.Errorf("llama3.2:3b is served by %v", p)
	}
}

func TestWithAddsAndReplaces(t *testing.T) {
	before, _ := models.Builtin().Model("OpenAI", "gpt-4o")
	table := models.Builtin().With(
		models.Provider{Name: "Work", Dialect: models.Chat, Address: "https://models.example.test/v1"},
		models.Provider{Name: "openai", Address: "https://evil.example.test", Models: []models.Model{{ID: "gpt-4o", Context: 7}, {ID: "new", Context: 8}}},
	)
	if p, ok := table.Provider("Work"); !ok || p.Address != "https://models.example.test/v1" {
		t.Errorf("Work is %v", p)
	}
	p, _ := table.Provider("OpenAI")
	if p.Address != "https://api.openai.com/v1" {
		t.Errorf("OpenAI is at %s", p.Address)
	}
	for id, context := range map[string]int{"gpt-4o": 7, "new": 8, "gpt-4o-mini": 128_000} {
		if m, ok := p.Model(id); !ok || m.Context != context {
			t.Errorf("%s is %v", id, m)
		}
	}
	if after, _ := models.Builtin().Model("OpenAI", "gpt-4o"); after != before || after.Context != 128_000 {
		t.Error("the built-in table is changed")
	}
}

func TestCost(t *testing.T) {
	p := &models.Prices{Input: 2 * models.PerMillion, CacheRead: 0.5 * models.PerMillion, Output: 8 * models.PerMillion, Above: 200_000,
		Long: &models.Prices{Input: 4 * models.PerMillion, Output: 12 * models.PerMillion}}
	for _, tt := range []struct {
		tokens models.Tokens
		want   string
	}{
		{models.Tokens{}, "$0.00"},
		{models.Tokens{Input: 1000, Output: 100}, "$0.0028"},
		{models.Tokens{Input: 1000, CacheRead: 600, CacheWrite: 400, Output: 100}, "$0.0019"},
		{models.Tokens{Input: 1000, CacheRead: 5000, CacheWrite: 5000}, "$0.0005"},
		{models.Tokens{Input: 200_000}, "$0.40"},
		{models.Tokens{Input: 200_001, CacheRead: 200_001}, "$0.800004"},
		{models.Tokens{Input: -5, Output: -5}, "$0.00"},
		{models.Tokens{Output: math.MaxInt}, models.Money(math.MaxInt64).String()},
	} {
		if got := p.Cost(tt.tokens).String(); got != tt.want {
			t.Errorf("%+v cost %s, want %s", tt.tokens, got, tt.want)
		}
	}
	if got := p.Input.OfMillion(); got != "$2.00" {
		t.Errorf("a million cost %s", got)
	}
}

func TestMeantIsSparing(t *testing.T) {
	for id, want := range map[string]string{
		"OpenAI gpt-4o-mni": "gpt-4o-mini", "OpenAI gpt4": "gpt-4", "OpenAI GPT-4O": "gpt-4o", "OpenAI gtp-4o": "gpt-4o", "OpenAI gpt-5.6-soll": "gpt-5.6-sol",
		"Anthropic claude-4-5-sonnet": "claude-sonnet-4-5", "Anthropic claude-sonnet-4.5": "claude-sonnet-4-5", "Anthropic claude_opus_5": "claude-opus-5",
		"Google gemini-3.8-flsh": "gemini-3.8-flash", "Groq openai/gpt-oss-120": "",
		// Other versions, sizes and kinds are other models.
		"OpenAI gpt-4o-mini-tts": "", "OpenAI gpt-7": "", "OpenAI gpt-6.3-sol": "", "OpenAI gpt-4s": "", "OpenAI o5-mini": "", "OpenAI gpt-6-sola-x": "",
		"Anthropic claude-opus-5-6": "", "Anthropic claude-sonnet-4": "", "Anthropic claude-haiku-4-5-20260101": "", "OpenAI m": "", "OpenAI ft:gpt-4o:a::b": "",
		"OpenAI gpt-5.4-max": "", "Mistral mistral-large-2612": "", "Ollama llama3.2": "", "OpenAI ": "",
	} {
		provider, id, _ := strings.Cut(id, " ")
		p, ok := models.Builtin().Provider(provider)
		if !ok {
			t.Fatal(provider)
		}
		if got := p.Meant(id); got != want {
			t.Errorf("%s/%s is taken for %q, want %q", provider, id, got, want)
		}
	}
}

func TestTokensAtLeast(t *testing.T) {
	for text, want := range map[string]int{"": 0, "one two three": 0, "one two three four": 1, "a,b,c,d,e,f,g,h": 2, "12 34 !? \n": 0, "äöü éèê ñ øåæ": 1} {
		if got := models.TokensAtLeast(text); got != want {
			t.Errorf("%q has at least %d tokens, want %d", text, got, want)
		}
	}
	text := strings.Repeat("a ", 50_000)
	if n := models.TokensAtLeast(text); models.CanExceed(len(text), n) || !models.CanExceed(len(text), n-1) {
		t.Errorf("%d bytes have %d tokens", len(text), n)
	}
}

// BenchmarkMeant looks for the model that was meant by an id that is none.
func BenchmarkMeant(b *testing.B) {
	p, _ := models.Builtin().Provider("OpenAI")
	for b.Loop() {
		if p.Meant("gpt-99-enormous-preview") != "" {
			b.Fatal("it is known")
		}
	}
}

// BenchmarkModel looks a model up.
func BenchmarkModel(b *testing.B) {
	for b.Loop() {
		if _, ok := models.Builtin().Model("OpenAI", "o1-pro"); !ok {
			b.Fatal("it is unknown")
		}
	}
}
