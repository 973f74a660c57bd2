package validator

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// An InvalidError is why a text is no JSON Schema.
type InvalidError struct{ Failure *Failure }

// Error says that the schema is invalid; the failure says why.
func (e *InvalidError) Error() string { return "is not a JSON Schema" }

// Compile compiles a schema. The error is an [*InvalidError] if the schema of its draft
// does not allow it; other errors are about $schema, $id and references.
func Compile(root *jsonschema.Node) (*Schema, error) {
	version := draft2020
	if named := dialectNamed(root.Get("$schema").Text()); named != 0 {
		version = named
	}
	c := newCompiler()
	c.meta = draft.meta
	if err := c.collect(root, nil, nil); err != nil {
		return nil, err
	}
	if failure := version.meta().Validate(root.Raw()); failure != nil {
		return nil, &InvalidError{failure}
	}
	return c.schema(root)
}

// compile is Compile for a schema that is known to be one.
func compile(root *jsonschema.Node) (*Schema, error) {
	c := newCompiler()
	if err := c.collect(root, nil, nil); err != nil {
		return nil, err
	}
	return c.schema(root)
}

type compiler struct {
	meta       func(draft) *Schema  // the schema of the schemas of a draft
	resources  map[string]*resource // by URL
	resourceOf map[*jsonschema.Node]*resource
	parts      map[*jsonschema.Node]*part
	order      []*part // as they were met
	dynamic    []dynamicAnchor
	pending    []*jsonschema.Node // whose parts are not compiled yet
}

type dynamicAnchor struct {
	in   *resource
	name string
	node *jsonschema.Node
}

func newCompiler() *compiler {
	return &compiler{
		resources:  map[string]*resource{},
		resourceOf: map[*jsonschema.Node]*resource{},
		parts:      map[*jsonschema.Node]*part{},
	}
}

func (c *compiler) schema(root *jsonschema.Node) (*Schema, error) {
	s := &Schema{root: c.part(root)}
	for done := 0; len(c.pending) > 0 || done < len(c.dynamic); {
		for ; done < len(c.dynamic); done++ {
			d := c.dynamic[done]
			if d.in.dynamic == nil {
				d.in.dynamic = map[string]*part{}
			}
			d.in.dynamic[d.name] = c.part(d.node)
		}
		if last := len(c.pending) - 1; last >= 0 {
			n := c.pending[last]
			c.pending = c.pending[:last]
			if err := c.fill(c.parts[n], n); err != nil {
				return nil, err
			}
		}
	}
	markCycles(c.order)
	return s, nil
}

// part returns the part of a schema, to be filled in later; nil for no schema.
func (c *compiler) part(n *jsonschema.Node) *part {
	if n == nil {
		return nil
	}
	p := c.parts[n]
	if p != nil {
		return p
	}
	p = &part{}
	c.parts[n] = p
	c.order = append(c.order, p)
	switch n.Kind {
	case jsonschema.KindFalse:
		p.never = true
	case jsonschema.KindObject:
		if p.always = !hasRules(n); !p.always || n.Get("$recursiveAnchor") != nil {
			c.pending = append(c.pending, n)
		}
	default:
		p.always = true
	}
	return p
}

// hasRules reports whether a schema can have a value that does not fit.
func hasRules(n *jsonschema.Node) bool {
	return slices.ContainsFunc(n.Members, func(m jsonschema.Member) bool {
		k, known := jsonschema.KeywordNamed(m.Key)
		return known && k.Role == jsonschema.Assertion
	})
}

// fill compiles the keywords of a schema.
func (c *compiler) fill(p *part, n *jsonschema.Node) (err error) {
	p.in = c.resourceOf[n]
	p.draft = p.in.draft
	if p.ref, err = c.target(p, n, "$ref"); err != nil {
		return err
	}
	if p.draft.onlyRef() && p.ref != nil {
		return nil
	}
	c.fillAny(p, n)
	c.fillNumber(p, n)
	if err := c.fillText(p, n); err != nil {
		return err
	}
	if err := c.fillObject(p, n); err != nil {
		return err
	}
	c.fillArray(p, n)
	if p.draft >= draft2019 {
		p.unevaluatedMembers, p.unevaluatedItems = c.part(n.Get("unevaluatedProperties")), c.part(n.Get("unevaluatedItems"))
	}
	return c.fillDynamic(p, n)
}

// target returns the part that a reference leads to; nil without it.
func (c *compiler) target(p *part, n *jsonschema.Node, keyword string) (*part, error) {
	ref := n.Get(keyword)
	if !ref.Is(jsonschema.KindString) {
		return nil, nil
	}
	target, err := c.resolve(p.in, ref.Text())
	if err != nil {
		return nil, err
	}
	return c.part(target), nil
}

// fillDynamic compiles the references that depend on the schemas around.
func (c *compiler) fillDynamic(p *part, n *jsonschema.Node) (err error) {
	switch p.draft {
	case draft2019:
		if p.recursiveAnchor = n.Get("$recursiveAnchor").Is(jsonschema.KindTrue); p.recursiveAnchor && p.in.root == n {
			p.in.recursiveRoot = p
		}
		p.recursiveRef, err = c.target(p, n, "$recursiveRef")
	case draft2020:
		p.dynamicAnchor = n.Get("$dynamicAnchor").Text()
		if p.dynamicRef, err = c.target(p, n, "$dynamicRef"); p.dynamicRef == nil || err != nil {
			return err
		}
		target, _ := c.resolve(p.in, n.Get("$dynamicRef").Text())
		_, fragment, _ := strings.Cut(n.Get("$dynamicRef").Text(), "#")
		if name := target.Get("$dynamicAnchor").Text(); name != "" && fragment == name {
			p.dynamicRefAnchor = name
		}
	}
	return err
}

// fillAny compiles the keywords for values of all types.
func (c *compiler) fillAny(p *part, n *jsonschema.Node) {
	for _, name := range typeOrder {
		if slices.Contains(n.TypeList(), name) {
			p.types |= jsonschema.TypeNamed(name)
			p.typeNames = append(p.typeNames, name)
		}
	}
	if enum := n.Get("enum"); enum.Is(jsonschema.KindArray) {
		p.enum = valuesOf(enum.Items)
	}
	if value := n.Get("const"); value != nil && p.draft >= draft6 {
		p.constant = valuesOf([]Literal{value})
	}
	p.allOf, p.anyOf, p.oneOf = c.list(n.Get("allOf")), c.list(n.Get("anyOf")), c.list(n.Get("oneOf"))
	p.not = c.part(n.Get("not"))
	if p.draft >= draft7 {
		if p.condition = c.part(n.Get("if")); p.condition != nil {
			p.then, p.otherwise = c.part(n.Get("then")), c.part(n.Get("else"))
		}
	}
}

// typeOrder is the order of types in messages.
var typeOrder = [...]string{"null", "boolean", "number", "integer", "string", "array", "object"}

func (c *compiler) list(n *jsonschema.Node) []*part {
	if !n.Is(jsonschema.KindArray) {
		return nil
	}
	parts := make([]*part, len(n.Items))
	for i, item := range n.Items {
		parts[i] = c.part(item)
	}
	return parts
}

// fillNumber compiles the keywords for numbers. In draft 4, exclusiveMinimum says whether
// the minimum is one.
func (c *compiler) fillNumber(p *part, n *jsonschema.Node) {
	for _, keywords := range [...][2]string{{"minimum", "exclusiveMinimum"}, {"maximum", "exclusiveMaximum"}} {
		inclusive := keywords[0]
		if exclusive := n.Get(keywords[1]); exclusive.Is(jsonschema.KindTrue) {
			inclusive = keywords[1]
		} else if exclusive.Is(jsonschema.KindNumber) {
			p.number = append(p.number, newNumberLimit(keywords[1], exclusive))
		}
		if bound := n.Get(keywords[0]); bound.Is(jsonschema.KindNumber) {
			p.number = append(p.number, newNumberLimit(inclusive, bound))
		}
	}
	if step := n.Get("multipleOf"); step.Is(jsonschema.KindNumber) {
		p.multipleOf = step.Raw()
	}
}

func (c *compiler) fillText(p *part, n *jsonschema.Node) error {
	p.format = n.Get("format").Text()
	p.formatOK = formatNamed(p.format)
	rules := textRules{min: countOf(n, "minLength"), max: countOf(n, "maxLength")}
	if pattern := n.Get("pattern"); pattern.Is(jsonschema.KindString) {
		var err error
		rules.written = pattern.Text()
		if rules.pattern, err = jsonschema.CompileRegexp(rules.written); err != nil {
			return err
		}
	}
	if rules != (textRules{min: unlimited, max: unlimited}) {
		p.text = &rules
	}
	return nil
}

// countOf returns a limit of lengths, the largest possible one for a larger number.
func countOf(n *jsonschema.Node, keyword string) count {
	value := n.Get(keyword)
	if !value.Is(jsonschema.KindNumber) {
		return unlimited
	}
	number := value.Rational()
	if number == nil || !number.IsInt() || !number.Num().IsInt64() {
		return math.MaxInt
	}
	return count(number.Num().Int64())
}

func (c *compiler) fillArray(p *part, n *jsonschema.Node) {
	rules := &arrayRules{
		min: countOf(n, "minItems"), max: countOf(n, "maxItems"),
		unique: n.Get("uniqueItems").Is(jsonschema.KindTrue),
		rest:   c.part(n.Get("items")),
	}
	switch items := n.Get("items"); {
	case p.draft >= draft2020:
		rules.prefix = c.list(n.Get("prefixItems"))
	case items.Is(jsonschema.KindArray):
		rules.prefix = c.list(items)
		rules.rest, rules.additional = c.part(n.Get("additionalItems")), true
	}
	if p.draft >= draft6 {
		rules.contains = c.part(n.Get("contains"))
		rules.containsCounts = p.draft >= draft2020
	}
	rules.minContains, rules.maxContains = unlimited, unlimited
	if p.draft >= draft2019 {
		rules.minContains, rules.maxContains = countOf(n, "minContains"), countOf(n, "maxContains")
	}
	if rules.min != unlimited || rules.max != unlimited || rules.unique || rules.prefix != nil || rules.rest != nil || rules.contains != nil {
		p.array = rules
	}
}

func (c *compiler) fillObject(p *part, n *jsonschema.Node) error {
	rules := &objectRules{
		min: countOf(n, "minProperties"), max: countOf(n, "maxProperties"),
		others: c.part(n.Get("additionalProperties")),
	}
	for _, m := range n.MembersOf("properties") {
		rules.add(field{name: m.Key, schema: c.part(m.Value), required: -1})
	}
	for _, name := range textsOf(n.Get("required")) {
		rules.require(name)
	}
	for _, m := range n.MembersOf("patternProperties") {
		match, err := jsonschema.CompileRegexp(m.Key)
		if err != nil {
			return err
		}
		rules.patterns = append(rules.patterns, patternRule{m.Key, match, c.part(m.Value)})
	}
	if p.draft >= draft6 {
		rules.names = c.part(n.Get("propertyNames"))
	}
	c.fillDependencies(p, n, rules)
	if rules.min != unlimited || rules.max != unlimited || rules.fields != nil || rules.patterns != nil ||
		rules.others != nil || rules.names != nil || rules.dependent != nil {
		p.object = rules
	}
	return nil
}

// add adds a field with a new name and returns it.
func (o *objectRules) add(f field) *field {
	o.fields = append(o.fields, f)
	last := len(o.fields) - 1
	switch {
	case o.index != nil:
		o.index[f.name] = last
	case len(o.fields) > smallObject:
		o.index = make(map[string]int, 2*len(o.fields))
		for i := range o.fields {
			o.index[o.fields[i].name] = i
		}
	}
	return &o.fields[last]
}

func (o *objectRules) require(name string) {
	f := o.field(name)
	if f == nil {
		f = o.add(field{name: name, required: -1})
	}
	if f.required < 0 {
		f.required = len(o.required)
		o.required = append(o.required, name)
	}
}

func (c *compiler) fillDependencies(p *part, n *jsonschema.Node, rules *objectRules) {
	keywords := []string{"dependencies"}
	if p.draft >= draft2019 {
		keywords = append(keywords, "dependentSchemas", "dependentRequired")
	}
	for _, keyword := range keywords {
		for _, m := range n.MembersOf(keyword) {
			d := dependency{keyword: keyword, name: m.Key}
			if m.Value.Is(jsonschema.KindArray) {
				d.required = textsOf(m.Value)
			} else {
				d.schema = c.part(m.Value)
			}
			rules.dependent = append(rules.dependent, d)
		}
	}
}

// textsOf returns the strings of an array.
func textsOf(n *jsonschema.Node) []string {
	texts, _ := n.Texts()
	return texts
}

// matches reports whether a text has a match; where Go cannot decide that in linear time,
// only the tool can.
func matches(re *regexp.Regexp, text string) bool { return re == nil || re.MatchString(text) }
