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
//   - participle parses the annotations of a pattern, up to the bracket that
//     opens it (build.go). Its reflection is slow, so patterns without
//     annotations never get there, and it sees only a window of the tokens;
//   - everything else is written by hand: on a mistake it notes a problem, skips
//     to where it can go on, and never fails. A cursor reads the tokens, a
//     stock makes the nodes;
//   - a fix is made beside the mistake that it mends (fix*.go); safe.go proves
//     that those which are called safe leave fewer errors than there were;
//   - tokens are cut in chunks, so that a large file needs little memory.
