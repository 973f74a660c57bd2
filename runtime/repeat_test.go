package runtime

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

func TestTheStricterRepeatOfToolAndContractCounts(t *testing.T) {
	for _, tt := range []struct{ tool, contract, want Repeat }{
		{"", "", RepeatOnce},
		{"", RepeatSafe, RepeatSafe},
		{RepeatKeyed, "", RepeatKeyed},
		{RepeatSafe, RepeatOnce, RepeatOnce},
		{RepeatOnce, RepeatSafe, RepeatOnce},
		{RepeatSafe, RepeatKeyed, RepeatKeyed},
		{RepeatSafe, RepeatSafe, RepeatSafe},
	} {
		seen := Repeat("none")
		made := tool(t, returns("1"), func(c *ToolConfig) {
			c.Repeat = tt.tool
			c.For = func(c Contract) Handler { seen = c.Repeat; return returns("1") }
		})
		bound, err := library(t, made).Bind([]Contract{{Name: made.Name(), Description: "d", Input: made.Input(), Repeat: tt.contract}}, nil)
		if err != nil || bound[0].Repeat() != tt.want || seen.Stricter("") != bound[0].Config().Repeat {
			t.Errorf("%q and %q: %v, %q, the handler saw %q", tt.tool, tt.contract, err, bound[0].Repeat(), seen)
		}
	}
}

func TestWhatMayBeRepeated(t *testing.T) {
	keyed := WithCallKey(t.Context(), "r/1/c")
	for repeat, want := range map[Repeat][2]bool{"": {}, RepeatOnce: {}, RepeatKeyed: {false, true}, RepeatSafe: {true, true}} {
		if got := [2]bool{repeat.Allows(t.Context()), repeat.Allows(keyed)}; got != want {
			t.Errorf("%q: %v", repeat, got)
		}
	}
}

func TestACallKeyReachesFunctionsAndFitsAHeader(t *testing.T) {
	made, err := Func("f", "d", func(ctx context.Context, _ struct{}) (string, error) { return CallKey(ctx), nil })
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for _, key := range []string{"", "run/3/call_1", "a b", "a\r\nb", "é", strings.Repeat("x", 255), strings.Repeat("x", 256), strings.Repeat("x", 257)} {
		ctx := t.Context()
		if key != "" {
			ctx = WithCallKey(ctx, key)
		}
		result, err := made.Invoke(ctx, json.RawMessage("{}"), 0)
		var got string
		if err != nil || json.Unmarshal(result, &got) != nil {
			t.Fatal(result, err)
		}
		asIs := len(key) <= 255 && !strings.ContainsAny(key, " \r\né")
		if asIs != (got == key) || len(got) > 255 || strings.ContainsAny(got, " \r\né") || keys[got] {
			t.Errorf("%q became %q", key, got)
		}
		keys[got] = true
	}
}
