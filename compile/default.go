package compile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
)

// defaultValue lowers a default to exactly the JSON that it is: numbers keep
// their spelling. It returns nil when the value does not fit the type, which
// it tells once.
func (c *compiler) defaultValue(v ast.Value, t *Type, what string) json.RawMessage {
	d := &defaults{c: c, root: v, rootType: t, what: what}
	if !d.value(v, t) {
		return nil
	}
	return d.json
}

// defaults writes the JSON of one default.
type defaults struct {
	c        *compiler
	root     ast.Value
	rootType *Type
	what     string
	path     []string // from the root to the value that is being written
	json     []byte
}

// value writes v, which must fit t; nil means any type.
func (d *defaults) value(v ast.Value, t *Type) bool {
	switch v := v.(type) {
	case nil:
		d.c.broken = true
		return false
	case *ast.String:
		return d.text(v, v.Text, t)
	case *ast.Tagged:
		return d.text(v, v.Text, t)
	case *ast.Symbol:
		return d.symbol(v, t)
	case *ast.Bool:
		if t != nil && t.Kind != KindBoolean {
			return d.mismatch(v, t)
		}
		d.json = strconv.AppendBool(d.json, v.Value)
		return true
	case *ast.Number:
		return d.number(v, t)
	case *ast.Array:
		return d.array(v, t)
	case *ast.Record:
		return d.object(v, t)
	}
	return d.mismatch(v, t)
}

func (d *defaults) text(v ast.Value, text string, t *Type) bool {
	if t != nil && t.Kind != KindString {
		return d.mismatch(v, t)
	}
	d.json = appendString(d.json, text)
	return true
}

// symbol takes a bare word as text, where text may stand.
func (d *defaults) symbol(v *ast.Symbol, t *Type) bool {
	if t != nil && t.Kind != KindString {
		return d.mismatch(v, t)
	}
	message := fmt.Sprintf("the word %s is taken as text", clip(v.Text))
	isNull := strings.EqualFold(v.Text, "null")
	if isNull {
		message = "gram has no null, so this is taken as text; without a default, write optional:true"
	}
	h := d.c.diags.Hintf(v.Span(), diag.CodeDefaultTypeMismatch, "%s", message)
	fix(h, "put it in quotes", v.Span(), strconv.Quote(v.Text))
	if !isNull && len(h.Fixes) > 0 { // it means the same
		h.MarkSafe()
	}
	d.json = appendString(d.json, v.Text)
	return true
}

func (d *defaults) number(v *ast.Number, t *Type) bool {
	integral := v.Kind != ast.Decimal || strings.Trim(v.Raw[strings.IndexByte(v.Raw, '.')+1:], "0") == ""
	switch {
	case v.Kind == ast.Measurement,
		t != nil && t.Kind != KindInteger && t.Kind != KindNumber,
		t != nil && t.Kind == KindInteger && !integral:
		return d.mismatch(v, t)
	}
	d.json = append(d.json, v.Digits()...)
	return true
}

func (d *defaults) array(v *ast.Array, t *Type) bool {
	var elem *Type
	if t != nil {
		if t.Kind != KindArray {
			return d.mismatch(v, t)
		}
		elem = t.Elem
	}
	d.json = append(d.json, '[')
	for i, e := range v.Elements {
		if i > 0 {
			d.json = append(d.json, ',')
		}
		if !d.inner("["+strconv.Itoa(i)+"]", e, elem) {
			return false
		}
	}
	d.json = append(d.json, ']')
	return true
}

func (d *defaults) object(v *ast.Record, t *Type) bool {
	if t != nil && t.Kind != KindObject {
		return d.mismatch(v, t)
	}
	d.json = append(d.json, '{')
	present := make(map[string]bool, len(v.Properties))
	required := 0
	for i, p := range v.Properties {
		if i > 0 {
			d.json = append(d.json, ',')
		}
		var field *Type
		if t != nil {
			if f := t.byName[p.Key.Text]; f != nil {
				field = f.Type
				if !f.Optional && !present[p.Key.Text] {
					required++
				}
			}
		}
		present[p.Key.Text] = true
		d.json = append(appendString(d.json, p.Key.Text), ':')
		if !d.inner("."+p.Key.Text, p.Value, field) {
			return false
		}
	}
	d.json = append(d.json, '}')
	if t != nil && required < t.required {
		return d.missing(v, t, present)
	}
	return true
}

// inner writes a value inside another one.
func (d *defaults) inner(step string, v ast.Value, t *Type) bool {
	d.path = append(d.path, step)
	ok := d.value(v, t)
	d.path = d.path[:len(d.path)-1]
	return ok
}

// missing tells that an object lacks a field.
func (d *defaults) missing(v *ast.Record, t *Type, present map[string]bool) bool {
	i := slices.IndexFunc(t.Fields, func(f *Param) bool { return !f.Optional && !present[f.Name] })
	d.c.diags.Errorf(lastByte(v.Span(), "}"), diag.CodeDefaultTypeMismatch,
		"the default of %s%s lacks the field %s of its type", d.what, d.at(), quote(t.Fields[i].Name))
	return false
}

// mismatch tells that v does not fit t.
func (d *defaults) mismatch(v ast.Value, t *Type) bool {
	wanted := "a value that JSON has"
	if t != nil {
		wanted = clip(t.Name)
	}
	if len(d.path) == 0 {
		d.c.diags.Errorf(v.Span(), diag.CodeDefaultTypeMismatch, "%s is of type %s, but its default is %s", d.what, wanted, kindOf(v))
		return false
	}
	d.c.diags.Errorf(v.Span(), diag.CodeDefaultTypeMismatch, "%s is of type %s, but its default has %s where %s is wanted%s",
		d.what, clip(d.rootType.Name), kindOf(v), wanted, d.at())
	return false
}

// at returns where in the default a mistake is, "" for the whole.
func (d *defaults) at() string {
	if len(d.path) == 0 {
		return ""
	}
	var b bytes.Buffer
	for _, step := range d.path {
		b.WriteString(step)
	}
	return " at " + clip(strings.TrimPrefix(b.String(), "."))
}
