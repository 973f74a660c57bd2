package runtime

import (
	"encoding/json"
	"testing"
)

func TestApprovalDecides(t *testing.T) {
	a := Approval{Default: Ask, Rules: []ApprovalRule{
		{map[string]string{"path": "*secret*"}, Deny},
		{map[string]string{"path": "*.env"}, Deny},
		{map[string]string{"path": "drafts/*", "mode": "append"}, Allow},
		{map[string]string{"path": "exact/../file"}, Allow},
		{map[string]string{"path": "tmp/*/x*y"}, Allow},
		{map[string]string{"n": "7"}, Deny},
		{map[string]string{"half": "ab*ba"}, Deny},
		{map[string]string{"list": "*.env"}, Deny},
		{map[string]string{"list": "drafts/*"}, Allow},
		{map[string]string{"all": `["a","b"]`}, Allow},
	}}
	for _, tt := range []struct {
		args string
		want Decision
	}{
		{`{"path":"a.txt"}`, Ask},
		{`{}`, Ask},
		{`{"path":"drafts/a","mode":"append"}`, Allow},
		{`{"path":"drafts/a","mode":"replace"}`, Ask},
		{`{"path":"drafts/a"}`, Ask},
		{`{"path":"drafts/../a","mode":"append"}`, Ask},
		{`{"path":"drafts\\..\\a","mode":"append"}`, Ask},
		{`{"path":"drafts/..a","mode":"append"}`, Allow},
		{`{"path":"exact/../file"}`, Allow},
		{`{"path":"x/.env"}`, Deny},
		{`{"path":"x/.ENV"}`, Deny},
		{`{"path":"x/.env/."}`, Deny},
		{`{"path":"x\\.env\\."}`, Deny},
		{`{"path":"x/.env/y/.."}`, Deny},
		{`{"path":"my Secrets/x"}`, Deny},
		{`{"path":"tmp/a/xzy"}`, Allow},
		{`{"path":"tmp/a/xy"}`, Allow},
		{`{"path":"tmp/xy"}`, Ask},
		{`{"half":"aba"}`, Ask}, // one b is not two
		{`{"half":"abba"}`, Deny},
		{`{"n":7}`, Deny},
		{`{"n":"7"}`, Deny},
		{`{"n":71}`, Ask},
		{`{"n":7.0}`, Deny},
		{`{"n":0.7e1}`, Deny},
		{`{"path":"x/.\u0065nv"}`, Deny},
		{`{"path":"my \u017fecret\u212a"}`, Deny}, // letters that are s and k in another case
		{`{"list":["a",{"b":"C/../x.EN\u0056"}]}`, Deny},
		{`{"list":["drafts/a"]}`, Ask},
		{`{"list":"drafts/a"}`, Allow},
		{`{"all":[ "a","\u0062" ]}`, Allow},
		{`[]`, Deny},
	} {
		if got := a.Decide(json.RawMessage(tt.args)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.args, got, tt.want)
		}
	}
	if got := (Approval{}).Decide(json.RawMessage(`{}`)); got != Allow {
		t.Errorf("the zero Approval says %s", got)
	}
}
