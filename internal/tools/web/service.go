package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/runtime"
)

// A ServiceConfig describes an HTTP service that is a tool.
type ServiceConfig struct {
	Name string

	// Description, Input and Output are the tool's own. An agent that binds
	// it must have the same; what is empty comes from the agent.
	Description string
	Input       json.RawMessage
	Output      json.RawMessage

	// URL is where requests go. It holds no environment variables. Arguments
	// are in path and query, and their values are escaped for the place. Other
	// arguments go into the query of a GET, HEAD or DELETE request, and into the
	// body of others, and of a DELETE for which Body or Content is set.
	URL    template.Template
	Method string // GET, POST, PUT, PATCH, DELETE or HEAD; empty means GET
	Body   string // "json" or "form"; empty means json

	// Headers are sent with each request, to this host alone. Without a value for an
	// argument in it, a header is not sent. Of Cookie, "a={a}; b={b}", that holds for each
	// cookie, and values are escaped.
	Headers map[string]template.Template

	// Query, an object, is what the query has besides, and Content the body. Texts
	// in both are templates: of one argument alone, they are its value, which is
	// left out when it is not given.
	Query   json.RawMessage
	Content json.RawMessage

	Slashes []string // arguments that are several segments of the path

	// Commas are parameters of the query or the form that are lists, and are sent once with
	// commas between the items. Others are sent once for each item. In the path and in
	// headers, the items of a list always have commas between them.
	Commas []string

	// Result is a JSON pointer (RFC 6901) to the part of the response that is
	// the result; empty means all of it.
	Result string

	AllowHosts []string // open also in the private network; see [guard.Options]
}

// A service is a checked config.
type service struct {
	name     string
	method   string
	url      *address
	headers  serviceHeaders
	commas   []string
	hasBody  bool
	form     bool
	query    *content
	content  *content
	result   []string // the keys of the pointer
	declared func(parameter string) bool
	client   *http.Client
}

// NewService returns a tool that calls an HTTP service. A config that does not
// work is a *[runtime.Error] of [runtime.KindConfiguration]; it is
// reported without the values of headers and the text of the URL, which may be secret.
//
// The tool is bound only to a contract that has a parameter for each argument
// of the URL, so that it is always there.
func NewService(c ServiceConfig) (runtime.Tool, error) {
	s, err := newService(c)
	if err == nil && len(c.Input) > 0 {
		err = s.checkInput(c.Input)
	}
	if err != nil {
		return builtin{name: cmp.Or(c.Name, "http service")}.refuse(err)
	}
	reads := s.method == http.MethodGet || s.method == http.MethodHead
	return runtime.NewTool(runtime.ToolConfig{
		Name:        c.Name,
		Description: c.Description,
		Input:       c.Input,
		Output:      c.Output,
		Concurrent:  reads,
		Repeat:      repeatOf(s.method),
		Accept:      func(contract runtime.Contract) error { return s.checkInput(contract.Input) },

		Adopt:            len(c.Input) == 0,
		AdoptDescription: c.Description == "",

		Execute: s.call,
		For: func(contract runtime.Contract) runtime.Handler {
			bound := *s
			bound.declared = declaredIn(contract.Input)
			return bound.call
		},
	})
}

// repeatOf returns what HTTP says of a method: those that are idempotent may be repeated
// (RFC 9110, 9.2.2). Of others it says nothing.
func repeatOf(method string) runtime.Repeat {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete:
		return runtime.RepeatSafe
	}
	return ""
}

var methods = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}

func newService(c ServiceConfig) (*service, error) {
	s := &service{name: c.Name, method: cmp.Or(c.Method, "GET"), form: c.Body == "form"}
	s.hasBody = s.method == "POST" || s.method == "PUT" || s.method == "PATCH" || s.method == "DELETE" && (c.Body != "" || c.Content != nil)
	if !slices.Contains(methods, s.method) {
		return nil, fmt.Errorf("the method %q is not one of %s", c.Method, strings.Join(methods, ", "))
	}
	if c.Body != "" && c.Body != "json" && c.Body != "form" {
		return nil, fmt.Errorf(`the body %q is neither "json" nor "form"`, c.Body)
	}
	if (c.Body != "" || c.Content != nil) && !s.hasBody {
		return nil, fmt.Errorf("a %s request has no body; its parameters go into the URL", s.method)
	}
	var err error
	if s.url, err = newAddress(c.URL); err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	s.url.slashes, s.commas = c.Slashes, c.Commas
	if s.query, err = newContent(c.Query); err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	if s.content, err = newContent(c.Content); err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	if s.headers, err = newServiceHeaders(c.Headers); err != nil {
		return nil, err
	}
	if s.result, err = parseServicePointer(c.Result); err != nil {
		return nil, err
	}
	s.declared = declaredIn(c.Input)
	s.client, err = newRequestClient(c.AllowHosts...)
	return s, err
}

// An inputSchema is the part of a schema of arguments that matters here.
type inputSchema struct {
	Properties           map[string]json.RawMessage `json:"properties"`
	Required             []string                   `json:"required"`
	AdditionalProperties json.RawMessage            `json:"additionalProperties"`
}

// A declaration is the part of the schema of a parameter that matters here.
type declaration struct {
	Type    any             `json:"type"`
	Default json.RawMessage `json:"default"`
}

// declarationOf reads the schema of a parameter; what cannot be read declares nothing.
func declarationOf(property json.RawMessage) (d declaration) {
	if json.Unmarshal(property, &d) != nil {
		return declaration{}
	}
	return d
}

// declaredIn returns which parameters are to be sent: those of a schema, and
// all where there is none or it allows others itself.
func declaredIn(input json.RawMessage) func(string) bool {
	var schema inputSchema
	open := len(input) == 0 || json.Unmarshal(input, &schema) != nil ||
		len(schema.AdditionalProperties) > 0 && string(schema.AdditionalProperties) != "false"
	return func(parameter string) bool {
		_, ok := schema.Properties[parameter]
		return ok || open
	}
}

// checkInput refuses schemas that lack what the URL needs.
func (s *service) checkInput(input json.RawMessage) error {
	var schema inputSchema
	if err := json.Unmarshal(input, &schema); err != nil {
		return err
	}
	for _, name := range s.url.arguments {
		property, ok := schema.Properties[name]
		if !ok {
			return fmt.Errorf("the URL has the argument {%s}, and the tool has no parameter of that name", name)
		}
		declared := declarationOf(property)
		if declared.Type == "object" {
			return fmt.Errorf("the URL has the argument {%s}, and the parameter is of type %v; only texts, numbers, booleans and lists of these fit in", name, declared.Type)
		}
		if !slices.Contains(schema.Required, name) && len(declared.Default) == 0 {
			return fmt.Errorf("the URL has the argument {%s}, and the parameter is optional; give it a default, "+
				"or leave it out of the URL: the parameter goes into the request when it is there", name)
		}
	}
	for _, name := range s.headers.names() {
		if kind := declarationOf(schema.Properties[name]).Type; kind == "object" {
			return fmt.Errorf("the headers have the argument {%s}, and the parameter is of type %v; only texts, numbers, booleans and lists of these fit in", name, kind)
		}
	}
	for _, name := range slices.Concat(s.query.names(), s.content.names(), s.headers.names()) {
		if _, ok := schema.Properties[name]; !ok {
			return fmt.Errorf("the request has the argument {%s}, and the tool has no parameter of that name", name)
		}
	}
	if s.hasBody {
		return nil
	}
	for name := range schema.Properties {
		if slices.Contains(s.url.keys, name) && !slices.Contains(s.url.arguments, name) {
			return fmt.Errorf("the URL has %s in its query already, and the tool has a parameter of that name", name)
		}
	}
	return nil
}

// parseServicePointer returns the keys of a JSON pointer.
func parseServicePointer(pointer string) ([]string, error) {
	if pointer == "" {
		return nil, nil
	}
	if pointer[0] != '/' {
		return nil, errors.New("result: a JSON pointer starts with /, such as /data/0/name")
	}
	const maxPointer = 32
	keys := strings.Split(pointer[1:], "/")
	if len(keys) > maxPointer {
		return nil, fmt.Errorf("result: the JSON pointer has %d parts; at most %d are allowed", len(keys), maxPointer)
	}
	return keys, nil
}
