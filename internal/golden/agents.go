package golden

import (
	"fmt"
	"strings"
)

// Agents returns a gram text of at least size bytes, a sequence of agents of
// which no two are alike, for benchmarks.
func Agents(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `// Agent number %[1]d.
[agent%[1]d:Agent {
  description: "Answers questions of kind %[1]d",
  instruction: `+"```md"+`
  You answer questions of kind %[1]d. Use `+"`lookup%[1]d`"+` first, and `+"`report%[1]d`"+` when you are done.
  Never guess: say so when the tools give no answer.
  `+"```"+`,
  model: "OpenAI/gpt-5.4-mini"
} |
  [lookup%[1]d:Tool {description: "Looks up records"} |
    (query::Text)==>(limit::Int {default: %[2]d})==>(tags::Array {elementType: "Text", default: ["a", "b"]})==>(::Array {elementType: "Object"})],
  [report%[1]d:Tool {description: 'Files a report'} | // filed at once
    (title::Text {default: "none"})==>(score::Double {default: 0.%[1]d})==>(urgent::Bool {default: false})==>(::String)],
  sharedTool
]
@weight(%[2]d) (n%[1]d:Note {range: 1..%[2]d, size: 5kg})-[r%[1]d:Of]->(agent%[1]d)
`, i, i%97+1)
	}
	return b.String()
}
