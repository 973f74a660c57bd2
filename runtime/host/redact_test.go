package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

// TestAPanicTellsNoSecret lets a handler panic and fail with causes that hold a
// secret.
func TestAPanicTellsNoSecret(t *testing.T) {
	s := secrets{hidden: []secret{{"KEY", "s3cr3t-value"}}}
	for name, run := range map[string]runtime.Handler{
		"panic":       func(context.Context, json.RawMessage) (json.RawMessage, error) { panic("no s3cr3t-value") },
		"panic error": func(context.Context, json.RawMessage) (json.RawMessage, error) { panic(errors.New("no s3cr3t-value")) },
		"cause": func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return nil, &runtime.ToolError{Kind: runtime.ToolTimeout, Message: "no s3cr3t-value", Err: errors.New("s3cr3t-value")}
		},
		"no JSON": func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage("s3cr3t-value"), nil
		},
	} {
		c := runtime.ToolConfig{Name: "x", Description: "d", Input: json.RawMessage(`{"type":"object"}`), Execute: run}
		s.redactor().tool(&c)
		tool, err := runtime.NewTool(c)
		if err != nil {
			t.Fatal(err)
		}
		result, err := tool.Invoke(t.Context(), json.RawMessage(`{}`), 0)
		var failed *runtime.ToolError
		if !errors.As(err, &failed) {
			t.Errorf("%s: it returned %s", name, result)
			continue
		}
		if text := fmt.Sprintf("%s %v %+v", failed, failed.Err, failed); strings.Contains(text, "s3cr3t-value") || name != "no JSON" && !strings.Contains(text, "no ${KEY}") {
			t.Errorf("%s: %s", name, text)
		}
		if name == "cause" && failed.Kind != runtime.ToolTimeout {
			t.Errorf("the kind is %s", failed.Kind)
		}
	}
}
