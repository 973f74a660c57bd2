package calc

import (
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The grammar. What binds how tight is no part of it, but of eval.
type (
	expression struct {
		First *signed `parser:"@@"`
		Rest  []step  `parser:"@@*"`
	}
	step struct {
		Pos      lexer.Position
		Operator string  `parser:"@('+' | '-' | '*' | '/' | '%' | '^')"`
		Operand  *signed `parser:"@@"`
	}
	signed struct {
		Signs   []string `parser:"@('+' | '-')*"`
		Operand *operand `parser:"@@"`
	}
	operand struct {
		Pos    lexer.Position
		Number string      `parser:"  @Number"`
		Name   string      `parser:"| @Name"`
		Call   *call       `parser:"  @@?"`
		Inner  *expression `parser:"| '(' @@ ')'"`
	}
	call struct {
		Arguments []*expression `parser:"'(' (@@ (',' @@)*)? ')'"`
	}
)

// grammar is the parser of expressions. It does not limit their depth; [check]
// does.
var grammar = sync.OnceValue(func() *participle.Parser[expression] {
	return participle.MustBuild[expression](
		participle.Lexer(lexer.MustSimple([]lexer.SimpleRule{
			{Name: "whitespace", Pattern: `[\s\v\x{85}\p{Z}]+`},
			{Name: "Number", Pattern: `[0-9.]+([eE][+-]?[0-9]+)?`},
			{Name: "Name", Pattern: `\pL[_\pL\p{Nd}]*`},
			{Name: "Sign", Pattern: `\*\*|(?s:.)`},
		})),
		participle.Map(oneSpelling, "Sign"),
		participle.UseLookahead(0),
	)
})

// oneSpelling returns the token of an operator as the grammar spells it.
func oneSpelling(t lexer.Token) (lexer.Token, error) {
	if one, ok := map[string]string{"**": "^", "×": "*", "·": "*", "÷": "/", "−": "-"}[t.Value]; ok {
		t.Value = one
	}
	return t, nil
}

// precedence says which operators bind tighter.
var precedence = map[string]int{"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "^": 3}

func (e *expression) eval() number {
	rest := e.Rest
	return evalFrom(e.First, &rest, 1)
}

// evalFrom returns the value of an operand with those of the steps behind it
// that bind at least as tight as least. It removes them. Powers bind tighter than
// signs, and from the right.
func evalFrom(s *signed, rest *[]step, least int) number {
	value := s.Operand.eval()
	next := func(least int) bool { return len(*rest) > 0 && precedence[(*rest)[0].Operator] >= least }
	take := func(least int) {
		op := (*rest)[0]
		*rest = (*rest)[1:]
		value = operateNumbers(op.Operator, value, evalFrom(op.Operand, rest, least)).at(op.Pos)
	}
	if power := precedence["^"]; next(power) {
		take(power)
	}
	for _, sign := range s.Signs {
		if sign == "-" {
			value = value.negative()
		}
	}
	for next(least) {
		take(precedence[(*rest)[0].Operator] + 1)
	}
	return value
}

func (o *operand) eval() number {
	constant, isConstant := constants[o.Name]
	switch {
	case o.Inner != nil:
		return o.Inner.eval()
	case o.Name == "":
		return literalNumber(o.Number).at(o.Pos)
	case isConstant && o.Call != nil:
		return failedNumber("%s is a constant and takes no arguments", o.Name).at(o.Pos)
	case isConstant:
		return number{float: constant}
	}
	args := make([]number, len(o.Call.Arguments))
	for i, argument := range o.Call.Arguments {
		if args[i] = argument.eval(); args[i].err != nil {
			return args[i]
		}
	}
	return functions[o.Name].call(o.Name, args).at(o.Pos)
}
