package mcp

import (
	"encoding/json"
	"strings"
	"testing"
)

func FuzzOffer(f *testing.F) {
	f.Add([]byte(`{"name":"x","icons":[],"name":"y"}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var o toolOffer
		if json.Unmarshal(text, &o) != nil {
			return
		}
		out, err := o.renamed("z", "d")
		if err != nil || !json.Valid([]byte(out.Raw())) || out.Get("name").Text() != "z" {
			t.Errorf("%s gives %s, %v", text, out.Raw(), err)
		}
	})
}

func TestWhatIsLeftOutIsCounted(t *testing.T) {
	for data, want := range map[string]string{"": "[x, 0 bytes left out]", "ab": "[x, 2 bytes left out]"} {
		if got := leftOutOfCall("x", "", []byte(data)); got != want {
			t.Errorf("%s: got %s, want %s", data, got, want)
		}
	}
}

func TestShortListNamesTwenty(t *testing.T) {
	names := strings.Fields(strings.Repeat("t ", 21))
	if got := shortToolList(names[:20]); strings.Contains(got, "more") {
		t.Errorf("twenty are %s", got)
	}
	if got := shortToolList(names); !strings.HasSuffix(got, `"t"] and 1 more`) {
		t.Errorf("twenty-one are %s", got)
	}
}
