package calc

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/internal/excerpt"
)

const maxDepth = 100 // parentheses, signs and powers inside each other

var errPercent = errors.New("% is the remainder of a division, as in 7 % 3 or 7 % (-3); for percent write /100")

// parse checks the tokens of an expression and parses it.
func parse(expression string) (*sum, error) {
	tokens, err := grammar().Lex("", strings.NewReader(expression))
	if err != nil {
		return nil, err
	}
	c := checker{tokens: tokens}
	for i := range tokens {
		if err := c.check(i); err != nil {
			return nil, errorAt(expression, tokens[i].Pos.Offset, err)
		}
	}
	tree, err := grammar().ParseString("", expression)
	var syntax participle.Error
	if errors.As(err, &syntax) {
		offset := syntax.Position().Offset
		i := slices.IndexFunc(tokens, func(t lexer.Token) bool { return t.Pos.Offset == offset })
		if tokens[i].EOF() && c.endsOperand(i-1) {
			return nil, errorAt(expression, c.open[len(c.open)-1].offset, errors.New("this parenthesis is not closed"))
		}
		return nil, errorAt(expression, offset, c.unexpected(i))
	}
	return tree, err
}

// A checker looks at tokens, which do not nest, before they are parsed.
type checker struct {
	tokens []lexer.Token // the last is the end
	open   []opened      // the parentheses around the token that is checked
	depth  int           // of the operand that comes next
}

// An opened is a parenthesis, and the depth of what it is an operand of.
type opened struct{ offset, depth int }

// check refuses a token that has no meaning, or that nests too deep: the
// grammar has no limit of its own.
func (c *checker) check(i int) error {
	t := c.tokens[i]
	switch symbols := grammar().Lexer().Symbols(); {
	case t.EOF():
		return nil
	case t.Type == symbols["Number"]:
		return checkNumber(t.Value)
	case t.Type == symbols["Name"]:
		return checkName(t.Value, c.tokens[i+1].Value == "(")
	}
	switch t.Value {
	case "(":
		c.open = append(c.open, opened{t.Pos.Offset, c.depth})
		c.depth++
	case ")":
		if last := len(c.open) - 1; last >= 0 {
			c.depth = c.open[last].depth
			c.open = c.open[:last]
		}
	case "^":
		c.depth++
	case "+", "-", "*", "/", "%", ",":
		if t.Value == "%" && c.endsOperand(i-1) && c.tokens[i+1].Value != "(" && !c.endsOperand(i+1) {
			return errPercent // no sign either: in 200 - 10% - 5 it stands between numbers
		}
		if !c.endsOperand(i - 1) {
			c.depth++
			break
		}
		c.depth = 0
		if last := len(c.open) - 1; last >= 0 {
			c.depth = c.open[last].depth + 1
		}
	default:
		return c.unexpected(i)
	}
	if c.depth > maxDepth {
		return fmt.Errorf("the expression is nested deeper than %d", maxDepth)
	}
	return nil
}

// endsOperand reports whether an operand may end with a token.
func (c *checker) endsOperand(i int) bool {
	if i < 0 {
		return false
	}
	symbols, t := grammar().Lexer().Symbols(), c.tokens[i]
	return t.Value == ")" && i > 0 || t.Type == symbols["Number"] || t.Type == symbols["Name"]
}

func checkNumber(text string) error {
	const maxExponent = 4 // digits
	digits, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	switch {
	case strings.Count(digits, ".") > 1 || digits == ".":
		return fmt.Errorf("%q is not a number", text)
	case len(strings.TrimLeft(exponent, "+-0")) > maxExponent:
		return fmt.Errorf("the exponent of %q is too large", text)
	}
	return nil
}

func checkName(name string, called bool) error {
	_, isFunction := functions[name]
	_, isConstant := constants[name]
	switch {
	case isFunction && !called:
		return fmt.Errorf("%s needs its argument in parentheses, as in %s(2)", name, name)
	case !isFunction && !isConstant:
		return fmt.Errorf("%q is not known; there are the constants e and pi and the functions %s",
			excerpt.Short(name, 40), strings.Join(slices.Sorted(maps.Keys(functions)), ", "))
	}
	return nil
}

// unexpected reports why a token cannot stand where it does.
func (c *checker) unexpected(i int) error {
	t := c.tokens[i]
	shown := strconv.Quote(excerpt.Short(t.Value, 40))
	if t.EOF() {
		shown = "the end"
	}
	behind := c.endsOperand(i - 1)
	switch {
	case t.Value == "!" && behind:
		return errors.New("factorials are not supported")
	case t.Type == grammar().Lexer().Symbols()["Sign"] && !strings.Contains("()+-*/%^,", t.Value):
		return fmt.Errorf("%s has no meaning here", shown)
	case !behind:
		return fmt.Errorf("a number is missing before %s", shown)
	case t.Value == ")":
		return errors.New("this parenthesis closes nothing")
	case t.Value == ",":
		return errors.New("a comma stands only between the arguments of a function; write 1000, not 1,000")
	}
	return fmt.Errorf("an operator is missing before %s", shown)
}
