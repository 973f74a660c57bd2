package main

import (
	"bytes"
	"context"
	"errors"
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

// ask lets the models of its agent respond in a test.
func (s *testSuite) ask(t *testCase, o *scenario.Options) error {
	models, err := s.liveModels(t.agent)
	if err != nil {
		return err
	}
	o.Model, o.Fallbacks = models[0], models[1:]
	return nil
}

// replay lets a recording respond in a test.
func (s *testSuite) replay(t *testCase, o *scenario.Options, name string) (*runtime.Replayer, error) {
	replayer, err := s.readRecording(name, s.redact(t))
	if err != nil {
		return nil, err
	}
	models := replayModels(replayer, t.agent)
	o.Model, o.Fallbacks = models[0], models[1:]
	return replayer, nil
}

// A keptRecording is written once it is whole.
type keptRecording struct {
	*runtime.Recording
	text bytes.Buffer
}

// record is ask with a recording of what the models respond.
func (s *testSuite) record(t *testCase, o *scenario.Options) (*keptRecording, error) {
	if err := s.ask(t, o); err != nil {
		return nil, err
	}
	kept := &keptRecording{}
	kept.Recording = runtime.NewRecording(&kept.text, s.redact(t))
	o.Model, o.Fallbacks = kept.Recorder(o.Model), recordModels(kept.Recording, o.Fallbacks)
	return kept, nil
}

// write writes the recording to a file, for what asks for it, such as "--record".
func (k *keptRecording) write(c *cli, by, name string) error {
	if err := k.Err(); err != nil {
		return err
	}
	file, err := c.createPrivate(by, name)
	if err != nil {
		return err
	}
	_, err = file.Write(k.text.Bytes())
	return errors.Join(err, file.Close())
}

// updated runs a test with the models of its agent, and writes its recording if each
// message got an answer, or the error that the test expects. Otherwise the earlier
// recording stays.
func (k *tester) updated(ctx context.Context, t *testCase, o *scenario.Options) (*scenario.Outcome, error) {
	name := t.near(t.Recording)
	if err := refuseOtherFile(name); err != nil {
		return nil, err
	}
	recording, err := k.suite.record(t, o)
	if err != nil {
		return nil, err
	}
	tools, err := k.suite.tools(ctx, t)
	if err != nil {
		return nil, err
	}
	o.Library = recording.Library(tools)
	outcome := scenario.Run(ctx, t.Scenario, o)
	if outcome.Err != nil || ctx.Err() != nil || spentUp(outcome) != nil {
		return outcome, nil
	}
	if err := outcome.NoResponse(); err != nil {
		return nil, fmt.Errorf("the provider did not respond, so nothing is recorded: %w; a test that is about this names the kind of the error", err)
	}
	return outcome, recording.write(k.cli, "--update", name)
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
