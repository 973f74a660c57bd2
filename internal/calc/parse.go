package calc

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/excerpt"
)

type kind uint8

const (
	end kind = iota
	literal
	name
	sign // an operator, a parenthesis, or anything else
)

// A token is a part of the text. Powers, times and minus have one spelling.
type token struct {
	kind   kind
	text   string
	offset int // in bytes
}

func (t token) is(text string) bool { return t.kind == sign && t.text == text }

// String returns the token as messages show it.
func (t token) String() string {
	if t.kind == end {
		return "the end"
	}
	return strconv.Quote(excerpt.Short(t.text, 40))
}

// A parser computes while it reads: there is no tree.
type parser struct {
	text  string
	rest  int // where the text after the token starts
	token token
	depth int
}

// at returns an error about a place.
func (p *parser) at(t token, format string, args ...any) error {
	return fmt.Errorf("at character %d: %w", utf8.RuneCountInString(p.text[:t.offset])+1, fmt.Errorf(format, args...))
}

// next reads one token.
func (p *parser) next() {
	rest := strings.TrimLeftFunc(p.text[p.rest:], unicode.IsSpace)
	offset := len(p.text) - len(rest)
	kind, length := end, 0
	if rest != "" {
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case isDigit(r) || r == '.':
			kind, length = literal, numberLength(rest)
		case unicode.IsLetter(r):
			kind, length = name, len(rest)-len(strings.TrimLeftFunc(rest, isNamePart))
		case strings.HasPrefix(rest, "**"):
			kind, length = sign, 2
		default:
			kind, length = sign, size
		}
	}
	p.token = token{kind, spelling(rest[:length]), offset}
	p.rest = offset + length
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func isNamePart(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// numberLength returns the length of a number, also of one that is not well
// formed.
func numberLength(text string) int {
	i := 0
	for i < len(text) && (isDigit(rune(text[i])) || text[i] == '.') {
		i++
	}
	if i == len(text) || text[i]|0x20 != 'e' {
		return i
	}
	exponent := text[i+1:]
	digits := strings.TrimLeft(exponent, "+-")
	if len(exponent)-len(digits) > 1 || digits == "" || !isDigit(rune(digits[0])) {
		return i // the e begins a name
	}
	for i = len(text) - len(digits); i < len(text) && isDigit(rune(text[i])); i++ {
	}
	return i
}

// spelling returns the one spelling of an operator.
func spelling(operator string) string {
	switch operator {
	case "**":
		return "^"
	case "×", "·":
		return "*"
	case "÷":
		return "/"
	case "−":
		return "-"
	}
	return operator
}

// An operator stands between two operands.
type operator struct {
	binds   int // tighter is higher
	compute func(a, b number) (number, error)
}

// The signs before a number bind tighter than * and looser than ^.
const bindsSign = 3

// operatorOf returns the operator that a token is, or one without compute.
func operatorOf(t token) operator {
	if t.kind == sign {
		switch t.text {
		case "+":
			return operator{1, add}
		case "-":
			return operator{1, subtract}
		case "*":
			return operator{2, multiply}
		case "/":
			return operator{2, divide}
		case "%":
			return operator{2, remainder}
		case "^":
			return operator{4, power}
		}
	}
	return operator{}
}

// expression reads operands and the operators between them that bind at least
// so tightly.
func (p *parser) expression(binds int) (number, error) {
	if p.depth++; p.depth > maxDepth {
		return number{}, p.at(p.token, "the expression is nested deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	left, err := p.operand()
	for err == nil {
		at := p.token
		o := operatorOf(at)
		if o.compute == nil || o.binds < binds {
			return left, nil
		}
		p.next()
		if at.is("%") && !p.startsDivisor() {
			return number{}, p.at(at, "%% is the remainder of a division, as in 7 %% 3 or 7 %% (-3); for percent write /100")
		}
		tighter := o.binds + 1
		if at.is("^") {
			tighter = o.binds // powers group from the right
		}
		var right number
		if right, err = p.expression(tighter); err != nil {
			return number{}, err
		}
		if left, err = o.compute(left, right); err != nil {
			return number{}, p.at(at, "%w", err)
		}
	}
	return number{}, err
}

// startsDivisor reports whether the token after % begins a number. A sign does
// not: in 200 - 10% - 5 it stands between two numbers.
func (p *parser) startsDivisor() bool {
	return p.token.kind == literal || p.token.kind == name || p.token.is("(")
}

// operand reads a number, a constant, a call, or something in parentheses,
// with the signs before it.
func (p *parser) operand() (number, error) {
	t := p.token
	p.next()
	switch {
	case t.kind == literal:
		return p.literal(t)
	case t.kind == name:
		return p.name(t)
	case t.is("-"):
		n, err := p.expression(bindsSign)
		if err != nil {
			return number{}, err
		}
		return n.negative(), nil
	case t.is("+"):
		return p.expression(bindsSign)
	case t.is("("):
		n, err := p.expression(0)
		if err == nil {
			err = p.closed(t)
		}
		return n, err
	case t.kind == sign && operatorOf(t).compute == nil && !t.is(")") && !t.is(","):
		return number{}, p.at(t, "%v has no meaning here", t)
	}
	return number{}, p.at(t, "a number is missing before %v", t)
}

// closed reads the parenthesis that closes the one at open.
func (p *parser) closed(open token) error {
	switch {
	case p.token.is(")"):
		p.next()
		return nil
	case p.token.kind == end:
		return p.at(open, "this parenthesis is not closed")
	}
	return p.leftover()
}

// leftover says what is wrong with a token that stands where an operator
// should.
func (p *parser) leftover() error {
	t := p.token
	switch {
	case t.is(")"):
		return p.at(t, "this parenthesis closes nothing")
	case t.is(","):
		return p.at(t, "a comma stands only between the arguments of a function; write 1000, not 1,000")
	case t.is("!"):
		return p.at(t, "factorials are not supported")
	case t.kind == sign && !t.is("("):
		return p.at(t, "%v has no meaning here", t)
	}
	return p.at(t, "an operator is missing before %v", t)
}

func (p *parser) literal(t token) (number, error) {
	digits, exponent, _ := strings.Cut(strings.ToLower(t.text), "e")
	const maxExponent = 4 // digits
	switch {
	case strings.Count(digits, ".") > 1 || digits == ".":
		return number{}, p.at(t, "%v is not a number", t)
	case len(strings.TrimLeft(exponent, "+-0")) > maxExponent:
		return number{}, p.at(t, "the exponent of %v is too large", t)
	}
	r, ok := new(big.Rat).SetString(t.text)
	if !ok {
		return number{}, p.at(t, "%v is not a number", t)
	}
	n, err := fit(r, true)
	if err != nil {
		return number{}, p.at(t, "%w", err)
	}
	return n, nil
}

var constants = map[string]func() (number, error){"pi": pi, "e": euler}

// name reads what follows a name.
func (p *parser) name(t token) (number, error) {
	if value, ok := constants[t.text]; ok {
		return value()
	}
	f, ok := functions[t.text]
	if !ok {
		known := slices.Sorted(maps.Keys(functions))
		return number{}, p.at(t, "%v is not known; there are the constants e and pi and the functions %s", t, strings.Join(known, ", "))
	}
	open := p.token
	if !open.is("(") {
		return number{}, p.at(t, "%s needs its argument in parentheses, as in %s(2)", t.text, t.text)
	}
	args, err := p.arguments(t, open)
	if err != nil {
		return number{}, err
	}
	if len(args) < f.least || len(args) > f.most {
		return number{}, p.at(t, "%s takes %s, not %d", t.text, f.takes(), len(args))
	}
	n, err := f.compute(args)
	if err != nil {
		return number{}, p.at(t, "%w", err)
	}
	return n, nil
}

func (p *parser) arguments(function, open token) ([]number, error) {
	p.next()
	var args []number
	for !p.token.is(")") || len(args) > 0 {
		n, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		args = append(args, n)
		if !p.token.is(",") {
			break
		}
		p.next()
	}
	return args, p.closed(open)
}
