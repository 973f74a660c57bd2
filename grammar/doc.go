// Package grammar turns gram text into the tree of package ast.
//
//	file, problems := grammar.Parse("hello.gram", "[hello:Agent {model: \"OpenAI/m\"}]")
//
// Parse always returns a tree: after a mistake it goes on at the next place
// that makes sense, so that a file with three mistakes gives three diagnostics
// and everything around them. It says nothing about agents and tools; package
// compile does.
//
// Participle is the engine; gram.ebnf shows the grammar.
package grammar

// For maintainers. Participle has no recovery, no depth limit, and gives up on
// the first token that a lexer refuses. So:
//
//   - lexer.go never fails: what is no token becomes a Bad token, and what is
//     nested too deep becomes one token;
//   - grammar.go is LL(1) and parsed without lookahead, so that participle
//     stops exactly at the token that is wrong;
//   - the productions of record.go, value.go, subject.go and path.go, and the
//     list and close of a bracket, are written by hand (participle.Parseable):
//     on a mistake they note a problem, skip to where they can go on, and never
//     fail;
//   - each top-level pattern is one call of participle (parse.go), so that a
//     large file needs little memory;
//   - build.go turns the structs of participle into the tree, which they never
//     leave.
