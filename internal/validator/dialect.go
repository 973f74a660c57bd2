package validator

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A draft is a version of JSON Schema.
type draft int

// The drafts.
const (
	draft4    draft = 4
	draft6    draft = 6
	draft7    draft = 7
	draft2019 draft = 2019
	draft2020 draft = 2020
)

// dialectNamed returns the draft of a $schema, 0 for others.
func dialectNamed(url string) draft {
	url, _ = strings.CutSuffix(url, "#")
	if rest, ok := strings.CutPrefix(url, "http://"); ok {
		url = rest
	} else {
		url = strings.TrimPrefix(url, "https://")
	}
	switch url {
	case "json-schema.org/schema", "json-schema.org/draft/2020-12/schema":
		return draft2020
	case "json-schema.org/draft/2019-09/schema":
		return draft2019
	case "json-schema.org/draft-07/schema":
		return draft7
	case "json-schema.org/draft-06/schema":
		return draft6
	case "json-schema.org/draft-04/schema":
		return draft4
	}
	return 0
}

// idKeyword returns the keyword that names a schema.
func (d draft) idKeyword() string {
	if d == draft4 {
		return "id"
	}
	return "$id"
}

// onlyRef reports whether a $ref hides all keywords beside it.
func (d draft) onlyRef() bool { return d < draft2019 }

// holdsSchemas reports whether there are schemas in the value of a keyword.
func (d draft) holdsSchemas(keyword string) bool {
	switch keyword {
	case "dependencies":
		return true
	case "$defs", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems", "contentSchema":
		return d >= draft2019
	case "prefixItems":
		return d >= draft2020
	case "if", "then", "else":
		return d >= draft7
	case "propertyNames", "contains":
		return d >= draft6
	}
	k, _ := jsonschema.KeywordNamed(keyword)
	return k.HasSchemas()
}

//go:embed meta/2020-12.json
var meta2020 string

//go:embed meta/draft-07.json
var meta7 string

//go:embed meta/draft-04.json
var meta4 string

// metaTree returns the schema of the schemas of a draft. That of 2019-09 is made of
// that of 2020-12; draft 6 has that of draft 7, which only adds keywords.
func (d draft) metaTree() *jsonschema.Node {
	switch d {
	case draft4:
		return treeOf(meta4)
	case draft6, draft7:
		return treeOf(meta7)
	case draft2020:
		return treeOf(meta2020)
	}
	root := treeOf(meta2020)
	properties := root.Get("properties").Edit()
	properties.Remove("prefixItems", "$dynamicRef", "$dynamicAnchor")
	properties.Set("items", treeOf(`{"anyOf": [{"$ref": "#"}, {"$ref": "#/$defs/schemaArray"}]}`))
	properties.Set("additionalItems", root.Get("properties").Get("items"))
	properties.Set("$recursiveAnchor", treeOf(`{"type": "boolean"}`))
	edited := root.Edit()
	edited.Set("properties", properties.Node(nil))
	return edited.Node(nil)
}

var (
	compiledMeta2020 = sync.OnceValue(func() *Schema { return compiledDialect(draft2020) })
	compiledMeta2019 = sync.OnceValue(func() *Schema { return compiledDialect(draft2019) })
	compiledMeta7    = sync.OnceValue(func() *Schema { return compiledDialect(draft7) })
	compiledMeta4    = sync.OnceValue(func() *Schema { return compiledDialect(draft4) })
)

// meta returns the schema of the schemas of a draft, compiled once.
func (d draft) meta() *Schema {
	switch d {
	case draft4:
		return compiledMeta4()
	case draft6, draft7:
		return compiledMeta7()
	case draft2019:
		return compiledMeta2019()
	}
	return compiledMeta2020()
}

func compiledDialect(d draft) *Schema {
	schema, err := compile(d.metaTree())
	if err != nil {
		panic("validator: " + err.Error())
	}
	return schema
}
