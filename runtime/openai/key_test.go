package openai

import (
	"encoding/json"
	"strings"
	"testing"
)

// A server can echo the key that it was sent, in any part of a response.
func TestTheKeyIsHiddenInResponses(t *testing.T) {
	echoes := responds(200, `{"choices":[{"finish_reason":"`+testKey+`","message":{"content":"your key is `+testKey+`!","refusal":"`+testKey+`","tool_calls":[
		{"id":"`+testKey+`","type":"function","extra_content":{"s":"`+testKey+`"},"function":{"name":"f_`+testKey+`","arguments":"{\"k\":\"`+testKey+`\",\"n\":1.0}"}}]}}]}`)
	got, err := serve(t, echoes).model(t, Options{}).Generate(t.Context(), hello())
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	if err != nil || strings.Contains(string(text), testKey) || got.Content != "your key is [hidden key]!" {
		t.Errorf("%s, %v", text, err)
	}
	if c := got.Calls[0]; string(c.Args) != `{"k":"[hidden key]","n":1.0}` || string(c.Extra) != `{"OpenAI":{"s":"[hidden key]"}}` {
		t.Errorf("arguments %s, extra %s", c.Args, c.Extra)
	}
}
