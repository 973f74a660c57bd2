// Package ast holds the tree of a gram file, on two levels.
//
// The general tree knows gram and nothing about agents. It keeps the whole file,
// down to the spelling of a value:
//
//	File
//	├── Header  *Record                      {kind: "agents"}
//	└── Patterns []*Pattern
//	    ├── Annotations                      @note("x")
//	    ├── Subject                          hello:Agent {model: "OpenAI/m"}
//	    │   ├── Identity *Name               hello
//	    │   ├── Labels   []*Label            :Agent
//	    │   └── Record   *Record             {model: "OpenAI/m"}
//	    ├── Elements []*Pattern              | [sayHello:Tool …], otherTool
//	    └── Arrows   []*Arrow                of a path: (a)==>(b)
//
// The typed views [Agent] and [Tool] read the same patterns as agents and tools,
// and hold no data of their own:
//
//	for _, p := range file.Patterns {
//		if a, ok := ast.AsAgent(p); ok {
//			fmt.Println(a.Name(), a.Model())
//		}
//	}
//
// A view never fails and never reports; package compile does that. A tree does
// not change after it was parsed: setters return changed copies.
package ast
