package library

import (
	"encoding/json"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// This file holds the data that a library file means:
//
//	[local:Library {timeout: 5s} |
//	  [sayHello:Command {run: ["./say-hello"]}],
//	  [read_file:Builtin {root: "./data"}]]

// A Library says which tools there are and what does their work. It is plain
// data: nothing is opened, run or looked up. It is not changed after it was
// made.
type Library struct {
	Name        string       `json:"name,omitempty"` // may be empty
	Description string       `json:"description,omitempty"`
	TimeoutMS   int64        `json:"timeoutMs,omitempty"` // of entries that say nothing; 0 means the limit of the run
	Approve     Approval     `json:"approve,omitempty"`   // of entries that say nothing
	Entries     []*Entry     `json:"entries"`             // in the order of the text
	Place       source.Place `json:"span,omitzero"`       // paths are relative to its file

	Pattern *ast.Pattern `json:"-"` // nil in a program that was read
}

// The kinds of entries.
const (
	EntryCommand EntryKind = "Command"
	EntryHTTP    EntryKind = "Http"
	EntryMCP     EntryKind = "Mcp"
	EntryBuiltin EntryKind = "Builtin"
)

// An Approval says whether a call needs a person to agree. The zero Approval
// says nothing.
type Approval string

// The approvals.
const (
	ApproveAllow Approval = "allow" // it does not
	ApproveAsk   Approval = "ask"   // it does
	ApproveDeny  Approval = "deny"  // it is refused
)

// A Rule is an approval for the calls of which all arguments match.
type Rule struct {
	Approve   Approval `json:"approve"`
	Arguments []Match  `json:"arguments"` // at least one
}

// A Match is a pattern for the text of one argument, in which * stands for any
// run of characters.
type Match struct {
	Argument string `json:"argument"`
	Pattern  string `json:"pattern"`
}

// A Trait is what a tool can do to an agent. An agent with tools of all three
// can be talked into giving away what it knows.
type Trait string

// The traits.
const (
	TraitPrivate   Trait = "private"   // it reads private data
	TraitUntrusted Trait = "untrusted" // it takes in text that strangers may have written
	TraitOutbound  Trait = "outbound"  // it sends data to the outside
)

// A Command is a program that is run for each call.
type Command struct {
	Run    []Text     `json:"run,omitempty"`    // program and arguments; the arguments are templates
	Shell  string     `json:"shell,omitempty"`  // instead of Run: what the shell runs, as it is
	Dir    Text       `json:"dir,omitzero"`     // empty means the folder of the library file
	Env    []Variable `json:"env,omitempty"`    // what the program gets besides
	Output string     `json:"output,omitempty"` // json, text, or "" when nothing is said
}

// An HTTP is a service that is asked for each call.
type HTTP struct {
	Method     string          `json:"method"` // GET when nothing is said
	URL        Text            `json:"url"`    // its path and query are templates
	Headers    []Variable      `json:"headers,omitempty"`
	Body       string          `json:"body,omitempty"`    // json, form, or "" when nothing is said
	Query      json.RawMessage `json:"query,omitempty"`   // what is in the query besides: an object; see Content
	Content    json.RawMessage `json:"content,omitempty"` // the body; in it "{name}" stands for an argument
	Slashes    []string        `json:"slashes,omitempty"` // arguments that are several segments of the path
	Commas     []string        `json:"commas,omitempty"`  // lists that are sent with commas between their items
	Result     string          `json:"result,omitempty"`  // a JSON Pointer into the answer
	AllowHosts []string        `json:"allowHosts,omitempty"`
}

// An MCP is a server of the Model Context Protocol: a program that is run, or
// an address.
type MCP struct {
	Command    []Text     `json:"command,omitempty"` // program and arguments
	Dir        Text       `json:"dir,omitzero"`      // empty means the folder of the library file
	Env        []Variable `json:"env,omitempty"`
	URL        Text       `json:"url,omitzero"` // instead of Command
	Headers    []Variable `json:"headers,omitempty"`
	AllowHosts []string   `json:"allowHosts,omitempty"`
	Allow      []string   `json:"allow,omitzero"`   // only these tools, as the server calls them; nil means all
	Prefix     string     `json:"prefix,omitempty"` // put before the name of each tool
}

// A Builtin is a tool that gramc has.
type Builtin struct {
	Builtin    string   `json:"builtin"`          // which one
	Root       Text     `json:"root,omitzero"`    // of those for files: the folder that they see
	Hidden     bool     `json:"hidden,omitempty"` // of those for files: names such as .env are there too
	Engine     string   `json:"engine,omitempty"` // of web_search: SerpAPI, GoogleCustomSearch or Bing
	Key        Text     `json:"key,omitzero"`     // of web_search
	ID         Text     `json:"id,omitzero"`      // of web_search with GoogleCustomSearch
	MaxResults int64    `json:"maxResults,omitempty"`
	Language   string   `json:"language,omitempty"` // of wikipedia
	URL        Text     `json:"url,omitzero"`       // of web_search and wikipedia: another server
	AllowHosts []string `json:"allowHosts,omitempty"`
}

// A Variable is an environment variable or a header.
type Variable struct {
	Name  string `json:"name"`
	Value Text   `json:"value"`
}

// Span returns where the name of the library stands, or what comes closest.
func (l *Library) Span() source.Span {
	if l.Pattern == nil {
		return source.Span{}
	}
	return report.NameSpan(l.Pattern)
}

// HasLibraryLabel reports whether a pattern is labelled as a library.
func HasLibraryLabel(p *ast.Pattern) bool {
	return p.Form == ast.FormBracket && p.HasLabel(ast.LabelLibrary)
}

// IsLibrary reports whether a pattern of any file is a library of tools. A
// graph may hold libraries of another sort, with books in them.
func IsLibrary(p *ast.Pattern) bool {
	if !HasLibraryLabel(p) {
		return false
	}
	return len(p.Elements) == 0 && p.Subject.Record == nil ||
		slices.ContainsFunc(p.Elements, func(e *ast.Pattern) bool { return e.Form == ast.FormBad || meansEntryKind(e) || isTool(e) }) ||
		p.Property("approve") != nil || p.Property("timeout") != nil || kindByProperties(p) != ""
}

func isTool(p *ast.Pattern) bool {
	_, yes := ast.AsTool(p)
	return yes
}

// MarshalJSON writes the library as data, with its gram text as "definition":
// that is what ReadProgram reads.
func (l *Library) MarshalJSON() ([]byte, error) {
	type plain Library
	out := struct {
		*plain
		Definition string       `json:"definition"`
		Place      source.Place `json:"span,omitzero"` // behind it
	}{plain: (*plain)(l), Place: l.Place}
	if l.Pattern != nil {
		out.Definition = ast.Print(l.Definition())
	}
	return plainjson.Marshal(out)
}

// Definition returns the library as a pattern by itself.
func (l *Library) Definition() *ast.Pattern {
	bare := *l.Pattern
	bare.Annotations = nil
	return &bare
}

// LibraryJSON is a Library as an IR file has it, and as it is read.
type LibraryJSON struct {
	Definition string `json:"definition"`
	Entries    []struct {
		Span source.Place `json:"span"`
	} `json:"entries"`
	Span source.Place `json:"span"`
}
