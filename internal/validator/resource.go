package validator

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonpointer"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A resource is a schema with an identity: the root, and every part with an $id.
type resource struct {
	root    *jsonschema.Node
	url     string // absolute, without fragment
	at      *jsonschema.Location
	draft   draft
	anchors map[string]*jsonschema.Node
	places  map[string]*jsonschema.Location // of the anchors

	dynamic       map[string]*part // by $dynamicAnchor
	recursiveRoot *part            // the root, if it has the $recursiveAnchor true
}

// defaultURL is that of a schema without $id.
const defaultURL = "schema:///tool"

// outside returns the error for a reference that leads out of the schema.
func outside(url string) error {
	return fmt.Errorf("failing loading %q: %s is not part of the schema, and nothing is loaded from outside", url, url)
}

// collect finds the resources and anchors in a schema.
func (c *compiler) collect(n *jsonschema.Node, in *resource, at *jsonschema.Location) error {
	if c.resourceOf[n] != nil || !n.Is(jsonschema.KindObject) {
		return nil
	}
	in, err := c.resource(n, in, at)
	if err != nil {
		return err
	}
	c.resourceOf[n] = in
	if err := c.collectAnchors(n, in, at); err != nil {
		return err
	}
	for _, m := range n.Members {
		if !in.draft.holdsSchemas(m.Key) {
			continue
		}
		err := eachSchema(m, at, func(n *jsonschema.Node, at *jsonschema.Location) error { return c.collect(n, in, at) })
		if err != nil {
			return err
		}
	}
	return nil
}

// eachSchema calls visit for the schemas in the value of a keyword.
func eachSchema(m jsonschema.Member, at *jsonschema.Location, visit func(*jsonschema.Node, *jsonschema.Location) error) error {
	at = at.Key(m.Key)
	k, _ := jsonschema.KeywordNamed(m.Key)
	if k.Form == jsonschema.FormSchemaMap || m.Key == "dependencies" {
		for _, inner := range m.Value.Members {
			if err := visit(inner.Value, at.Key(inner.Key)); err != nil {
				return err
			}
		}
		return nil
	}
	for i, item := range m.Value.Items {
		if err := visit(item, at.Item(i)); err != nil {
			return err
		}
	}
	return visit(m.Value, at)
}

// resource returns the resource of a schema: a new one, or the one around it.
func (c *compiler) resource(n *jsonschema.Node, in *resource, at *jsonschema.Location) (*resource, error) {
	version, base := draft2020, defaultURL
	if in != nil {
		version, base = in.draft, in.url
	}
	if dialect := n.Get("$schema"); dialect.Is(jsonschema.KindString) {
		named := dialectNamed(dialect.Text())
		if named == 0 {
			address, _, _ := strings.Cut(dialect.Text(), "#")
			return nil, outside(address)
		}
		if in == nil || n.Get(named.idKeyword()) != nil {
			version = named
		}
	}
	id, _, _ := strings.Cut(n.Get(version.idKeyword()).Text(), "#")
	if version.onlyRef() && n.Get("$ref") != nil {
		id = ""
	}
	if in != nil && id == "" {
		return in, nil
	}
	address, err := join(base, id)
	if err != nil {
		return nil, fmt.Errorf("error in parsing id at %q", base+"#"+at.Pointer())
	}
	if same := c.resources[address]; same != nil {
		return nil, fmt.Errorf("duplicate id %q in %q at %q and %q", address, defaultURL, same.at.Pointer(), at.Pointer())
	}
	r := &resource{
		root: n, url: address, at: at, draft: version,
		anchors: map[string]*jsonschema.Node{}, places: map[string]*jsonschema.Location{},
	}
	c.resources[address] = r
	return r, nil
}

// join returns the address of a reference in a resource, without fragment.
func join(base, ref string) (string, error) {
	if ref == "" {
		return base, nil
	}
	b, err := url.Parse(base)
	if err != nil {
		return "", err
	}
	r, err := url.Parse(ref)
	if err != nil {
		return "", err
	}
	return b.ResolveReference(r).String(), nil
}

func (c *compiler) collectAnchors(n *jsonschema.Node, in *resource, at *jsonschema.Location) error {
	var names []string
	switch {
	case in.draft.onlyRef():
		if _, fragment, ok := strings.Cut(n.Get(in.draft.idKeyword()).Text(), "#"); ok && n.Get("$ref") == nil && fragment != "" && fragment[0] != '/' {
			names = append(names, fragment)
		}
	default:
		names = append(names, n.Get("$anchor").Text())
		if name := n.Get("$dynamicAnchor").Text(); in.draft >= draft2020 && name != "" {
			names = append(names, name)
			c.dynamic = append(c.dynamic, dynamicAnchor{in, name, n})
		}
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		if other := in.anchors[name]; other != nil && other != n {
			return fmt.Errorf("duplicate anchor %q in %q at %q and %q", name, in.url, in.places[name].Pointer(), at.Pointer())
		}
		in.anchors[name], in.places[name] = n, at
	}
	return nil
}

// resolve returns the schema that a reference in a resource leads to.
func (c *compiler) resolve(in *resource, ref string) (*jsonschema.Node, error) {
	address, fragment, _ := strings.Cut(ref, "#")
	address, err := join(in.url, address)
	if err != nil {
		return nil, err
	}
	if fragment, err = url.PathUnescape(fragment); err != nil {
		return nil, err
	}
	r := c.resources[address]
	if r == nil {
		known := dialectNamed(address)
		if known == 0 {
			return nil, outside(address)
		}
		if r, err = c.metaResource(known, address); err != nil {
			return nil, err
		}
	}
	if fragment == "" {
		return r.root, nil
	}
	if fragment[0] != '/' {
		if n := r.anchors[fragment]; n != nil {
			return n, nil
		}
		return nil, fmt.Errorf("anchor in %q not found in schema %q", address+"#"+fragment, defaultURL)
	}
	return c.lookup(r, fragment)
}

// metaResource adds the schema of a draft to the document.
func (c *compiler) metaResource(d draft, address string) (*resource, error) {
	r := &resource{root: d.metaTree(), url: address, draft: d, anchors: map[string]*jsonschema.Node{}, places: map[string]*jsonschema.Location{}}
	c.resources[address] = r
	c.resourceOf[r.root] = r
	for _, m := range r.root.Members {
		if !d.holdsSchemas(m.Key) {
			continue
		}
		err := eachSchema(m, nil, func(n *jsonschema.Node, at *jsonschema.Location) error { return c.collect(n, r, at) })
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// lookup returns the schema at a JSON pointer of a resource. Where no schema is
// expected, it is checked to be one.
func (c *compiler) lookup(r *resource, pointer string) (*jsonschema.Node, error) {
	n, in, at := r.root, r, r.at
	for token := range strings.SplitSeq(pointer[1:], "/") {
		key := jsonpointer.Key(token)
		if n = n.Child(key); n == nil {
			return nil, fmt.Errorf("json-pointer in %q not found", r.url+"#"+pointer)
		}
		at = at.Key(key)
		if inner := c.resourceOf[n]; inner != nil {
			in = inner
		}
	}
	if c.resourceOf[n] != nil || n.IsBool() && in.draft >= draft6 {
		return n, nil
	}
	if failure := c.meta(in.draft).Validate(n.Raw()); failure != nil {
		return nil, &InvalidError{failure}
	}
	return n, c.collect(n, in, at)
}
