package scenario

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// response reads a response of the scripted model.
func (r *reader) response() *Response {
	r.known("a response", vocabulary.OwnerModel)
	m := &Response{
		Text: r.text("text"), Refuses: r.text("refuses"), Tokens: int64(r.count("tokens")),
		Finish: r.oneOf("finish", vocabulary.Values(vocabulary.OwnerModel, "finish")), Pattern: r.pattern,
	}
	if answer := r.property("answer"); answer != nil {
		m.Text = string(r.answer(answer))
	}
	if p := r.property("calls"); p != nil {
		list, ok := p.Value.(*ast.Array)
		if !ok {
			r.wrong(p, "a list: [{call: …, with: …}]")
		} else {
			for _, v := range list.Elements {
				m.Calls = append(m.Calls, r.listedCall(v))
			}
		}
	}
	if call := r.property("call"); call != nil {
		m.Calls = append(m.Calls, r.call())
	} else if p := cmp.Or(r.property("with"), r.property("raw")); p != nil {
		r.Diags.Errorf(p.Key.Span(), diag.CodeInvalidTest, "%s says nothing alone: it goes with call", p.Key.Text)
	}
	if !r.hasAny("text", "answer", "call", "calls", "refuses", "finish", "with", "raw") {
		r.missing("text")
	}
	return m
}

func (r *reader) hasAny(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return r.pattern.Property(key) != nil })
}

// answer reads a value of the type that the agent returns.
func (r *reader) answer(p *ast.Property) json.RawMessage {
	if r.agent != nil && r.agent.Returns == nil {
		r.Diags.Errorf(p.Key.Span(), diag.CodeTestMismatch, "the agent %s answers with text: write text", report.Quote(r.agent.Name))
		return nil
	}
	var t *types.Type
	if r.agent != nil {
		t = r.agent.Returns
	}
	return r.value(p.Value, t, "what the agent returns", "value")
}

// value reads a value of a type; nil takes any.
func (r *reader) value(v ast.Value, t *types.Type, what, word string) json.RawMessage {
	before := len(r.Diags)
	text := r.Value(v, t, what, word)
	for _, d := range r.Diags[before:] {
		d.Code = diag.CodeTestMismatch
	}
	return text
}

// call reads call with with or raw.
func (r *reader) call() Call {
	name, tool := r.tool("call")
	c := Call{Tool: name}
	if raw := r.property("raw"); raw != nil {
		c.Args = json.RawMessage(r.text("raw"))
		return c
	}
	c.Args = r.arguments(tool)
	return c
}

// listedCall reads one of several calls.
func (r *reader) listedCall(v ast.Value) Call {
	record, ok := v.(*ast.Record)
	if !ok {
		r.Diags.Errorf(v.Span(), diag.CodeInvalidTest, "one of the calls is %s; it must be {call: …, with: …}", report.KindOf(v))
		return Call{}
	}
	inner := *r
	subject := *r.pattern.Subject
	subject.Record = record
	pattern := *r.pattern
	pattern.Subject = &subject
	inner.pattern, inner.what = &pattern, "the call"
	if inner.property("call") == nil {
		inner.missing("call")
	}
	return inner.call()
}

// arguments reads all arguments of a call.
func (r *reader) arguments(t *Tool) json.RawMessage {
	before := len(r.Diags)
	members := map[string]json.RawMessage{}
	for _, a := range r.partial("with", t) {
		members[a.Name] = a.Value
	}
	unread := len(members) == 0 && len(r.Diags) > before
	if t != nil && t.Signature != nil && !unread && !types.IncompleteProperties(r.pattern) {
		at := report.EndOf(r.pattern.Subject)
		if with := r.property("with"); with != nil {
			at = with.Value.Span()
		}
		for _, p := range t.Signature.Params {
			if _, there := members[p.Name]; !there && !p.Optional {
				r.Diags.Errorf(at, diag.CodeTestMismatch, "the call of %s lacks the argument %s", report.Quote(t.Name), report.Quote(p.Name))
			}
		}
	}
	text, err := plainjson.Marshal(members)
	if err != nil {
		return json.RawMessage("{}") // of values that are wrong, which is reported
	}
	return text
}

// partial reads some arguments of a call, each of the type of its parameter.
func (r *reader) partial(key string, t *Tool) Arguments {
	var list Arguments
	for _, p := range r.members(key) {
		param := r.param(p, t)
		var of *types.Type
		if param != nil {
			of = param.Type
		}
		value := r.value(p.Value, of, report.Named("the parameter", p.Key.Text), "value") // nil is reported
		list = append(list, Argument{Name: p.Key.Text, Value: value})
	}
	return list
}

// matching reads regular expressions for some arguments of a call.
func (r *reader) matching(key string, t *Tool) Arguments {
	var list Arguments
	for _, p := range r.members(key) {
		param := r.param(p, t)
		text, ok := ast.TextOf(p.Value)
		if !ok {
			r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidTest, "the regular expression for %s is %s; it must be text", report.Quote(p.Key.Text), report.KindOf(p.Value))
			continue
		}
		r.validRegexp(p.Value, text)
		if param != nil {
			r.possible(p.Value, text, param.Type)
		}
		list = append(list, Argument{Name: p.Key.Text, Pattern: text})
	}
	return list
}

// members returns the properties of a record, also of one that is written as JSON.
func (r *reader) members(key string) []*ast.Property {
	p := r.property(key)
	if p == nil {
		return nil
	}
	v := p.Value
	if tagged, ok := v.(*ast.Tagged); ok && tagged.Tag == "json" {
		if v = types.LiteralJSON(tagged); v == nil {
			r.Diags.Errorf(tagged.Span(), diag.CodeInvalidTest, "%s of %s is tagged json, but its text is not JSON", key, r.what)
			return nil
		}
	}
	record, ok := v.(*ast.Record)
	if !ok {
		r.wrong(p, "arguments: {name: value}")
		return nil
	}
	return slices.DeleteFunc(slices.Clone(record.Properties), func(p *ast.Property) bool { return p.Value == nil })
}

// param returns the parameter that a key names, nil when it is not known. What is none
// is reported.
func (r *reader) param(p *ast.Property, t *Tool) *types.Param {
	if t == nil || t.Signature == nil {
		return nil
	}
	return r.paramNamed(p.Key, p.Key.Text, t)
}

func (r *reader) paramNamed(at ast.Node, name string, t *Tool) *types.Param {
	var names []string
	for _, param := range t.Signature.Params {
		if param.Name == name {
			return param
		}
		names = append(names, param.Name)
	}
	d := r.Diags.Errorf(at.Span(), diag.CodeTestMismatch, "the tool %s has no parameter %s", report.Quote(t.Name), report.Quote(name))
	if near := r.Guess(name, names); near != "" {
		d.Message += "; did you mean " + near + "?"
		report.Fix(d, "write "+near, at.Span(), near) // the parameter may be misspelt
	} else if len(names) > 0 {
		d.Message += "; it has " + strings.Join(names, ", ")
	} else {
		d.Message += "; it has none"
	}
	return nil
}

// result reads what a tool returns.
func (r *reader) result() *Result {
	r.known("a result", vocabulary.OwnerResultOf)
	m := &Result{Pattern: r.pattern}
	if r.pattern.Property("tool") == nil {
		r.missing("tool")
	} else {
		name, tool := r.tool("tool")
		m.Tool, m.With = name, r.partial("with", tool)
		if p := r.property("is"); p != nil {
			m.Is = r.value(p.Value, resultType(tool), report.Named("the result of", name), "value")
		}
	}
	if r.pattern.Property("is") == nil {
		r.missing("is")
	}
	return m
}

// resultType returns the type of the result of a tool, nil when it is not known.
func resultType(t *Tool) *types.Type {
	if t == nil || t.Signature == nil || t.Signature.Return == nil {
		return nil
	}
	return t.Signature.Return.Type
}

// fault reads what goes wrong.
func (r *reader) fault() *Fault {
	r.known("a fault", vocabulary.OwnerFault)
	f := &Fault{Message: r.text("message"), Times: max(r.count("times"), 1), Request: r.count("request"), Pattern: r.pattern}
	name, tool := r.tool("tool")
	f.Tool = name
	words := vocabulary.ToolFaults
	switch request, ofTool := r.pattern.Property("request"), r.pattern.Property("tool"); {
	case request != nil && ofTool != nil:
		r.Diags.Errorf(request.Key.Span(), diag.CodeInvalidTest, "a fault is of a tool or of a request, not of both")
	case request != nil:
		words = vocabulary.ModelFaults
	case ofTool == nil:
		r.missing("tool")
	}
	f.Fails = r.oneOf("fails", words)
	if p := r.property("returns"); p != nil {
		f.Returns = r.unfit(p, tool)
	}
	if !r.hasAny("fails", "returns") {
		r.missing("fails")
	}
	return f
}

// unfit reads a result that must not fit the type of its tool.
func (r *reader) unfit(p *ast.Property, t *Tool) json.RawMessage {
	before := len(r.Diags)
	if of := resultType(t); of != nil && r.Value(p.Value, of, "the result", "value") != nil {
		r.Diags = r.Diags[:before]
		d := r.Diags.Errorf(p.Value.Span(), diag.CodeTestMismatch, "the result fits the type of %s, so nothing goes wrong: write [:Result {tool: …, is: …}]", report.Quote(t.Name))
		report.Relate(d, t.Signature.Return.Span, "the type")
		return nil
	}
	r.Diags = r.Diags[:before]
	return r.value(p.Value, nil, "the result", "value")
}

// possible reports a regular expression that no value of an enum matches.
func (r *reader) possible(v ast.Value, pattern string, t *types.Type) {
	values := enumOf(t)
	if len(values) > 0 && !slices.ContainsFunc(values, func(text string) bool { return matches(pattern, text) }) {
		r.Diags.Errorf(v.Span(), diag.CodeTestMismatch, "%s matches no value of its type; they are %s", report.Quote(pattern), report.Clip(strings.Join(values, ", ")))
	}
}
