package runtime

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	internaljson "github.com/gram-lang/gramc/internal/jsonschema"
)

func FuzzArgumentsAreTheDecodedText(f *testing.F) {
	for _, text := range []string{
		` { "a" : [ 1 , -2.5e+3,"x\"\\" ,null ] , "b\u0061":{} } `, `[]`, `"\ud800"`, `0`, `[[],[{}]] `, `{"a":1,"a":true}`, "{\"\xff\":1}", `{`, ``,
	} {
		f.Add([]byte(text))
	}
	schema, err := CompileSchema(json.RawMessage(
		`{"properties":{"a":{"items":{"properties":{"d":{"default":1}}}},"d":{"default":"x"}}}`))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		root, duplicates, err := readJSON(text)
		anyNumber := func(string) bool { return true }
		if plain := internaljson.IsPlain(string(text), anyNumber); plain != (err == nil && duplicates == nil) {
			t.Fatalf("plain is %t, the error %v, duplicates %v", plain, err, duplicates)
		}
		if (err == nil) != (json.Valid(text) && utf8.Valid(text)) {
			t.Fatalf("error %v for text that is valid: %t", err, (json.Valid(text) && utf8.Valid(text)))
		}
		if err != nil {
			return
		}
		want, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Skip("the decoder refuses what the scanner accepts")
		}
		if got := root.Decode(); !reflect.DeepEqual(got, want) {
			t.Errorf("got %#v, want %#v", got, want)
		}
		filled := fill(schema, root)
		if !json.Valid(filled.Append(nil)) || len(filled.Raw()) < len(root.Raw()) {
			t.Errorf("filled to %q", filled.Raw())
		}
		if again := fill(schema, filled); again != filled {
			t.Errorf("filled twice to %q", again.Raw())
		}
	})
}
