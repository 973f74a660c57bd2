package trace

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/page"
	"github.com/gram-lang/gramc/internal/visible"
)

// maxSourceLines is how many lines of a file the page shows.
const maxSourceLines = 5000

// writeAgents shows the schemas and the files of the agents.
func (t *Trace) writeAgents(w *page.Writer) {
	w.Markup("<aside>\n")
	for i, l := range t.agents {
		w.Markup("<section id=agent-%d><h2>%s</h2>\n", i, l.Agent)
		if len(l.Definitions)+len(l.Returns) > 0 {
			w.Markup("<h3>Schemas</h3>\n")
		}
		for k := range l.Definitions {
			l.Definitions[k].write(w, i, k)
		}
		if len(l.Returns) > 0 {
			w.Markup("<details><summary>the answer</summary><pre>%s</pre></details>\n", indented(compact(l.Returns)))
		}
		if len(l.Files) > 0 {
			w.Markup("<h3>Source</h3>\n")
		}
		for k := range l.Files {
			l.Files[k].write(w, k == 0)
		}
		w.Markup("</section>\n")
	}
	w.Markup("</aside>\n")
}

// toolID returns the anchor of a definition.
func toolID(agent, tool int) string { return fmt.Sprintf("tool-%d-%d", agent, tool) }

func (d *definition) write(w *page.Writer, agent, tool int) {
	w.Markup("<details id=%s><summary>%s</summary>\n", toolID(agent, tool), d.Name)
	if d.Description != "" {
		w.Markup("<p class=soft>%s</p>\n", d.Description)
	}
	for _, part := range []struct {
		name   string
		schema json.RawMessage
	}{{"arguments", d.Input}, {"result", d.Output}} {
		if len(part.schema) > 0 {
			w.Markup("<p class=soft>%s</p><pre>%s</pre>\n", part.name, indented(compact(part.schema)))
		}
	}
	w.Markup("</details>\n")
}

func (f *File) write(w *page.Writer, isFirst bool) {
	open := ""
	if isFirst {
		open = " open"
	}
	w.Markup("<details"+open+"><summary>%s</summary>\n", f.Name)
	if f.Text == "" {
		w.Markup("<p class=soft>This file is too long: the trace has its hash alone.</p>\n")
	} else {
		w.Markup("<pre class=source>")
		lines := strings.Split(strings.TrimSuffix(f.Text, "\n"), "\n")
		for _, line := range lines[:min(len(lines), maxSourceLines)] {
			w.Markup("<span>%s</span>", strings.TrimSuffix(line, "\r")+"\n")
		}
		w.Markup("</pre>\n")
		if more := len(lines) - maxSourceLines; more > 0 {
			w.Markup("<p class=soft>%s more are in the trace.</p>\n", visible.Counted(more, "line"))
		}
	}
	w.Markup("<p class=soft>SHA-256 %s</p></details>\n", f.Hash)
}

// linkTool writes the name of a tool, as a link to its schemas if the page has them.
func (t *Trace) linkTool(w *page.Writer, agent int, name string) {
	if agent >= 0 {
		if i := slices.IndexFunc(t.agents[agent].Definitions, func(d definition) bool { return d.Name == name }); i >= 0 {
			w.Link("#"+toolID(agent, i), name)
			return
		}
	}
	w.Text(name)
}
