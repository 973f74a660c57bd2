package durable_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// stuckEnv is the folder of the journal in which a process runs what ends only when it is stopped.
const stuckEnv = "GRAMC_DURABLE_STUCK"

// stuck makes a run whose call, or whose request, lasts until the run is cancelled.
func stuck(folder, in string) error {
	j, err := journal.Open(folder, nil)
	if err != nil {
		return err
	}
	defer j.Close()
	ctx := context.Background()
	run, err := durable.Begin(ctx, j, &journal.Run{ID: in}, nil, &durable.Start{Message: runtime.UserMessage("hello")}, nil)
	if err != nil {
		return err
	}
	bound, err := bindStuck(in, run.Options(nil))
	if err != nil {
		return err
	}
	_, err = last(ctx, run, bound)
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("the run ended with %w", err)
	}
	return nil
}

// A stuckModel calls a tool, or does not respond.
type stuckModel struct{ in string }

func (stuckModel) Name() string { return "stuck" }

func (m stuckModel) Generate(ctx context.Context, _ *runtime.Request) (*runtime.Response, error) {
	if m.in == "call" {
		return &runtime.Response{Calls: []runtime.Call{{ID: "c", Name: "t", Args: json.RawMessage(`{}`)}}}, nil
	}
	return nil, waitForEnd(ctx)
}

// waitForEnd says that it waits.
func waitForEnd(ctx context.Context) error {
	fmt.Println("in flight")
	<-ctx.Done()
	return ctx.Err()
}

func bindStuck(in string, o *interp.Options) (*interp.Bound, error) {
	tool, err := runtime.NewTool(runtime.ToolConfig{Name: "t", Adopt: true, Timeout: time.Hour, Execute: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		return nil, waitForEnd(ctx)
	}})
	if err != nil {
		return nil, err
	}
	lib, err := runtime.Library{}.Add("t", tool)
	if err != nil {
		return nil, err
	}
	a := &interp.Agent{Name: "a", Instruction: "i", Tools: []runtime.Contract{{Name: "t", Description: "d", Input: json.RawMessage(`{"type":"object"}`)}}}
	a.Model.ID = "m"
	return interp.Bind(a, lib, stuckModel{in}, o)
}

// A run is cancelled by another process than the one that runs it, in the middle of a step.
func TestCancelledByAnotherProcess(t *testing.T) {
	for _, in := range []string{"request", "call"} {
		folder := filepath.Join(t.TempDir(), "state")
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), stuckEnv+"="+folder, "GRAMC_DURABLE_STUCK_IN="+in)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || strings.TrimSpace(line) != "in flight" {
			t.Fatalf("%q, %v", line, err)
		}
		j, err := journal.Open(folder, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		if err := j.Cancel(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		requested := time.Now()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		t.Logf("the process of a %s that was cancelled has ended after %v", in, time.Since(requested).Round(time.Millisecond))
		record, err := durable.Read(t.Context(), j, in)
		if err != nil || record.Run.Status != journal.Cancelled || record.Run.Live || record.End == nil || record.End.Error == nil {
			t.Errorf("in a %s: %+v, %v", in, record, err)
		}
	}
}
