// Package vocabulary is the one table of the properties of agents, tools, types,
// libraries and their entries, of the labels, and of the names of types. Checks,
// suggestions, completion, hover and the documentation read it.
package vocabulary

import (
	"slices"
)

// An Owner is a kind of thing that has properties.
type Owner string

// The owners.
const (
	OwnerHeader    Owner = "header"
	OwnerAgent     Owner = "agent"
	OwnerTool      Owner = "tool"
	OwnerParameter Owner = "parameter" // of a signature, or a node that is a field of a named type
	OwnerArguments Owner = "arguments" // all of a signature together: ({closed: true})
	OwnerResult    Owner = "result"
	OwnerField     Owner = "field" // name::{type: Text, …}
	OwnerType      Owner = "type"  // [Name:Type {…}]
	OwnerAlias     Owner = "alias" // a type that has no name of its own: (::Text {…}), Text(…)
	OwnerEnum      Owner = "enum"
	OwnerUnion     Owner = "union"
	OwnerLibrary   Owner = "library"
	OwnerProvider  Owner = "provider"
	OwnerCommand   Owner = "Command"
	OwnerHTTP      Owner = "Http"
	OwnerMCP       Owner = "Mcp"
	OwnerBuiltin   Owner = "Builtin" // any built-in; see Builtins
	OwnerTest      Owner = "test"
	OwnerUser      Owner = "User"
	OwnerModel     Owner = "Model"
	OwnerResultOf  Owner = "Result"
	OwnerFault     Owner = "Fault"
	OwnerExpect    Owner = "Expect"
)

// A Form is what the value of an attribute of a type is.
type Form uint8

// The forms.
const (
	FormOther    Form = iota // of what is no keyword of a schema
	FormText                 // text
	FormBool                 // true or false
	FormNumber               // a number
	FormStep                 // a number above 0
	FormCount                // 0, 1, 2 …
	FormRange                // 0..130
	FormRegexp               // a regular expression
	FormFormat               // a word such as email
	FormTypes                // a list of types
	FormEnum                 // a list of different values of the type
	FormList                 // a list of values of the type
	FormValue                // a value of the type
	FormKeywords             // an object of keywords of JSON Schema
)

// A Property is what a thing of gram can say of itself.
type Property struct {
	Key      string
	Owners   []Owner
	Meaning  string // a sentence or two
	Default  string // what holds without the property, in words; "" when there is nothing to say
	Example  string // the property as it is written
	Required bool
	Instead  string   // the property in whose place it can stand
	Form     Form     // of an attribute: how its value is read
	Keyword  string   // of an attribute: what JSON Schema calls it; "" when it is no keyword
	Types    []string // of an attribute: the types of JSON Schema that it applies to, "" for several; nil = all
	Values   []string // the words that it can be, where these are few
}

// Properties returns the properties that an owner can have, in the order in
// which people look for them.
func Properties(o Owner) []Property {
	var list []Property
	for _, p := range properties {
		if slices.Contains(p.Owners, o) {
			list = append(list, p)
		}
	}
	return list
}

// Keys returns the keys of the properties that an owner can have.
func Keys(o Owner) []string {
	var keys []string
	for i := range properties { // the rows are large
		if slices.Contains(properties[i].Owners, o) {
			keys = append(keys, properties[i].Key)
		}
	}
	return keys
}

// PropertyOf returns one property of an owner.
func PropertyOf(o Owner, key string) (p Property, known bool) {
	for _, p := range properties {
		if p.Key == key && slices.Contains(p.Owners, o) {
			return p, true
		}
	}
	return Property{}, false
}

// Values returns the words that a property of an owner can be.
func Values(o Owner, key string) []string {
	p, _ := PropertyOf(o, key)
	return p.Values
}

// A TypeName is a type of the language.
type TypeName struct {
	Name    string
	Kind    string // the type of JSON Schema, "" for any
	Meaning string
	Second  bool // another name of an earlier one
}

// TypeNames returns the types of the language that have names.
func TypeNames() []TypeName {
	return []TypeName{
		{"Text", "string", "a text", false},
		{"Int", "integer", "a whole number", false},
		{"Number", "number", "a number", false},
		{"Bool", "boolean", "true or false", false},
		{"Object", "object", "fields with names; {a::Text} declares them, without any it holds whatever fields there are", false},
		{"Array", "array", "a list; {of::Text} says of what", false},
		{"Map", "object", "values of one type under any names; {of::Text} says of which", false},
		{"Any", "", "anything", false},
		{"Null", "null", "null and nothing else", false},
		{"String", "string", "the same as Text", true},
		{"Integer", "integer", "the same as Int", true},
		{"Double", "number", "the same as Number", true},
		{"Boolean", "boolean", "the same as Bool", true},
	}
}

// A Word is a label, or another word that has a meaning of its own.
type Word struct {
	Name, Meaning string
	Owner         Owner // of the properties of what has the label; "" for rules
}

// Labels returns the labels of patterns at the top of a file.
func Labels() []Word {
	return []Word{
		{"Agent", "A model with an instruction and tools.", OwnerAgent},
		{"Tool", "Something that a model can call, described by a signature.", OwnerTool},
		{"Type", "A type with a name: an object, or another name of a type.", OwnerType},
		{"Enum", "A type that is one of some values.", OwnerEnum},
		{"Union", "A type that is one of some types.", OwnerUnion},
		{"Library", "What does the work of tools, in a file of its own.", OwnerLibrary},
		{"Test", "A conversation with an agent, and what must hold of it. gramc test runs it.", OwnerTest},
		{"Provider", "Who serves models, in a file of --providers or of the user's configuration.", OwnerProvider},
	}
}

// EntryLabels returns the labels of entries of a library.
func EntryLabels() []Word {
	return []Word{
		{"Command", "A program that is started for each call. It gets the arguments as JSON on standard input; what it writes is the result.", OwnerCommand},
		{"Http", "A service that is asked for each call.", OwnerHTTP},
		{"Mcp", "A server of the Model Context Protocol, started as a program or reached by its address. Its tools are tools of the library.", OwnerMCP},
		{"Builtin", "A tool that comes with gramc.", OwnerBuiltin},
	}
}

// StepLabels returns the labels of the elements of a test.
func StepLabels() []Word {
	return []Word{
		{"User", "A message of the user.", OwnerUser},
		{"Model", "A response of the scripted model: the next one to the message before it.", OwnerModel},
		{"Result", "What a tool returns in this test, in place of what its library does.", OwnerResultOf},
		{"Fault", "Something that goes wrong: a tool that fails, or a request to the model.", OwnerFault},
		{"Expect", "What must hold of the conversation up to here.", OwnerExpect},
	}
}

// RuleLabels returns the labels of rules of approval.
func RuleLabels() []Word {
	return []Word{
		{"Allow", "A call whose arguments match is made at once.", ""},
		{"Ask", "A call whose arguments match is made after a person has agreed to it.", ""},
		{"Deny", "A call whose arguments match is refused.", ""},
	}
}
