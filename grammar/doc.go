// Package grammar turns gram text into the tree of package ast.
//
//	file, problems := grammar.Parse("hello.gram", "[hello:Agent {model: \"OpenAI/m\"}]")
//
// Parse always returns a tree: after a mistake it goes on at the next place
// that makes sense, so that a file with three mistakes gives three diagnostics
// and everything around them. It says nothing about agents and tools; package
// compile does.
//
// gram.ebnf shows the grammar.
package grammar

// For maintainers:
//
//   - lexer.go never fails: what is no token becomes a Bad token, and what is
//     nested too deep becomes one token;
//   - a cursor reads the tokens. Its methods parse one part of gram each: on a
//     mistake they note a problem, skip to where they can go on, and never fail;
//   - a fix is made beside the mistake that it mends (fix*.go); safe.go proves
//     that those which are called safe leave fewer errors than there were;
//   - tokens are cut as they are needed, so that a large file needs little
//     memory.
