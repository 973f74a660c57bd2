package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/scenario"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/openai"
)

// liveModels returns the models of an agent.
func (c *cli) liveModels(a *interp.Agent) ([]runtime.Model, error) {
	r := newRunner(c)
	r.agent, r.maxRetries = a, usualRetries
	r.startTimeout, r.responseTimeout = openai.DefaultStartTimeout, openai.DefaultTimeout
	return r.newModels()
}

// openJudge opens the model that --judge names, and returns its id.
func (c *cli) openJudge(name string) (judge runtime.Model, id string, err error) {
	model, err := compile.ChooseModel(name, c.models())
	if err != nil {
		return nil, "", fmt.Errorf("--judge: %w", err)
	}
	c.noteModel("--judge: ", name, model)
	models, err := c.liveModels(&interp.Agent{Name: "judge", Model: model})
	if err != nil {
		return nil, "", err
	}
	return models[0], model.ID, nil
}

// record runs a test with the models of its agent, and writes its recording if each
// message got an answer, or the error that the test expects. Otherwise the earlier
// recording stays.
func (k *tester) record(ctx context.Context, t *testCase, o *scenario.Options) (*scenario.Outcome, error) {
	name := t.near(t.Recording)
	if err := refuseOtherFile(name); err != nil {
		return nil, err
	}
	models, err := k.liveModels(t.agent)
	if err != nil {
		return nil, err
	}
	tools, err := k.suite.tools(ctx, t)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	recording := runtime.NewRecording(&text, k.suite.redact(t))
	models = recordModels(recording, models)
	o.Model, o.Fallbacks, o.Library = models[0], models[1:], recording.Library(tools)
	outcome := scenario.Run(ctx, t.Scenario, o)
	if outcome.Err != nil || ctx.Err() != nil {
		return outcome, nil
	}
	if spentUp(outcome) != nil {
		return outcome, nil
	}
	if err := outcome.NoResponse(); err != nil {
		return nil, fmt.Errorf("the provider did not respond, so nothing is recorded: %w; a test that is about this names the kind of the error", err)
	}
	return outcome, k.writeRecording("--update", name, recording, text.Bytes())
}

// redact returns what takes secrets out of a recording of a test.
func (s *testSuite) redact(t *testCase) func(string) string {
	l := s.opened(t)
	return func(text string) string {
		s.mu.Lock()
		set := l.set
		s.mu.Unlock()
		if set != nil {
			text = set.Redact(text)
		}
		return s.withoutKeys(text)
	}
}
