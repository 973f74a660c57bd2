package temporal

import (
	"context"
	"errors"
	"strings"

	commonpb "go.temporal.io/api/common/v1"
	enums "go.temporal.io/api/enums/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/gram-lang/gramc/internal/journal"
)

// Runs returns the runs that a filter selects, the latest first, as far as the server keeps them.
// It shows a change after a moment. A filter by Text or File is an error.
func (e *Engine) Runs(ctx context.Context, f journal.Filter) ([]*journal.Run, error) {
	if f.Text != "" || f.File != "" {
		return nil, errors.New("runs on Temporal cannot be searched for texts or files")
	}
	request := &workflowservice.ListWorkflowExecutionsRequest{Namespace: e.o.Namespace, Query: queryOf(&f), PageSize: 200}
	var runs []*journal.Run
	for {
		page, err := e.client.ListWorkflow(ctx, request)
		if err != nil {
			return nil, err
		}
		for _, w := range page.Executions {
			if w.Status == enums.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW {
				continue // the same run is there once more
			}
			r, err := e.listed(w)
			if err != nil {
				return nil, err
			}
			if runs = append(runs, r); len(runs) == f.Limit {
				return runs, nil
			}
		}
		if request.NextPageToken = page.NextPageToken; len(request.NextPageToken) == 0 {
			return runs, nil
		}
	}
}

// queryOf returns a filter in the language of Temporal.
func queryOf(f *journal.Filter) string {
	terms := []string{"WorkflowType = '" + workflowName + "'"}
	equal := func(name, value string) string { return name + " = " + quote(value) }
	if f.Session != "" {
		terms = append(terms, equal(attributeSession.GetName(), f.Session))
	}
	if f.Agent != "" {
		terms = append(terms, equal(attributeAgent.GetName(), f.Agent))
	}
	if f.User != nil {
		terms = append(terms, equal(attributeUser.GetName(), *f.User))
	}
	if !f.Since.IsZero() {
		terms = append(terms, "StartTime >= "+quote(f.Since.UTC().Format("2006-01-02T15:04:05Z")))
	}
	var any []string
	for _, s := range f.Status {
		any = append(any, equal(attributeStatus.GetName(), string(s)))
	}
	if len(any) > 0 {
		terms = append(terms, "("+strings.Join(any, " OR ")+")")
	}
	return strings.Join(terms, " AND ")
}

// quote returns a string as a query has it.
func quote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

// listed returns what a list says of a run.
func (e *Engine) listed(w *workflowpb.WorkflowExecutionInfo) (*journal.Run, error) {
	r := &journal.Run{ID: w.Execution.WorkflowId, Created: w.StartTime.AsTime(), Updated: w.StartTime.AsTime()}
	if w.CloseTime != nil {
		r.Updated = w.CloseTime.AsTime()
	}
	status := ""
	texts := map[string]*string{attributeAgent.GetName(): &r.Agent, attributeUser.GetName(): &r.User, attributeSession.GetName(): &r.Session, attributeStatus.GetName(): &status}
	if err := e.readTexts(w.SearchAttributes.GetIndexedFields(), texts); err != nil {
		return nil, err
	}
	if err := e.readTexts(w.Memo.GetFields(), map[string]*string{"title": &r.Title, "file": &r.File, "parent": &r.Parent, "program": &r.Program}); err != nil {
		return nil, err
	}
	if p := w.Memo.GetFields()[memoCreated]; p != nil {
		if err := e.json.FromPayload(p, &r.Created); err != nil {
			return nil, err
		}
	}
	switch r.Status = journal.Status(status); w.Status {
	case enums.WORKFLOW_EXECUTION_STATUS_TERMINATED, enums.WORKFLOW_EXECUTION_STATUS_CANCELED:
		r.Status = journal.Cancelled
	case enums.WORKFLOW_EXECUTION_STATUS_FAILED, enums.WORKFLOW_EXECUTION_STATUS_TIMED_OUT:
		r.Status = journal.Failed
	}
	r.Live = r.Status == journal.Running
	return r, nil
}

func (e *Engine) readTexts(fields map[string]*commonpb.Payload, texts map[string]*string) error {
	for name, text := range texts {
		if p := fields[name]; p != nil {
			if err := e.json.FromPayload(p, text); err != nil {
				return err
			}
		}
	}
	return nil
}
