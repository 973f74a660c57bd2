package mcp_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/mcp"
)

// counted returns a server that writes a line to a file whenever it starts, and how
// many lines there are.
func counted(t *testing.T, role string) (c mcp.Server, starts func() int) {
	c = server(t, role)
	file := filepath.Join(t.TempDir(), "starts")
	c.Env = append(c.Env, "STARTS="+file)
	return c, func() int {
		text, _ := os.ReadFile(file)
		return len(text)
	}
}

func TestABrokenConnectionIsReplacedOnce(t *testing.T) {
	c, starts := counted(t, "fine")
	restarted := 0
	c.Restarted = func(error) { restarted++ }
	echo := named(t, connect(t, c), "echo").Tool
	const died = `execution: MCP server "fake": it ended with exit code 9: panic: out of memory`
	const unknown = "; whether the call had an effect is unknown"
	if got := invoke(t.Context(), echo, `{"z":"dies"}`); got != died+unknown {
		t.Errorf("got %s", got)
	}
	var calls sync.WaitGroup
	for range 8 { // share one new process
		calls.Go(func() {
			if got := invoke(t.Context(), echo, `{}`); got != `"{}"` {
				t.Errorf("got %s", got)
			}
		})
	}
	calls.Wait()
	if starts() != 2 || restarted != 1 {
		t.Errorf("it started %d times, and that was reported %d times", starts(), restarted)
	}
	// It works between, so it may be replaced again; but not after a call that only broke it.
	for i, want := range []string{died + unknown, died + unknown, died, died} {
		if got := invoke(t.Context(), echo, `{"z":"dies"}`); got != want {
			t.Errorf("call %d got %s", i, got)
		}
	}
	if starts() != 3 {
		t.Errorf("it started %d times", starts())
	}
}

func TestOnlyARepeatableCallIsMadeAgain(t *testing.T) {
	for role, want := range map[string]string{
		"dies-once":            `execution: MCP server "fake": it ended with exit code 9; whether the call had an effect is unknown`,
		"dies-once,idempotent": `"{\"z\":\"x\"}"`,
		"dies-once,readOnly":   `"{\"z\":\"x\"}"`,
	} {
		c, _ := counted(t, role)
		if got := invoke(t.Context(), named(t, connect(t, c), "echo").Tool, `{"z":"x"}`); got != want {
			t.Errorf("%s: got %s", role, got)
		}
	}
}

func TestACallIsMadeAgainIfWhoBoundTheToolSaysSo(t *testing.T) {
	const failed = `execution: MCP server "fake": it ended with exit code 9; whether the call had an effect is unknown`
	keyed := runtime.WithCallKey(t.Context(), "r/1/c")
	for _, tt := range []struct {
		role   string
		ctx    context.Context
		repeat runtime.Repeat
		want   string
	}{
		{"dies-once", t.Context(), runtime.RepeatSafe, `"{}"`},
		{"dies-once,idempotent", t.Context(), runtime.RepeatOnce, failed},
		{"dies-once", t.Context(), runtime.RepeatKeyed, failed},
		{"dies-once", keyed, runtime.RepeatKeyed, `"{}"`},
	} {
		c, _ := counted(t, tt.role)
		echo := named(t, connect(t, c), "echo").Tool
		lib, err := runtime.Library{}.Add("echo", echo)
		if err != nil {
			t.Fatal(err)
		}
		bound, err := lib.Bind([]runtime.Contract{{Name: "echo", Description: echo.Description(), Input: echo.Input(), Repeat: tt.repeat}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := invoke(tt.ctx, bound[0].Tool, "{}"); got != tt.want {
			t.Errorf("%s, %s: got %s", tt.role, tt.repeat, got)
		}
	}
}

func TestTheCallKeyIsInTheMeta(t *testing.T) {
	echo := named(t, connect(t, server(t, "meta")), "echo").Tool
	for key, want := range map[string]string{"": `""`, "run/3/call_1": `"{\"io.github.gram-lang/idempotency-key\":\"run/3/call_1\"}"`} {
		ctx := t.Context()
		if key != "" {
			ctx = runtime.WithCallKey(ctx, key)
		}
		if got := invoke(ctx, echo, `{"z":"meta"}`); got != want {
			t.Errorf("%q: got %s", key, got)
		}
	}
}

func TestOnlyATimeoutOfARepeatableCallHasNoUnknownEffect(t *testing.T) {
	for role, want := range map[string]string{"annotated,destructive": runtime.UnknownEffect, "annotated,idempotent": "", "annotated,readOnly": ""} {
		echo := named(t, connect(t, server(t, role)), "echo").Tool
		if _, err := echo.Invoke(t.Context(), []byte(`{"z":"hangs"}`), 300*time.Millisecond); err == nil || err.Error() != "timed out after 300ms"+want {
			t.Errorf("%s: got %v", role, err)
		}
	}
}

func TestAServerThatAnswersWithOtherThanMessagesIsReplacedOnce(t *testing.T) {
	for _, fault := range []string{"batch", "null-id", "null-event"} {
		sessions := 0
		c := httpFake(t, "", func(r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			if bytes.Contains(body, []byte(`"initialize"`)) {
				sessions++
			}
		})
		echo := named(t, connect(t, c), "echo").Tool
		for i := range 4 {
			got := invoke(t.Context(), echo, `{"z":`+quote(fault)+`}`)
			if !strings.Contains(got, "failed to decode") || strings.HasSuffix(got, runtime.UnknownEffect) != (i < 2) {
				t.Errorf("%s: call %d got %s", fault, i, got)
			}
		}
		if sessions != 2 {
			t.Errorf("%s: there were %d sessions", fault, sessions)
		}
	}
}

func TestAServerThatOffersOtherToolsIsNotUsed(t *testing.T) {
	c, _ := counted(t, "changes-list")
	echo := named(t, connect(t, c), "echo").Tool
	_ = invoke(t.Context(), echo, `{"z":"dies"}`)
	for range 2 {
		if got := invoke(t.Context(), echo, `{}`); got != `execution: MCP server "fake": its list of tools changed when it was started again` {
			t.Errorf("got %s", got)
		}
	}
}

func TestASessionThatTheServerForgotIsReplaced(t *testing.T) {
	sessions := 0
	c := httpFake(t, "forgets", func(r *http.Request) {
		if r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "" {
			sessions++
		}
	})
	echo := named(t, connect(t, c), "echo").Tool
	for range 3 {
		if got := invoke(t.Context(), echo, `{}`); got != `"fine"` {
			t.Errorf("got %s", got)
		}
	}
	if sessions != 3 {
		t.Errorf("there were %d sessions", sessions)
	}
}

func TestAServiceThatFailsIsAskedAgain(t *testing.T) {
	echo := named(t, connect(t, httpFake(t, "", nil)), "echo").Tool
	for _, fault := range []string{"fails", "fails", "cut", "cut", "fine"} {
		got := invoke(t.Context(), echo, `{"z":`+quote(fault)+`}`)
		if isUnknown := strings.HasSuffix(got, "; whether the call had an effect is unknown"); isUnknown != (fault == "cut") || (got == `"fine"`) != (fault == "fine") {
			t.Errorf("%s: got %s", fault, got)
		}
	}
}

func TestTheAnswerOfAnotherRequestIsNotTaken(t *testing.T) {
	s := connect(t, httpFake(t, "", nil))
	echo := named(t, s, "echo").Tool
	if got := invoke(t.Context(), echo, `{"z":"others-first"}`); got != `{"right":true}` {
		t.Errorf("got %s", got)
	}
}

func TestTheServerIsToldItsVersion(t *testing.T) {
	versions := map[string]bool{}
	var mu sync.Mutex
	c := httpFake(t, "", func(r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		versions[r.Header.Get("Mcp-Protocol-Version")] = true
	})
	_ = invoke(t.Context(), named(t, connect(t, c), "echo").Tool, `{}`)
	mu.Lock()
	defer mu.Unlock()
	if got := fmt.Sprint(versions); !strings.Contains(got, "2025-11-25:true") || len(versions) > 2 {
		t.Errorf("got %s", got)
	}
}
