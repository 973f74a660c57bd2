package main

import (
	"errors"
	"slices"

	"github.com/gram-lang/gramc/internal/dialect"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/offline"
	"github.com/gram-lang/gramc/runtime/openai"
)

// bindAgent binds the agent to tools and to its models. What is wrong with the tools is
// reported before a missing key.
func (r *runner) bindAgent(tools runtime.Library, o *interp.Options) (*interp.Bound, error) {
	var first runtime.Model
	models, unusable := r.newModels()
	if unusable == nil {
		models = r.recordedModels(models)
		first, o.Fallbacks = models[0], models[1:]
	}
	tools, err := r.recordedTools(tools)
	if err != nil {
		return nil, runtime.Errorf(runtime.KindTool, "%w", err)
	}
	bound, err := r.bindTo(tools, slices.Concat([]runtime.Model{first}, o.Fallbacks), o)
	if unusable != nil && errors.Is(err, interp.ErrNoModel) {
		return nil, unusable
	}
	return bound, err
}

// bindTo binds the agent to tools and models, with what the command line says of budgets.
func (r *runner) bindTo(tools runtime.Library, models []runtime.Model, o *interp.Options) (*interp.Bound, error) {
	agent := r.agent
	o.Account, o.Models, o.Fallbacks = r.account, r.models(), models[1:]
	if r.offline { // which spends nothing
		free := *r.agent
		free.Budget = interp.Budget{}
		agent = &free
	}
	return interp.Bind(agent, tools, models[0], o)
}

// newModels returns the models of the agent, in its order.
func (r *runner) newModels() ([]runtime.Model, error) {
	if r.offline {
		return []runtime.Model{offline.New()}, nil
	}
	all := r.agent.Models()
	if r.recorded.replayer != nil {
		return replayModels(r.recorded.replayer, r.agent), nil
	}
	providers := make([]string, len(all))
	for i, m := range all {
		if providers[i] = m.Provider; r.baseURL != "" && m.Provider != r.agent.Model.Provider {
			return nil, runtime.Errorf(runtime.KindConfiguration, "--base-url is the address of one provider, and agent %q has models of %s and %s: choose one with --model",
				r.agent.Name, r.agent.Model.Provider, m.Provider)
		}
	}
	return dialect.Each(providers, func(provider string) (openai.Options, error) {
		options, err := r.readConfig().modelOptions(r.models(), provider, r.baseURL)
		options.MaxRetries, options.Functions = &r.maxRetries, r.functions
		options.StartTimeout, options.Timeout = r.startTimeout, r.responseTimeout
		return options, err
	})
}

// modelOptions returns how to reach a provider. A base URL of the command line
// takes precedence over that of the environment.
func (c *config) modelOptions(table *models.Table, provider, baseURL string) (openai.Options, error) {
	o := openai.Options{Provider: provider, BaseURL: baseURL, Models: table}
	p, ok := table.Provider(provider)
	if !ok {
		return o, nil // openai.New reports it
	}
	key := c.first(p.Keys...)
	o.APIKey = key.value
	if baseURL != "" || p.AddressVariable == "" {
		return o, nil
	}
	base := c.first(p.AddressVariable)
	if base.fromFile && !key.fromFile && key.value != "" && !isOwnAddress(p, base.value) {
		// A .env that was downloaded with other files must not send the user's
		// key to another server, or to a program of another user of this machine.
		return o, runtime.Errorf(runtime.KindConfiguration,
			"%s comes from the file %s, but %s does not: to send this key to %s, use --base-url",
			base.variable, dotenvName, key.variable, base.value)
	}
	if base.fromFile && p.IsLocal() && !isLoopbackAddress(base.value) {
		return o, runtime.Errorf(runtime.KindConfiguration,
			"%s comes from the file %s and is no address of this machine: to send the conversation to %s, use --base-url",
			base.variable, dotenvName, base.value)
	}
	o.BaseURL = base.value
	return o, nil
}
