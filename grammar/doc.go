// Package grammar turns gram text into the tree of package ast.
//
//	file, problems := grammar.Parse("hello.gram", "[hello:Agent {model: \"OpenAI/m\"}]")
//
// Parse always returns a tree. After an error it continues at the next sensible
// place, so a file with three errors yields three diagnostics and the tree of
// everything around them. It reports nothing about agents and tools; package
// compile does.
//
// Two parsers share one lexer. Reference, made of participle productions,
// defines the language; Parse, written by hand, is its fast twin that recovers
// from errors. A fuzz test holds them equal: they accept the same texts, with
// equal trees.
package grammar

// For maintainers:
//
//   - A change of the language starts in reference.go. Run go generate to show it
//     in docs/language.md, then change the cursor until the tests agree.
//   - lexer.go never fails: what is not a token becomes a Bad token, and what is
//     nested too deep becomes one token.
//   - A cursor reads the tokens. Its methods parse one part of gram each: on
//     an error they note a problem, skip to where they can continue, and never fail.
//   - repair.go finds fixes by trial: each leaves fewer errors. Fixes that are more
//     than one sign are proposed beside their error (fix*.go).
//   - Tokens are scanned as they are needed, so that a large file needs little
//     memory.
