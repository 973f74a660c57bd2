package compat

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func aLock() *Lock {
	return &Lock{Tools: []Locked{
		{Name: "write", From: "Builtin write_file", Description: "Writes <a> file", Input: json.RawMessage(`{"type":"object", "properties":{"b":{"type":"string"},"a":{"maximum":1.0}}}`)},
		{Name: "add", From: "Command calc", Description: "Adds", Input: json.RawMessage(`{"type":"object"}`), Output: json.RawMessage(`true`)},
	}}
}

const aLockText = `{
  "version": 1,
  "tools": [
    {
      "name": "add",
      "from": "Command calc",
      "description": "Adds",
      "input": {
        "type": "object"
      },
      "output": true,
      "sha256": {
        "description": "HASH",
        "input": "HASH",
        "output": "HASH"
      }
    },
    {
      "name": "write",
      "from": "Builtin write_file",
      "description": "Writes <a> file",
      "input": {
        "properties": {
          "a": {
            "maximum": 1.0
          },
          "b": {
            "type": "string"
          }
        },
        "type": "object"
      },
      "sha256": {
        "description": "HASH",
        "input": "HASH"
      }
    }
  ]
}
`

func TestALockIsAlwaysTheSameText(t *testing.T) {
	text, err := aLock().JSON()
	if err != nil {
		t.Fatal(err)
	}
	hidden := regexp.MustCompile(`"[0-9a-f]{64}"`).ReplaceAllString(string(text), `"HASH"`)
	if diff := cmp.Diff(aLockText, hidden); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(string(text), fmt.Sprintf("%x", sha256.Sum256([]byte(`{"type":"object"}`)))) {
		t.Error("the hash is not that of the schema")
	}
	other := aLock()
	other.Tools[0], other.Tools[1] = other.Tools[1], other.Tools[0]
	other.Tools[1].Input = json.RawMessage(`{"properties":{"a":{"maximum":1.0},"b":{"type":"string"}},"type":"object"}`)
	again, err := other.JSON()
	if err != nil || string(again) != string(text) {
		t.Errorf("%v\n%s", err, cmp.Diff(string(text), string(again)))
	}
	read, err := ReadLock("x.lock", text)
	if err != nil {
		t.Fatal(err)
	}
	if changes := aLock().Compare(read); len(changes) > 0 {
		t.Errorf("what was read differs: %s", printed(changes))
	}
	if again, err := read.JSON(); err != nil || string(again) != string(text) {
		t.Errorf("%v\n%s", err, cmp.Diff(string(text), string(again)))
	}
	if empty, err := (&Lock{}).JSON(); err != nil || string(empty) != "{\n  \"version\": 1,\n  \"tools\": []\n}\n" {
		t.Errorf("%v: %s", err, empty)
	}
}

func TestWhatChangedSinceTheLock(t *testing.T) {
	now := aLock()
	now.Tools[0].From, now.Tools[0].Description = "Mcp files", "Writes"
	now.Tools[1] = Locked{Name: "sub", From: "Command calc", Input: json.RawMessage(`{}`)}
	want := `+ write /from the tool comes from "Mcp files" now, and came from "Builtin write_file"
+ sub the tool is new
+ write /description the description has changed; the model reads another text
- add the tool is gone
`
	if diff := cmp.Diff(want, printed(aLock().Compare(now))); diff != "" {
		t.Error(diff)
	}
}

func TestALockThatSaysNothingOfRepeatIsNotCompared(t *testing.T) {
	now, before := aLock(), aLock()
	now.Tools[0].Repeat, now.Tools[1].Repeat, before.Tools[1].Repeat = "safe", "safe", "once"
	want := "- add /repeat the repeat of the tool is safe now, and was once; a call of unknown outcome may be made again now\n"
	if diff := cmp.Diff(want, printed(before.Compare(now))); diff != "" {
		t.Error(diff)
	}
	text, err := now.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if read, err := ReadLock("a.lock", text); err != nil || read.Lookup("add").Repeat != "safe" {
		t.Error(err, read)
	}
}

func TestNoLock(t *testing.T) {
	for name, tt := range map[string]struct {
		tools []Locked
		want  string
	}{
		"no name":   {[]Locked{{Input: json.RawMessage(`{}`)}}, "tools[0]: the tool has no name"},
		"twice":     {[]Locked{{Name: "a", Input: json.RawMessage(`{}`)}, {Name: "a", Input: json.RawMessage(`{}`)}}, `the tool "a" occurs twice`},
		"no schema": {[]Locked{{Name: "a"}}, `tool "a": the schema of the arguments is missing`},
		"no JSON":   {[]Locked{{Name: "a", Input: json.RawMessage(`{}`), Output: json.RawMessage(`{`)}}, `tool "a": the schema of the result is not JSON`},
		"a text":    {[]Locked{{Name: "a", Input: json.RawMessage(`"x"`)}}, `tool "a": the schema of the arguments is no JSON Schema, which is an object`},
	} {
		if _, err := (&Lock{Tools: tt.tools}).JSON(); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}

func TestALockThatCannotBeRead(t *testing.T) {
	good, err := aLock().JSON()
	if err != nil {
		t.Fatal(err)
	}
	replaced := func(old, new string) string {
		if !strings.Contains(string(good), old) {
			t.Fatalf("%s is not in the lock", old)
		}
		return strings.Replace(string(good), old, new, 1)
	}
	for name, tt := range map[string]struct{ text, want string }{
		"nothing":          {"", "x.lock: this is no lock file: not JSON at byte 0: unexpected end of JSON input"},
		"no JSON":          {"{]", "x.lock: this is no lock file: not JSON at byte 2: invalid character ']' looking for beginning of object key string"},
		"something else":   {"[]", "x.lock: this is no lock file: it has no version"},
		"another file":     {"{}", "x.lock: this is no lock file: it has no version"},
		"a later version":  {`{"version": 2, "tools": 3}`, "x.lock: version 2 of lock files is not known here; only version 1 is"},
		"an unknown field": {replaced(`"from"`, `"form"`), `x.lock: this is no lock file: unknown field "form"`},
		"another type":     {replaced(`"Command calc"`, `7`), "x.lock: this is no lock file: tools.from is a JSON number"},
		"changed words":    {replaced(`"Adds"`, `"Subtracts"`), `x.lock: tool "add": its description is not the one of its sha256: the file was changed by hand; write a new lock`},
		"a changed schema": {replaced(`"type": "object"`, `"type": "array"`), `x.lock: tool "add": its input is not the one of its sha256: the file was changed by hand; write a new lock`},
		"a lost result":    {replaced("      \"output\": true,\n", ""), `x.lock: tool "add": its output is not the one of its sha256: the file was changed by hand; write a new lock`},
		"twice":            {replaced(`"name": "write"`, `"name": "add"`), `x.lock: the tool "add" occurs twice`},
	} {
		if _, err := ReadLock("x.lock", []byte(tt.text)); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", name, err, tt.want)
		}
	}
}

// Indenting a deep schema could make it huge.
func TestALockOfADeepSchemaIsSmall(t *testing.T) {
	const depth = 2000
	schema := json.RawMessage(strings.Repeat(`{"items":`, depth) + "{}" + strings.Repeat("}", depth))
	text, err := (&Lock{Tools: []Locked{{Name: "a", Input: schema}}}).JSON()
	if err != nil || len(text) > len(schema)+1000 {
		t.Fatalf("%v: %d bytes of %d", err, len(text), len(schema))
	}
	if _, err := ReadLock("x.lock", text); err != nil {
		t.Error(err)
	}
}
