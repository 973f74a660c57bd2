package calc

import (
	"fmt"
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

// grammar is the parser of expressions. It has no limit of depth: parse checks
// that first.
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

// An evaluator computes the values of a tree until there is an error.
type evaluator struct {
	expression string
	err        error
}

// at returns a value, or keeps the error of computing it at a place.
func (e *evaluator) at(place lexer.Position, value number, err error) number {
	if err != nil && e.err == nil {
		e.err = errorAt(e.expression, place.Offset, err)
	}
	return value
}

// apply computes what an operator makes of two numbers.
func (e *evaluator) apply(place lexer.Position, operator string, a, b number) number {
	if e.err != nil {
		return a
	}
	value, err := operate(operator, a, b)
	return e.at(place, value, err)
}

func (s *sum) eval(e *evaluator) number {
	value := s.First.eval(e)
	for _, a := range s.Rest {
		value = e.apply(a.Pos, a.Operator, value, a.Operand.eval(e))
	}
	return value
}

func (p *product) eval(e *evaluator) number {
	value := p.First.eval(e)
	for _, f := range p.Rest {
		value = e.apply(f.Pos, f.Operator, value, f.Operand.eval(e))
	}
	return value
}

func (s *signed) eval(e *evaluator) number {
	if s.Power != nil {
		return s.Power.eval(e)
	}
	value := s.Inner.eval(e)
	if s.Sign == "-" {
		return value.negative()
	}
	return value
}

func (p *power) eval(e *evaluator) number {
	value := p.Base.eval(e)
	if p.Exponent == nil {
		return value
	}
	return e.apply(p.Exponent.Pos, "^", value, p.Exponent.Value.eval(e))
}

func (o *operand) eval(e *evaluator) number {
	if o.Inner != nil {
		return o.Inner.eval(e)
	}
	var args []number
	if o.Call != nil {
		for _, argument := range o.Call.Arguments {
			args = append(args, argument.eval(e))
		}
	}
	if e.err != nil {
		return number{}
	}
	value, err := o.compute(args)
	return e.at(o.Pos, value, err)
}

// compute returns the value of a number, a constant or a call.
func (o *operand) compute(args []number) (number, error) {
	if o.Name == "" {
		return literal(o.Number)
	}
	if value, ok := constants[o.Name]; ok && o.Call != nil {
		return number{}, fmt.Errorf("%s is a constant and takes no arguments", o.Name)
	} else if ok {
		return number{float: value}, nil
	}
	return functions[o.Name].call(o.Name, args)
}
