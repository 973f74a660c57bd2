package temporal_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	enums "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/gram-lang/gramc/engine/temporal"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// TestHistoriesOfEarlierVersions replays histories as a worker of this version does. One that fails means that
// runs of earlier versions do not go on: change the workflow with [workflow.GetVersion]. With -keep this
// version adds its own.
func TestHistoriesOfEarlierVersions(t *testing.T) {
	files, err := filepath.Glob("testdata/histories/*.json")
	if err != nil || len(files) < 3 {
		t.Fatalf("there are %d histories: %v", len(files), err)
	}
	for _, file := range files {
		replayer := worker.NewWorkflowReplayer()
		replayer.RegisterWorkflowWithOptions(temporal.RunFlow, workflow.RegisterOptions{Name: temporal.WorkflowName})
		if err := replayer.ReplayWorkflowHistoryFromJSONFile(nil, file); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

var keep = flag.String("keep", "", "keep histories of runs of this version under a `NAME`")

// TestKeepHistories writes what [TestHistoriesOfEarlierVersions] replays.
func TestKeepHistories(t *testing.T) {
	if *keep == "" {
		t.Skip("-keep NAME writes histories")
	}
	e := engineFor(t)
	s := askFirst(&script{respond: func(turn int) runtime.Response {
		if turn == 3 {
			return runtime.Response{Content: "done", Finish: "stop"}
		}
		return callOf(turn)
	}})
	work(t, e, s.open)
	id := begin(t, e, "find it")
	decided := ""
	until(t, e, id, func(r *durable.Record) bool {
		if q := r.Waiting; q != nil && q.Key > decided {
			decided = q.Key
			if err := e.Decide(t.Context(), id, journal.Decision{Key: q.Key, Hash: q.Hash, Allow: true}); err != nil {
				t.Fatal(err)
			}
		}
		return r.End != nil
	})
	keepHistory(t, "approved", id)
	id = begin(t, e, "find it")
	waiting(t, e, id)
	if err := e.Cancel(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	end(t, e, id)
	keepHistory(t, "cancelled", id)
	s.config.Approval.Default = runtime.Allow
	b := beginning("find it twice")
	b.Start.Limits = durable.LimitsOf(&interp.Options{MaxTurns: 1})
	id, err := e.Start(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	end(t, e, id)
	keepHistory(t, "failed", id)
}

// keepHistory writes the history of a run.
func keepHistory(t *testing.T, what, id string) {
	t.Helper()
	var h historypb.History
	events := dialRaw(t).GetWorkflowHistory(t.Context(), id, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		if err != nil {
			t.Fatal(err)
		}
		h.Events = append(h.Events, event)
	}
	text, err := protojson.MarshalOptions{Indent: "\t"}.Marshal(&h)
	if err == nil {
		err = os.MkdirAll("testdata/histories", 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join("testdata/histories", *keep+"-"+what+".json"), append(text, '\n'), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
