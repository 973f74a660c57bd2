package runtime

import (
	"context"
	"encoding/json"
	"errors"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// tool returns a tool with a handler and these changes to its description.
func tool(t testing.TB, run Handler, change ...func(*ToolConfig)) Tool {
	t.Helper()
	c := ToolConfig{Name: "t", Description: "d", Input: json.RawMessage(`{"type":"object"}`), Execute: run}
	for _, f := range change {
		f(&c)
	}
	made, err := NewTool(c)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func returns(result string) Handler {
	return func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(result), nil }
}

func TestNewToolRefuses(t *testing.T) {
	good := ToolConfig{Name: "t", Description: "d", Input: json.RawMessage(`{"type":"object"}`), Execute: returns("1")}
	tests := []struct {
		name   string
		change func(*ToolConfig)
		want   Reason
	}{
		{"nothing about a good tool", func(*ToolConfig) {}, ""},
		{"empty name", func(c *ToolConfig) { c.Name = "" }, ReasonEmptyName},
		{"empty description", func(c *ToolConfig) { c.Description = "" }, ReasonEmptyDescription},
		{"no function", func(c *ToolConfig) { c.Execute = nil }, ReasonNoHandler},
		{"negative timeout", func(c *ToolConfig) { c.Timeout = -1 }, ReasonInvalidTimeout},
		{"no input schema", func(c *ToolConfig) { c.Input = nil }, ReasonInvalidSchema},
		{"bad input schema", func(c *ToolConfig) { c.Input = json.RawMessage(`{"type":"objekt"}`) }, ReasonInvalidSchema},
		{"input that is no object", func(c *ToolConfig) { c.Input = json.RawMessage(`{"type":"string"}`) }, ReasonInvalidSchema},
		{"bad output schema", func(c *ToolConfig) { c.Output = json.RawMessage(`7`) }, ReasonInvalidSchema},
		{"nothing about a tool that adopts", func(c *ToolConfig) {
			c.Adopt, c.Description, c.Input = true, "", nil
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := good
			tt.change(&c)
			_, err := NewTool(c)
			var def *BindError
			if errors.As(err, &def); (def == nil) != (tt.want == "") || def != nil && def.Reason != tt.want {
				t.Errorf("error %v, want code %q", err, tt.want)
			}
		})
	}
}

func TestInvokeSaysHowACallFailed(t *testing.T) {
	typed := errors.New("disk full")
	fails := func(err error) Handler {
		return func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, err }
	}
	output := func(schema string) func(*ToolConfig) {
		return func(c *ToolConfig) { c.Output = json.RawMessage(schema) }
	}
	tests := []struct {
		name string
		tool Tool
		args string
		want string // kind and message
	}{
		{"error", tool(t, fails(typed)), `{}`, "execution: disk full"},
		{"own kind", tool(t, fails(&ToolError{Kind: ToolAuthorization, Message: "not yours"})), `{}`, "authorization: not yours"},
		{"own kind without words", tool(t, fails(&ToolError{Kind: ToolValidation})), `{}`, "validation: validation"},
		{"panic", tool(t, func(context.Context, json.RawMessage) (json.RawMessage, error) { panic("boom") }), `{}`, "execution: panic: boom"},
		{"end of goroutine", tool(t, func(context.Context, json.RawMessage) (json.RawMessage, error) {
			goruntime.Goexit()
			return nil, nil
		}), `{}`, "execution: the tool ended its goroutine"},
		{"bad arguments", tool(t, returns("1"), func(c *ToolConfig) {
			c.Input = json.RawMessage(object(`"a":{"type":"string"}`, "a"))
		}), `{"a":1}`, "validation: invalid arguments: /a: expected a string, found the number 1"},
		{"no object", tool(t, returns("1")), `7`, "validation: invalid arguments: arguments must be an object"},
		{"result is not JSON", tool(t, returns("hello")), `{}`,
			"validation: invalid result: not JSON at byte 0: unexpected \"hello\"; expected a value"},
		{"result breaks the schema", tool(t, returns(`{"n":"x"}`), output(`{"properties":{"n":{"type":"number"}}}`)), `{}`,
			`validation: invalid result: /n: expected a number, found the string "x"`},
		{"no function", Tool{}, `{}`, "execution: the tool has no function to execute"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.tool.Invoke(t.Context(), json.RawMessage(tt.args), 0)
			var failed *ToolError
			if !errors.As(err, &failed) {
				t.Fatalf("error is %T: %v", err, err)
			}
			if got := string(failed.Kind) + ": " + failed.Message; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if _, err := tool(t, fails(typed)).Invoke(t.Context(), json.RawMessage(`{}`), 0); !errors.Is(err, typed) {
		t.Errorf("the cause is lost: %v", err)
	}
}

func TestInvokeReturnsTheResult(t *testing.T) {
	echo := func(_ context.Context, args json.RawMessage) (json.RawMessage, error) { return args, nil }
	withDefault := func(c *ToolConfig) { c.Input = json.RawMessage(object(`"a":{"type":"integer","default":1}`, "")) }
	tests := []struct {
		name string
		tool Tool
		args string
		want string
	}{
		{"as it is", tool(t, returns(`"hi"`)), `{}`, `"hi"`},
		{"nothing is null", tool(t, returns("")), `{}`, `null`},
		{"the tool sees defaults and nothing undeclared", tool(t, echo, withDefault), `{"b":2}`, `{"a":1}`},
		{"what is not UTF-8", tool(t, returns("\"a\xff\"")), `{}`, "\"a\uFFFD\""},
		{"large numbers are kept", tool(t, echo), `{"n":9007199254740993}`, `{"n":9007199254740993}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.tool.Invoke(t.Context(), json.RawMessage(tt.args), 0)
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v; want %s", got, err, tt.want)
			}
		})
	}
}

func TestInvokeGivesTheHandlerItsOwnArguments(t *testing.T) {
	args := json.RawMessage(`{"a":1}`)
	scribble := tool(t, func(_ context.Context, args json.RawMessage) (json.RawMessage, error) {
		clear(args)
		return nil, nil
	})
	if _, err := scribble.Invoke(t.Context(), args, 0); err != nil || string(args) != `{"a":1}` {
		t.Errorf("arguments are now %q, error %v", args, err)
	}
}

func TestInvokeKeepsTheDeadline(t *testing.T) {
	stubborn := func(context.Context, json.RawMessage) (json.RawMessage, error) {
		time.Sleep(time.Hour)
		return json.RawMessage(`"late"`), nil
	}
	polite := func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	late := func(context.Context, json.RawMessage) (json.RawMessage, error) {
		time.Sleep(10*time.Second + 100*time.Millisecond)
		return json.RawMessage(`"late"`), nil
	}
	own := func(c *ToolConfig) { c.Timeout = 2 * time.Second }
	tests := []struct {
		name  string
		tool  Tool
		given time.Duration
		want  time.Duration
		left  bool // abandoned
	}{
		{"10 s by default", tool(t, stubborn), 0, 10 * time.Second, true},
		{"given", tool(t, stubborn), 3 * time.Second, 3 * time.Second, true},
		{"the tool's own first", tool(t, stubborn, own), 3 * time.Second, 2 * time.Second, true},
		{"polite", tool(t, polite), 0, 10 * time.Second, false},
		{"a little late", tool(t, late), 0, 10 * time.Second, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				_, err := tt.tool.Invoke(t.Context(), json.RawMessage(`{}`), tt.given)
				var failed *ToolError
				if !errors.As(err, &failed) || failed.Kind != ToolTimeout || failed.Message != "timed out after "+tt.want.String()+UnknownEffect {
					t.Errorf("error %v, want a timeout after %v", err, tt.want)
				}
				if failed.Abandoned != tt.left {
					t.Errorf("abandoned: %v, want %v", failed.Abandoned, tt.left)
				}
				if took := time.Since(start); took < tt.want || took > tt.want+grace {
					t.Errorf("took %v, want %v and at most %v more", took, tt.want, grace)
				}
				time.Sleep(2 * time.Hour) // a late handler ends; synctest fails if it does not
			})
		})
	}
}

func TestInvokeTellsOtherTimeoutsApart(t *testing.T) {
	inner := tool(t, func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return nil, context.DeadlineExceeded // of a request of its own
	})
	_, err := inner.Invoke(t.Context(), json.RawMessage(`{}`), time.Hour)
	var failed *ToolError
	if !errors.As(err, &failed) || failed.Kind != ToolExecution {
		t.Errorf("error %#v, want kind execution", err)
	}
}

func TestInvokeStopsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var calls atomic.Int32
		waits := tool(t, func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			calls.Add(1)
			<-ctx.Done()
			return nil, ctx.Err()
		})
		time.AfterFunc(time.Second, cancel)
		for range 2 { // the second call finds the context ended and does not start
			_, err := waits.Invoke(ctx, json.RawMessage(`{}`), 0)
			var failed *ToolError
			if !errors.As(err, &failed) || failed.Kind != ToolExecution || !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want an execution error that wraps context.Canceled", err)
			}
		}
		synctest.Wait()
		if n := calls.Load(); n != 1 {
			t.Errorf("the handler ran %d times", n)
		}
	})
}

func TestToolSaysWhatItIs(t *testing.T) {
	input, output := json.RawMessage(`{"type":"object"}`), json.RawMessage(`{"type":"number"}`)
	made := tool(t, returns("1"), func(c *ToolConfig) {
		c.Input, c.Output, c.Timeout, c.NoRetry = input, output, time.Second, true
	})
	input[0], output[0] = 'x', 'x' // the tool has its own copies
	if made.Name() != "t" || made.Description() != "d" || made.config.Timeout != time.Second || !made.config.NoRetry {
		t.Errorf("tool says %q, %q, %v, retryable %t", made.Name(), made.Description(), made.config.Timeout, !made.config.NoRetry)
	}
	if string(made.Input()) != `{"type":"object"}` || string(made.Output()) != `{"type":"number"}` {
		t.Errorf("schemas %s and %s", made.Input(), made.Output())
	}
	if err := made.out.Validate(json.RawMessage(`"x"`)); err == nil {
		t.Error("a string passes for a number")
	}
}

func TestToolIsNotWrittenAsJSON(t *testing.T) {
	for _, v := range []any{tool(t, returns("1")), []Tool{{}}} {
		if text, err := json.Marshal(v); err == nil || !strings.Contains(err.Error(), "code cannot be written") {
			t.Errorf("got %s, %v", text, err)
		}
	}
}

func BenchmarkInvoke(b *testing.B) {
	schema := json.RawMessage(object(`"city":{"type":"string"},"days":{"type":"integer","default":1}`, "city"))
	weather := tool(b, returns(`"sunny"`), func(c *ToolConfig) { c.Input = schema })
	args := json.RawMessage(`{"city":"Ulm"}`)
	for b.Loop() {
		if _, err := weather.Invoke(b.Context(), args, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// An argument that is almost a declared one is an error that names it, and never
// dropped while the real one gets its default.
func TestMisspeltArgumentsAreErrors(t *testing.T) {
	echo := func(_ context.Context, args json.RawMessage) (json.RawMessage, error) { return args, nil }
	schema := `"dup":{"type":["string","null"],"default":null},"duplicateOf":{"type":"string"},"max":{"type":"integer"},"in":` +
		object(`"city":{"type":"string"}`, "") + `,"tags":{"type":"array","items":` + object(`"label":{"type":"string"}`, "") + `},` +
		`"who":{"anyOf":[{"type":"null"},` + object(`"name":{"type":"string"}`, "") + `]}`
	made := tool(t, echo, func(c *ToolConfig) { c.Input = json.RawMessage(object(schema, "")) })
	for _, tt := range []struct{ args, want string }{
		{`{"dupp":"a"}`, `/dupp: unknown field "dupp"; did you mean "dup"?`},
		{`{"DUP":"a"}`, `/DUP: unknown field "DUP"; did you mean "dup"?`},
		{`{"dup":"a","DUP":"b"}`, `/DUP: unknown field "DUP"; did you mean "dup"?`},
		{`{"duplicateof":"a"}`, `/duplicateof: unknown field "duplicateof"; did you mean "duplicateOf"?`},
		{`{"duplicate_of":"a"}`, `/duplicate_of: unknown field "duplicate_of"; did you mean "duplicateOf"?`},
		{`{"duplicate":"a"}`, `/duplicate: unknown field "duplicate"; did you mean "duplicateOf"?`},
		{`{"of":"a"}`, `{"dup":null}`},
		{`{"the_max":1}`, `/the_max: unknown field "the_max"; did you mean "max"?`},
		{`{"maximum":1}`, `/maximum: unknown field "maximum"; did you mean "max"?`},
		{`{"in":{"ctiy":"x"}}`, `/in/ctiy: unknown field "ctiy"; did you mean "city"?`},
		{`{"tags":[{"lable":"x"}]}`, `/tags/0/lable: unknown field "lable"; did you mean "label"?`},
		{`{"who":{"nam":"x"}}`, `/who/nam: unknown field "nam"; did you mean "name"?`},
		{`{"reason":"the user asked","dup":"a"}`, `{"dup":"a"}`},
		{`{"dup":"a","dupp":"b","who":{"name":"x","y":1}}`, `{"dup":"a","who":{"name":"x"}}`},
	} {
		got, err := made.Invoke(t.Context(), json.RawMessage(tt.args), 0)
		if err != nil {
			got = json.RawMessage(strings.TrimPrefix(err.Error(), "invalid arguments: "))
		}
		if string(got) != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.args, got, tt.want)
		}
	}
}

// Models write objects and arrays as strings, where the schema takes no string.
func TestQuotedArgumentsAreRepaired(t *testing.T) {
	echo := func(_ context.Context, args json.RawMessage) (json.RawMessage, error) { return args, nil }
	const list = `{"type":"array","items":{"type":"integer"}}`
	schema := `"ns":` + list + `,"maybe":{"anyOf":[` + list + `,{"type":"null"}]},"text":{"type":"string"},"either":{"type":["string","array"]},` +
		`"any":{},"who":{"$ref":"#/$defs/who"}`
	made := tool(t, echo, func(c *ToolConfig) {
		c.Input = json.RawMessage(`{"type":"object","properties":{` + schema + `},"$defs":{"who":` + object(`"name":{"type":"string","default":"x"},"tags":{"type":"array"}`, "") + `}}`)
	})
	for args, want := range map[string]string{
		`{"ns":"[1, 2]"}`:              `{"ns":[1, 2]}`,
		`{"maybe":"[1]"}`:              `{"maybe":[1]}`,
		`{"who":"{\"name\":\"Ada\"}"}`: `{"who":{"name":"Ada"}}`,
		`{"who":"{\"tags\":\"[1]\"}"}`: `{"who":{"tags":[1],"name":"x"}}`,
		`{"who":"{\"nmae\":\"Ada\"}"}`: `invalid arguments: /who/nmae: unknown field "nmae"; did you mean "name"?`,
		`{"text":"[1]"}`:               `{"text":"[1]"}`,
		`{"either":"[1]"}`:             `{"either":"[1]"}`,
		`{"any":"[1]"}`:                `{"any":"[1]"}`,
		`{"ns":"[1"}`:                  `invalid arguments: /ns: expected an array, found the string "[1"`,
		`{"ns":"{}"}`:                  `invalid arguments: /ns: expected an array, found the string "{}"`,
		`{"ns":"[\"a\"]"}`:             `invalid arguments: /ns/0: expected an integer, found the string "a"`,
		`{"ns":"1,2"}`:                 `invalid arguments: /ns: expected an array, found the string "1,2"`,
	} {
		got, err := made.Invoke(t.Context(), json.RawMessage(args), 0)
		if err != nil {
			got = json.RawMessage(err.Error())
		}
		if string(got) != want {
			t.Errorf("%s:\n got %s\nwant %s", args, got, want)
		}
	}
}

func TestALargeTypedResultCostsAtMostThreeTimesItsSize(t *testing.T) {
	record := `{"id":17,"name":"Ada \"L\" Lovelace","price":12.50,"tags":["a","b"],"parent":null}`
	for item, schema := range map[string]string{
		record: `{"items":{"type":"object","required":["id"],"additionalProperties":false,"properties":{"id":{"type":"integer","minimum":0},
			"name":{"type":"string"},"price":{"type":"number","exclusiveMinimum":0},"tags":{"items":{"enum":["a","b"]}},"parent":{"anyOf":[{"type":"string"},{"type":"null"}]}}}}`,
		`1`:                                  `{"items":{"type":"integer","maximum":9}}`,
		`"` + strings.Repeat("x", 900) + `"`: `{"items":{"type":"string","maxLength":1000}}`,
	} {
		result := json.RawMessage("[" + strings.Repeat(item+",", 1<<20/len(item)) + item + "]")
		large := tool(t, func(context.Context, json.RawMessage) (json.RawMessage, error) { return result, nil },
			func(c *ToolConfig) { c.Output = json.RawMessage(schema) })
		var before, after goruntime.MemStats
		goruntime.ReadMemStats(&before)
		if _, err := large.Invoke(t.Context(), json.RawMessage(`{}`), time.Minute); err != nil {
			t.Fatal(err)
		}
		goruntime.ReadMemStats(&after)
		if cost := after.TotalAlloc - before.TotalAlloc; cost > uint64(3*len(result)) {
			t.Errorf("%d bytes of %.20s cost %d", len(result), item, cost)
		}
	}
}
