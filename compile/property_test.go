package compile

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/grammar"
)

// A sample is a random type in its notations, with a random value of it.
type sample struct {
	expression string // {a: Text}
	attributes string // of a node with the label: fields:[…]
	label      string // Object
	value      string // {a:"x"}
}

func drawSample(t *rapid.T, depth int) sample {
	kinds := []string{"text", "int", "double", "bool", "object", "array"}
	if depth > 0 {
		kinds = append(kinds, "of", "fields")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "text":
		word := rapid.StringN(0, 5, -1).Draw(t, "text")
		return plain(t, "Text", "String", ast.Print(&ast.String{Text: word}))
	case "int":
		return plain(t, "Int", "Integer", strconv.FormatInt(rapid.Int64().Draw(t, "int"), 10))
	case "double":
		f := rapid.Float64Range(-1e6, 1e6).Draw(t, "double")
		return plain(t, "Double", "Number", strconv.FormatFloat(f, 'f', 6, 64))
	case "bool":
		return plain(t, "Bool", "Boolean", strconv.FormatBool(rapid.Bool().Draw(t, "bool")))
	case "object":
		return sample{expression: "Object", label: "Object", value: "{a:[1, 'x']}"}
	case "array":
		return sample{expression: "Array", label: "Array", value: "[{a:1}, true]"}
	case "of":
		elem := drawSample(t, depth-1)
		return sample{
			expression: "[" + elem.expression + "]", label: "Array",
			attributes: "of:`" + elem.expression + "`", value: "[" + elem.value + ", " + elem.value + "]",
		}
	}
	return drawObject(t, depth)
}

func plain(t *rapid.T, a, b, value string) sample {
	name := rapid.SampledFrom([]string{a, b}).Draw(t, "name")
	return sample{expression: name, label: name, value: value}
}

func drawObject(t *rapid.T, depth int) sample {
	var expression, fields, values []string
	for i := range rapid.IntRange(0, 3).Draw(t, "fields") {
		field := drawSample(t, depth-1)
		name := fmt.Sprintf("f%d", i)
		entry := fmt.Sprintf("name:%q, type:`%s`", name, field.expression)
		maybe := ""
		if rapid.Bool().Draw(t, "optional") {
			maybe = "Maybe "
			entry += ", optional:true"
		}
		if maybe == "" || rapid.Bool().Draw(t, "present") {
			values = append(values, name+":"+field.value)
		}
		expression = append(expression, name+": "+maybe+field.expression)
		fields = append(fields, "{"+entry+"}")
	}
	return sample{
		expression: "{" + strings.Join(expression, ", ") + "}", label: "Object",
		attributes: "fields:[" + strings.Join(fields, ", ") + "]", value: "{" + strings.Join(values, ", ") + "}",
	}
}

// node writes a sample as a node, as an expression or with attributes.
func (s sample) node(t *rapid.T, name string, more ...string) string {
	label := "`" + s.expression + "`"
	if s.attributes != "" && rapid.Bool().Draw(t, "attributes") {
		label = s.label
		more = append(more, s.attributes)
	}
	return fmt.Sprintf("(%s::%s {%s})", name, label, strings.Join(more, ", "))
}

func drawSignature(t *rapid.T) string {
	nodes := []string{}
	for i := range rapid.IntRange(0, 4).Draw(t, "params") {
		s := drawSample(t, 3)
		var more []string
		switch rapid.IntRange(0, 3).Draw(t, "modifier") {
		case 0:
			more = []string{"default:" + s.value}
		case 1:
			more = []string{"optional:true", "description:'<&>'"}
		}
		nodes = append(nodes, s.node(t, fmt.Sprintf("p%d", i), more...))
	}
	if len(nodes) == 0 {
		nodes = []string{"()"}
	}
	return strings.Join(append(nodes, drawSample(t, 3).node(t, "")), "==>")
}

func TestAnyTypeGivesAValidSchemaAndSurvivesEveryForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawSignature(t)
		f, problems := grammar.Parse("random", `[a:Agent {instruction:"i", model:"OpenAI/m"} | [t:Tool {description:"d"} | `+text+`]]`)
		if problems != nil {
			t.Fatalf("%s: %v", text, problems.Err())
		}
		program, problems := File(f, nil)
		if program == nil {
			t.Fatalf("%s: %v", text, problems.Err())
		}
		wantIdentity(t, program)
		read, err := ReadProgram("ir", program.JSON(), nil)
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, program, read)
		checkSchema(t, text, program.Agents[0].Tools[0])
	})
}

func checkSchema(t *rapid.T, text string, tool *Tool) {
	model, err := types.TypeSignatureToJSONSchema(text)
	if err != nil {
		t.Fatal(err)
	}
	marshalled, err := json.Marshal(model)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(exact(t, tool.Schema()), exact(t, marshalled)); diff != "" {
		t.Fatal(diff)
	}
	compiled(t, tool.OutputSchema())
	arguments := compiled(t, tool.Schema())
	value := map[string]any{}
	for _, p := range tool.Signature.Params {
		if p.Default != nil {
			value[p.Name] = exact(t, p.Default)
		} else if !p.Optional {
			return
		}
	}
	if err := arguments.Validate(value); err != nil {
		t.Fatalf("%s: the defaults are not valid by %s: %v", text, tool.Schema(), err)
	}
}
