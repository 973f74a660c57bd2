package modelhttp

import (
	"fmt"
	"testing"
)

// Only a request that no model would take is refused for good.
func TestWhichErrorsRefuseTheRequest(t *testing.T) {
	for _, tt := range []struct {
		status  int
		message string
		want    bool
	}{
		{400, "messages: text content blocks must be non-empty", true},
		{400, "max_tokens: 200000 > 64000", true},
		{422, "tools.0.function.parameters is no schema", true},
		{400, "model `x` does not support image input", false},
		{400, "Unsupported parameter: 'temperature'", false},
		{400, "Invalid model: devstral", false},
		{400, "Your credit balance is too low", false},
		{404, "not found", false},
		{429, "too many requests", false},
		{500, "internal error", false},
	} {
		c := &Client{}
		f := c.apiFault(tt.status, readAPIError(fmt.Appendf(nil, `{"error":{"message":%q}}`, tt.message)), nil)
		if f.refused != tt.want {
			t.Errorf("%d %s: refused is %t", tt.status, tt.message, f.refused)
		}
	}
	if f := (&Client{}).apiFault(400, apiError{text: "prompt is too long"}, nil); f.refused {
		t.Error("a model with a larger context may take what is too long")
	}
}
