package calc

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/internal/excerpt"
)

const maxDepth = 100 // parentheses, signs and powers inside each other

var errPercent = errors.New("% is the remainder of a division, as in 7 % 3 or 7 % (-3); for percent write /100")

// parse checks the tokens of an expression and parses it.
func parse(text string) (*expression, error) {
	tokens, err := grammar().Lex("", strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := nestingChecker{open: []parenthesis{{}}}
	for i, t := range tokens {
		next := tokens[min(i+1, len(tokens)-1)]
		if err := c.check(t, next); err != nil {
			return nil, errorAt(text, t.Pos.Offset, err)
		}
	}
	if last := c.innermost(); len(c.open) > 1 {
		return nil, errorAt(text, last.offset, errors.New("this parenthesis is not closed"))
	}
	return grammar().ParseString("", text)
}

// A nestingChecker walks over tokens before they are parsed, for good messages and
// for the limit of depth.
type nestingChecker struct {
	open   []parenthesis // around the token; the first is the whole expression
	depth  int           // of the operand that comes next
	before token         // what the token before was
}

type parenthesis struct {
	offset int
	depth  int // of the operands inside
	call   bool
}

// A token is what matters of a token for the one after it.
type token uint8

const (
	operator token = iota // or the start, a sign, or a comma
	opening
	operandEnd
	name
)

func (c *nestingChecker) innermost() parenthesis { return c.open[len(c.open)-1] }

// check refuses a token that is misplaced or nested too deep.
func (c *nestingChecker) check(t, next lexer.Token) error {
	before := c.before
	ended := before == operandEnd || before == name
	shown := strconv.Quote(excerpt.Short(t.Value, 40))
	if t.EOF() {
		shown = "the end"
	}
	symbols := grammar().Lexer().Symbols()
	isOperand := func(t lexer.Token) bool { return t.Type == symbols["Number"] || t.Type == symbols["Name"] }
	c.before = operator
	switch {
	case t.Type == symbols["Name"]:
		if err := checkName(t.Value, next.Value == "("); err != nil {
			return err
		}
		c.before = name
	case t.Type == symbols["Number"]:
		c.before = operandEnd
	case t.Value == "!" && ended:
		return errors.New("factorials are not supported")
	case !t.EOF() && !strings.Contains("()+-*/%^,", t.Value):
		return fmt.Errorf("%s has no meaning here", shown)
	case t.Value == "%" && ended && next.Value != "(" && !isOperand(next):
		return errPercent // no sign either: in 200 - 10% - 5 it is between numbers
	}
	switch sign := t.Value == "+" || t.Value == "-"; {
	case ended && (isOperand(t) || t.Value == "(" && before != name):
		return fmt.Errorf("an operator is missing before %s", shown)
	case !ended && !isOperand(t) && !sign && t.Value != "(" && !(t.Value == ")" && before == opening && c.innermost().call):
		return fmt.Errorf("a number is missing before %s", shown)
	case t.Value == "(":
		c.before = opening
		c.depth++
		c.open = append(c.open, parenthesis{t.Pos.Offset, c.depth, before == name})
	case t.Value == ")" && len(c.open) == 1:
		return errors.New("this parenthesis closes nothing")
	case t.Value == ")":
		c.before = operandEnd
		c.depth = c.innermost().depth - 1
		c.open = c.open[:len(c.open)-1]
	case t.Value == "," && !c.innermost().call:
		return errors.New("a comma belongs only between the arguments of a function; write 1000, not 1,000")
	case t.Value == "^", sign && !ended:
		c.depth++
	case !isOperand(t):
		c.depth = c.innermost().depth
	}
	if c.depth > maxDepth {
		return fmt.Errorf("the expression is nested deeper than %d", maxDepth)
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
