package server

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/golden"
)

// node runs a script of testdata/npm, whose packages .ci/run installs.
func node(t *testing.T, script string, args ...string) string {
	t.Helper()
	golden.Needs(t, "node")
	if _, err := os.Stat(filepath.Join("testdata", "npm", "node_modules", "openai")); err != nil {
		golden.Missing(t, "npm", err)
	}
	cmd := exec.CommandContext(t.Context(), "node", append([]string{script}, args...)...)
	cmd.Dir = filepath.Join("testdata", "npm")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestTheOpenAIPackageOfNpm(t *testing.T) {
	got := node(t, "openai.mjs", start(t, nil), secret)
	want := `["echo","shape"]
"I call it.\n\nThe result is 3"
["I call it.\n\nThe result is 3",20]
["RateLimitError",429,"rate_limit_exceeded"]
["APIError","restarted"]
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestCurl(t *testing.T) {
	golden.Needs(t, "curl")
	address := start(t, nil)
	out, err := exec.CommandContext(t.Context(), "curl", "-sN", "--max-time", "60", "-H", "Authorization: "+bearer, "-d",
		`{"model":"echo","stream":true,"messages":[{"role":"user","content":"call add"}]}`, address+"/v1/chat/completions").CombinedOutput()
	text := string(out)
	if err != nil || !strings.Contains(text, `"content":"result "`) || !strings.HasSuffix(text, "data: [DONE]\n\n") {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestNoTextOfAModelStopsThePage shows texts that took minutes. The bound is no measurement.
func TestNoTextOfAModelStopsThePage(t *testing.T) {
	golden.Needs(t, "node")
	ctx, stop := context.WithTimeout(t.Context(), 40*time.Second)
	defer stop()
	if out, err := exec.CommandContext(ctx, "node", "testdata/markdown.mjs", "page/markdown.js").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestThePageInABrowser has a conversation in Chromium. With GRAMC_SCREENSHOTS the
// screenshots go to that folder.
func TestThePageInABrowser(t *testing.T) {
	golden.Needs(t, "chromium")
	folder := os.Getenv("GRAMC_SCREENSHOTS")
	if folder == "" {
		folder = t.TempDir()
	}
	if wrong := node(t, "page.mjs", start(t, nil), secret, folder); wrong != "" {
		t.Error(wrong)
	}
}
