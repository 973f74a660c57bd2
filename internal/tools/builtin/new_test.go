package builtin_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/tools/builtin"
	"github.com/gram-lang/gramc/runtime"
)

func optionsOf(t *testing.T, name string) builtin.Options {
	if strings.Contains(name, "file") || strings.Contains(name, "directory") {
		return builtin.Options{Root: t.TempDir()}
	}
	return builtin.Options{}
}

// The requirements give the schemas of four built-ins, word for word.
func TestSchemasAreThoseOfTheRequirements(t *testing.T) {
	seed := golden.Read(t, golden.Shared(t, "seeds", "003_8365c5328c6b0816.txt"))
	for name, heading := range map[string]string{
		"read_file": "readFileTool", "write_file": "writeFileTool", "list_directory": "listDirectoryTool", "calculator": "calculatorTool",
	} {
		_, section, _ := strings.Cut(seed, "#### "+heading+"\n")
		blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(section, 2)
		tool, err := builtin.New(name, optionsOf(t, name))
		if err != nil || len(blocks) != 2 {
			t.Fatalf("%s: %v, %d schemas", name, err, len(blocks))
		}
		for i, have := range []json.RawMessage{tool.Input(), tool.Output()} {
			var w, h any
			if json.Unmarshal([]byte(blocks[i][1]), &w) != nil || json.Unmarshal(have, &h) != nil || !reflect.DeepEqual(w, h) {
				t.Errorf("%s has the schema %s, want %s", name, have, blocks[i][1])
			}
		}
	}
}

func TestBuiltinsBindToContractsWithTheirArguments(t *testing.T) {
	for _, name := range builtin.Names() {
		if name == "sayHello" { // takes what the contract says
			continue
		}
		o := optionsOf(t, name)
		o.Name = "another_name"
		tool, err := builtin.New(name, o)
		if err != nil {
			t.Fatal(err)
		}
		var lib runtime.Library
		if lib, err = lib.Add("another_name", tool); err != nil {
			t.Fatal(err)
		}
		for what, tt := range map[string]struct {
			change func(*runtime.Contract)
			want   string
		}{
			"its own":          {func(*runtime.Contract) {}, ""},
			"text as a result": {func(c *runtime.Contract) { c.Output = json.RawMessage(`{"type":"string"}`) }, ""},
			"a closed result": {func(c *runtime.Contract) {
				c.Output = json.RawMessage(strings.Replace(string(c.Output), "{", `{"additionalProperties":false,`, 1))
			}, ""},
			"another result": {func(c *runtime.Contract) { c.Output = json.RawMessage(`{"type":"integer"}`) }, "the tool returns object, but the agent expects integer"},
			"another argument": {func(c *runtime.Contract) {
				c.Input = json.RawMessage(strings.Replace(string(c.Input), `"string"`, `"integer"`, 1))
			}, ": integer is not allowed"},
			"more arguments": {func(c *runtime.Contract) {
				c.Input = json.RawMessage(strings.Replace(string(c.Input), `"properties": {`, `"properties": {"more": {},`, 1))
			}, `the property "more" is not allowed`},
		} {
			c := runtime.Contract{Name: "another_name", Description: "Words of the agent", Input: tool.Input(), Output: tool.Output()}
			tt.change(&c)
			bound, err := lib.Bind([]runtime.Contract{c}, nil)
			switch {
			case tt.want == "" && (err != nil || bound[0].Description() != "Words of the agent"):
				t.Errorf("%s, %s: %v", name, what, err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%s, %s: %v, want %q", name, what, err, tt.want)
			}
		}
	}
}

func TestOnlyWhatIsAskedForIsThere(t *testing.T) {
	if names := builtin.Library().Names(); !slices.Equal(names, []string{"sayHello"}) {
		t.Errorf("without a library file there are %v", names)
	}
	for _, tt := range []struct {
		name string
		o    builtin.Options
		want string
	}{
		{"read_flie", builtin.Options{}, `unknown built-in "read_flie"; did you mean read_file?`},
		{"shell", builtin.Options{}, `unknown built-in "shell"`},
		{"read_file", builtin.Options{}, "built-in read_file: it needs a root, the folder that it may use"},
		{"write_file", builtin.Options{Root: t.TempDir() + "/none"}, "cannot be opened: no such file or directory"},
		{"calculator", builtin.Options{Root: "."}, "built-in calculator: it uses no files; leave out root and hidden"},
		{"sayHello", builtin.Options{Hidden: true}, "built-in sayHello: it uses no files; leave out root and hidden"},
	} {
		if _, err := builtin.New(tt.name, tt.o); err == nil || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%s with %+v: got %v, want %q", tt.name, tt.o, err, tt.want)
		}
	}
}

func TestAnArgumentInOtherLettersIsNotTheArgument(t *testing.T) {
	root := tree(t, map[string]string{"a.txt": "a", "b.txt": "b"})
	tool, err := builtin.New("read_file", builtin.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{`{"path":"a.txt","Path":"b.txt","PATH":"b.txt"}`, `{"Path":"b.txt"}`} {
		got, err := tool.Invoke(t.Context(), json.RawMessage(args), 0)
		if err == nil || !strings.Contains(err.Error(), `unknown field "Path"; did you mean "path"?`) {
			t.Errorf("%s: got %s, %v", args, got, err)
		}
	}
}

func TestCalculator(t *testing.T) {
	for expression, want := range map[string]string{
		"0.1 + 0.2":            `{"result":0.3}`,
		"9007199254740993 + 1": `{"result":9007199254740994}`,
		"10^998":               `{"result":1` + strings.Repeat("0", 998) + `}`,
		"-10^998":              `{"result":-1` + strings.Repeat("0", 998) + `}`,
		"exp(-2000)":           `{"result":2.5765358729611496e-869}`,
		"2^1000000000":         "at character 2: the number is too large",
		"1 +":                  "at character 4: a number is missing before the end",
	} {
		got, err := call(t, "calculator", builtin.Options{}, map[string]any{"expression": expression})
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", expression, got, want)
		}
	}
}

func TestCurrentTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // it is midnight, 1 January 2000, UTC
		unknown := `; use a name such as Europe/Berlin, America/New_York or UTC`
		for zone, want := range map[string]string{
			"":                 `{"time":"2000-01-01T00:00:00Z","timezone":"UTC","weekday":"Saturday","unix":946684800}`,
			"UTC":              `{"time":"2000-01-01T00:00:00Z","timezone":"UTC","weekday":"Saturday","unix":946684800}`,
			"Asia/Kolkata":     `{"time":"2000-01-01T05:30:00+05:30","timezone":"Asia/Kolkata","weekday":"Saturday","unix":946684800}`,
			"America/New_York": `{"time":"1999-12-31T19:00:00-05:00","timezone":"America/New_York","weekday":"Friday","unix":946684800}`,
			"Local":            `unknown time zone "Local"` + unknown,
			"Mars/Olympus":     `unknown time zone "Mars/Olympus"` + unknown,
			"../../etc/passwd": `unknown time zone "../../etc/passwd"` + unknown,
			"/etc/localtime":   `unknown time zone "/etc/localtime"` + unknown,
			"+02:00":           `unknown time zone "+02:00"` + unknown,
		} {
			got, err := call(t, "current_time", builtin.Options{}, map[string]any{"timezone": zone})
			if err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%q: got %s, want %s", zone, got, want)
			}
		}
		if got, err := call(t, "current_time", builtin.Options{}, map[string]any{}); err != nil || !strings.Contains(got, `"UTC"`) {
			t.Errorf("without a time zone: %s, %v", got, err)
		}
	})
}
