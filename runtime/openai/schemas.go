package openai

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// toolNames returns the names of tools as the provider takes them.
func (m *Model) toolNames(tools []runtime.Contract) ([]string, error) {
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	names, collisions := provider.Names(names, m.provider.target())
	if len(collisions) > 0 {
		return nil, runtime.Errorf(runtime.KindConfiguration, "%w", collisions[0])
	}
	return names, nil
}

// rename gives the tools in a conversation the names that they have in
// "tools".
func (m *Model) rename(messages []message) {
	name := func(s string) string {
		if s == "" {
			return ""
		}
		return provider.Name(s, m.provider.target())
	}
	for i := range messages {
		msg := &messages[i]
		msg.Name = name(msg.Name)
		for j := range msg.ToolCalls {
			msg.ToolCalls[j].Function.Name = name(msg.ToolCalls[j].Function.Name)
		}
		if msg.FunctionCall != nil {
			msg.FunctionCall.Name = name(msg.FunctionCall.Name)
		}
	}
}

// isStrict reports whether the provider is told to hold the model to the schema
// of a tool.
func (m *Model) isStrict(t runtime.Contract) bool {
	return t.Strict && m.provider.strict && !m.legacy && len(t.Input) > 0
}

// toolSchema returns the schema of the arguments as the provider takes it.
func (m *Model) toolSchema(t runtime.Contract) (json.RawMessage, error) {
	to := provider.Of(m.provider.name, m.isStrict(t))
	switch {
	case len(t.Input) == 0:
		return json.RawMessage(`{"type":"object","properties":{}}`), nil
	case !json.Valid(t.Input):
		return nil, runtime.Errorf(runtime.KindValidation, "the input schema of tool %q is not JSON", t.Name)
	}
	schema, problems := provider.Lower(t.Input, to)
	for _, p := range problems {
		if p.Severity == provider.Error {
			return nil, runtime.Errorf(runtime.KindConfiguration, "the input schema of tool %q cannot be sent: %s", t.Name, p)
		}
	}
	return schema, nil
}

// An answerFormat is how a provider is told what the answer has to be.
type answerFormat struct {
	schema  json.RawMessage // as it is sent
	plain   json.RawMessage // the same before it was made strict
	strict  bool
	wrapped bool
}

// formatOf returns the schema for an answer: strict if that can say it all.
func formatOf(o runtime.Output) answerFormat {
	var f answerFormat
	f.plain, f.wrapped = provider.Wrap(o.Schema)
	f.schema, _ = provider.Lower(f.plain, provider.OpenAIStrict)
	if f.strict = f.schema != nil; !f.strict {
		f.schema = f.plain
	}
	return f
}

func (m *Model) takesFormat() bool { return m.provider.answers && !m.legacy }

// instruction returns the words for the system: those of the agent, and what
// the answer has to be, for a provider that must be told in words.
func (m *Model) instruction(r *runtime.Request) string {
	if r.Output.IsText() || m.takesFormat() {
		return r.Instruction
	}
	asked := "When you answer, answer with JSON alone, without words around it. It must fit this JSON Schema: " + string(r.Output.Schema)
	if r.Instruction == "" {
		return asked
	}
	return r.Instruction + "\n\n" + asked
}

// settings writes what a request says besides messages and tools; nothing for
// most. go-openai drops a temperature of 0, and rewrites schemas.
func (m *Model) settings(r *runtime.Request, model string) []byte {
	var b []byte
	if r.Temperature != nil {
		b = strconv.AppendFloat(append(b, `,"temperature":`...), *r.Temperature, 'f', -1, 64)
	}
	if r.MaxTokens > 0 {
		key := `,"max_tokens":`
		if m.wantsCompletionTokens(model) {
			key = `,"max_completion_tokens":`
		}
		b = strconv.AppendInt(append(b, key...), int64(r.MaxTokens), 10)
	}
	if !r.Output.IsText() && m.takesFormat() {
		f := formatOf(r.Output)
		name := provider.Name(r.Output.Name, provider.OpenAI)
		b = append(append(b, `,"response_format":{"type":"json_schema","json_schema":{"name":`...), plainjson.String(name)...)
		b = append(append(b, `,"schema":`...), f.schema...)
		b = append(strconv.AppendBool(append(b, `,"strict":`...), f.strict), "}}"...)
	}
	return b
}

// wantsCompletionTokens reports whether the limit of an answer is called
// max_completion_tokens. At OpenAI that is the name for all models, and the only
// one for the o series and from gpt-5 on, wherever they are served; other
// servers may not know it.
// (https://platform.openai.com/docs/api-reference/chat/create)
func (m *Model) wantsCompletionTokens(model string) bool {
	if m.provider.target() != provider.OpenAI || m.base == m.provider.base {
		return m.provider.target() == provider.OpenAI
	}
	if series, ok := strings.CutPrefix(model, "o"); ok {
		return series != "" && '1' <= series[0] && series[0] <= '9'
	}
	version, ok := strings.CutPrefix(model, "gpt-")
	if i := strings.IndexFunc(version, func(c rune) bool { return c < '0' || c > '9' }); i >= 0 {
		version = version[:i]
	}
	n, err := strconv.Atoi(version)
	return ok && err == nil && n >= 5
}

// readBack gives tools in an answer their own names again, and values the form
// that they have without strict mode.
func (m *Model) readBack(r *runtime.Request, answer *runtime.Response) {
	for i := range answer.Calls {
		call := &answer.Calls[i]
		for _, t := range r.Tools {
			if provider.Name(t.Name, m.provider.target()) != call.Name {
				continue
			}
			call.Name = t.Name
			if m.isStrict(t) {
				call.Args = provider.Restore(t.Input, call.Args)
			}
			break
		}
	}
	if r.Output.IsText() || !m.takesFormat() || len(answer.Calls) > 0 {
		return
	}
	content := json.RawMessage(strings.TrimSpace(answer.Content))
	if !json.Valid(content) {
		return // the loop tells the model
	}
	f := formatOf(r.Output)
	restored := content
	if f.strict {
		restored = provider.Restore(f.plain, content)
	}
	if f.wrapped {
		restored = provider.Unwrap(restored)
	}
	if !bytes.Equal(restored, content) {
		answer.Content = string(restored)
	}
}
