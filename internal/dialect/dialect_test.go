package dialect

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/openai"
)

func TestTheAddressDecidesWhatIsSpoken(t *testing.T) {
	path := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path = r.URL.Path
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"content":[{"type":"text","text":"a"}],"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],"choices":[{"message":{"role":"assistant","content":"a"}}]}`)
	}))
	defer s.Close()
	for _, test := range []struct {
		provider, base string
		functions      bool
		want           string
	}{
		{"OpenAI", "/v1", false, "/v1/chat/completions"},
		{"Google", "", false, "/v1beta/models/gemini-2.5-flash:generateContent"},
		{"Google", "/", false, "/v1beta/models/gemini-2.5-flash:generateContent"},
		{"Google", "/v1", false, "/v1/models/gemini-2.5-flash:generateContent"},
		{"Google", "/v1beta/openai", false, "/v1beta/openai/chat/completions"},
		{"Google", "/v1beta/openai/", false, "/v1beta/openai/chat/completions"},
		{"Google", "/v1", true, "/v1/chat/completions"},
		{"Anthropic", "", false, "/v1/messages"},
		{"Anthropic", "/v1/", false, "/v1/messages"},
		{"Anthropic", "/v1/openai", false, "/v1/openai/chat/completions"},
		{"Anthropic", "/v1", true, "/v1/chat/completions"},
	} {
		m, err := New(openai.Options{Provider: test.provider, BaseURL: s.URL + test.base, APIKey: "key", Functions: test.functions})
		if err == nil {
			_, err = m.Generate(t.Context(), &runtime.Request{Model: "gemini-2.5-flash", Messages: []runtime.Message{runtime.UserMessage("hi")}})
		}
		if err != nil || path != test.want {
			t.Errorf("%+v: %s, %v", test, path, err)
		}
	}
	if p, _ := models.Builtin().Provider("Google"); isChat(p.Address) || !isChat(p.ChatBase()) {
		t.Errorf("the table has %s and %s", p.Address, p.ChatBase())
	}
	for _, provider := range []string{"Google", "Anthropic", "OpenAI", "Acme"} {
		if m, err := New(openai.Options{Provider: provider}); m != nil || err == nil {
			t.Errorf("%s without a key: %v, %v", provider, m, err)
		}
	}
}
