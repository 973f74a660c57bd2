package calc

import (
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The grammar, from what binds loosest to what binds tightest.
type (
	sum struct {
		First *product `parser:"@@"`
		Rest  []addend `parser:"@@*"`
	}
	addend struct {
		Pos      lexer.Position
		Operator string   `parser:"@('+' | '-')"`
		Operand  *product `parser:"@@"`
	}
	product struct {
		First *signed  `parser:"@@"`
		Rest  []factor `parser:"@@*"`
	}
	factor struct {
		Pos      lexer.Position
		Operator string  `parser:"@('*' | '/' | '%')"`
		Operand  *signed `parser:"@@"`
	}
	signed struct {
		Sign  string  `parser:"( @('+' | '-')"`
		Inner *signed `parser:"  @@"`
		Power *power  `parser:"| @@ )"`
	}
	power struct {
		Base     *operand  `parser:"@@"`
		Exponent *exponent `parser:"@@?"`
	}
	exponent struct {
		Pos   lexer.Position
		Value *signed `parser:"'^' @@"`
	}
	operand struct {
		Pos    lexer.Position
		Number string `parser:"  @Number"`
		Name   string `parser:"| @Name"`
		Call   *call  `parser:"  @@?"`
		Inner  *sum   `parser:"| '(' @@ ')'"`
	}
	call struct {
		Arguments []*sum `parser:"'(' (@@ (',' @@)*)? ')'"`
	}
)

// grammar is the parser of expressions. It does not limit their depth; [check]
// does.
var grammar = sync.OnceValue(func() *participle.Parser[sum] {
	return participle.MustBuild[sum](
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

// eval methods return the value of a part of the tree.

func (s *sum) eval() number {
	value := s.First.eval()
	for _, a := range s.Rest {
		value = operate(a.Operator, value, a.Operand.eval()).at(a.Pos)
	}
	return value
}

func (p *product) eval() number {
	value := p.First.eval()
	for _, f := range p.Rest {
		value = operate(f.Operator, value, f.Operand.eval()).at(f.Pos)
	}
	return value
}

func (s *signed) eval() number {
	switch {
	case s.Power != nil:
		return s.Power.eval()
	case s.Sign == "-":
		return s.Inner.eval().negative()
	}
	return s.Inner.eval()
}

func (p *power) eval() number {
	if p.Exponent == nil {
		return p.Base.eval()
	}
	return operate("^", p.Base.eval(), p.Exponent.Value.eval()).at(p.Exponent.Pos)
}

func (o *operand) eval() number {
	constant, isConstant := constants[o.Name]
	switch {
	case o.Inner != nil:
		return o.Inner.eval()
	case o.Name == "":
		return literal(o.Number).at(o.Pos)
	case isConstant && o.Call != nil:
		return failed("%s is a constant and takes no arguments", o.Name).at(o.Pos)
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
