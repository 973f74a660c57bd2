package compile

import (
	"slices"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
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
	OwnerCommand   Owner = Owner(library.EntryCommand)
	OwnerHTTP      Owner = Owner(library.EntryHTTP)
	OwnerMCP       Owner = Owner(library.EntryMCP)
	OwnerBuiltin   Owner = Owner(library.EntryBuiltin) // any built-in; see Builtins
)

// A Documentation says what a property means to its owners.
type Documentation struct {
	Key      string
	Owners   []Owner
	Meaning  string // a sentence or two
	Default  string // what holds without the property, in words; "" when there is nothing to say
	Example  string // the property as it is written
	Required bool
	Types    []types.Kind // of an attribute: the types that it says something of; nil = all
	Values   []string     // the words that it can be, where these are few
}

// Properties returns the documentation of what an owner can have, in the order
// in which people look for it.
func Properties(o Owner) []Documentation {
	var list []Documentation
	for _, d := range documentation() {
		if slices.Contains(d.Owners, o) {
			if a := types.AttributeNamed(d.Key); a != nil && slices.Contains(attributeOwners, o) {
				d.Types = a.On
			}
			list = append(list, d)
		}
	}
	return list
}

// PropertyOf returns the documentation of one property of an owner.
func PropertyOf(o Owner, key string) (d Documentation, known bool) {
	all := Properties(o)
	i := slices.IndexFunc(all, func(d Documentation) bool { return d.Key == key })
	if i < 0 {
		return Documentation{}, false
	}
	return all[i], true
}

// A TypeName is a type of the language.
type TypeName struct {
	Name    string
	Meaning string
	Second  bool // another name of an earlier one
}

// TypeNames returns the types of the language that have names.
func TypeNames() []TypeName {
	return []TypeName{
		{"Text", "a text", false},
		{"Int", "a whole number", false},
		{"Number", "a number", false},
		{"Bool", "true or false", false},
		{"Object", "fields with names; {a::Text} declares them, without any it holds whatever fields there are", false},
		{"Array", "a list; {of::Text} says of what", false},
		{"Map", "values of one type under any names; {of::Text} says of which", false},
		{"Any", "anything", false},
		{"Null", "null and nothing else", false},
		{"String", "the same as Text", true},
		{"Integer", "the same as Int", true},
		{"Double", "the same as Number", true},
		{"Boolean", "the same as Bool", true},
	}
}

// A Word is a label, or another word that has a meaning of its own.
type Word struct {
	Name, Meaning string
}

// Labels returns the labels of patterns at the top of a file.
func Labels() []Word {
	return []Word{
		{"Agent", "A model with an instruction and tools."},
		{"Tool", "Something that a model can call, described by a signature."},
		{"Type", "A type with a name: an object, or another name of a type."},
		{"Enum", "A type that is one of some values."},
		{"Union", "A type that is one of some types."},
		{"Library", "What does the work of tools, in a file of its own."},
	}
}

// EntryLabels returns the labels of entries of a library.
func EntryLabels() []Word {
	return []Word{
		{string(library.EntryCommand), "A program that is started for each call. It gets the arguments as JSON on standard input; what it writes is the result."},
		{string(library.EntryHTTP), "A service that is asked for each call."},
		{string(library.EntryMCP), "A server of the Model Context Protocol, started as a program or reached by its address. Its tools are tools of the library."},
		{string(library.EntryBuiltin), "A tool that comes with gramc."},
	}
}

// RuleLabels returns the labels of rules of approval.
func RuleLabels() []Word {
	return []Word{
		{"Allow", "A call whose arguments match is made at once."},
		{"Ask", "A call whose arguments match is made after a person has agreed to it."},
		{"Deny", "A call whose arguments match is refused."},
	}
}

// KnownModels returns models that many people use, as agents name them. There
// are others.
func KnownModels() []Model {
	var models []Model
	for i, ids := range [][]string{
		{"gpt-4o-mini", "gpt-4o", "gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano", "gpt-5", "gpt-5-mini", "gpt-5-nano", "o3", "o4-mini"},
		{"claude-sonnet-4-5", "claude-haiku-4-5", "claude-opus-4-1", "claude-sonnet-4-0", "claude-3-5-haiku-latest"},
		{"gemini-2.5-flash", "gemini-2.5-pro", "gemini-2.5-flash-lite", "gemini-2.0-flash"},
	} {
		for _, id := range ids {
			models = append(models, Model{Provider: providers()[i], ID: id})
		}
	}
	return models
}
