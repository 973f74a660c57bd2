package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/internal/workspace"
)

// A listedModel is a model in the output of the command models. Nil, false and "unknown"
// say that something is not known.
type listedModel struct {
	Provider    string       `json:"provider"`
	ID          string       `json:"id"`
	Aliases     []string     `json:"aliases"`
	Context     *int         `json:"context"`
	Input       *int         `json:"input"`
	Output      *int         `json:"output"`
	Tools       string       `json:"tools"`
	Images      string       `json:"images"`
	Files       string       `json:"files"`
	Schema      string       `json:"schema"`
	Temperature string       `json:"temperature"`
	Reasoning   string       `json:"reasoning"`
	MaxTools    *int         `json:"maxTools"`
	MaxToolName *int         `json:"maxToolName"`
	Prices      *listedPrice `json:"prices"`
	Deprecated  bool         `json:"deprecated"`
	Retired     *string      `json:"retired"`
	Successor   *string      `json:"successor"`
	Source      string       `json:"source"`
	Date        string       `json:"date"`
}

// A listedPrice is in US dollars for a million tokens.
type listedPrice struct {
	Input      string       `json:"input"`
	Output     string       `json:"output"`
	CacheRead  *string      `json:"cacheRead"`
	CacheWrite *string      `json:"cacheWrite"`
	Above      *int         `json:"above,omitempty"`
	Long       *listedPrice `json:"long,omitempty"`
}

func (c *cli) modelsCommand() *cobra.Command {
	var asJSON bool
	var file string
	cmd := command("models [NAME|WORD...]", nil, func(cmd *cobra.Command, words []string) error {
		if cmd.Flag("import").Changed {
			if len(words) > 0 || asJSON {
				return errors.New("--import takes a file and nothing else")
			}
			return c.importModels(file)
		}
		return c.listModels(words, asJSON)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.Flags().StringVar(&file, "import", "", "add the models of `FILE`, the api.json of models.dev, to your configuration")
	if err := cmd.MarkFlagFilename("import", "json"); err != nil {
		panic("gramc: " + err.Error())
	}
	return cmd
}

// A modelOf is a model with its provider.
type modelOf struct {
	provider *models.Provider
	model    *models.Model
}

func (m modelOf) name() string { return m.provider.Name + "/" + m.model.ID }

// listModels writes the models that have all words in their names, or one that has the
// name.
func (c *cli) listModels(words []string, asJSON bool) error {
	table := c.models()
	if c.tableFault != nil {
		return c.tableFault
	}
	var list []modelOf
	for p, m := range table.All() {
		if modelHasWords(p.Name+"/"+m.ID+" "+strings.Join(m.Aliases, " "), words) {
			list = append(list, modelOf{p, m})
		}
	}
	one := len(words) == 1
	if one {
		if exact := namedModels(table, words[0]); len(exact) > 0 {
			list = exact
		}
	}
	switch {
	case asJSON:
		out := make([]listedModel, len(list))
		for i, m := range list {
			out[i] = m.listed()
		}
		return c.encodeData(out)
	case len(list) == 0:
		return noModel(table, words)
	case len(list) == 1 && one:
		return c.writeText(list[0].page())
	}
	return c.writeText(modelTable(list))
}

// noModel returns the error that no model has all words in its name, with the one that was
// probably meant.
func noModel(table *models.Table, words []string) error {
	text := fmt.Sprintf("no model has %s in its name", strings.Join(quoteModels(words), " and "))
	id := words[len(words)-1]
	if name, rest, ok := strings.Cut(id, "/"); ok {
		if _, known := table.ProviderNamed(name); known {
			id = rest
		}
	}
	list := table.Providers()
	for i := range list {
		if near := list[i].Meant(id); near != "" {
			return fmt.Errorf("%s; did you mean %s/%s?", text, list[i].Name, near)
		}
	}
	return fmt.Errorf("%s; gramc models lists all that are known", text)
}

func quoteModels(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strconv.Quote(w)
	}
	return out
}

func modelHasWords(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(strings.ToLower(text), strings.ToLower(w)) {
			return false
		}
	}
	return true
}

// namedModels returns the models that have a name: Provider/id, or an id of several
// providers.
func namedModels(table *models.Table, name string) (list []modelOf) {
	for p, m := range table.All() {
		provider, id, ok := strings.Cut(name, "/")
		if named, known := table.ProviderNamed(provider); m.Is(name) || ok && known && named == p && m.Is(id) {
			list = append(list, modelOf{p, m})
		}
	}
	return list
}

// modelTable returns a line for each model, in columns.
func modelTable(list []modelOf) string {
	rows := [][]string{{"MODEL", "CONTEXT", "ANSWER", "INPUT", "CACHED", "OUTPUT", ""}}
	for _, m := range list {
		input, cached, output := "unknown", "unknown", "unknown"
		if p := m.model.Prices; p != nil {
			input, output = p.Input.OfMillion(), p.Output.OfMillion()
			if p.CacheRead > 0 {
				cached = p.CacheRead.OfMillion()
			}
		}
		rows = append(rows, []string{m.name(), modelTokens(m.model.Context), modelTokens(m.model.Output), input, cached, output, m.end()})
	}
	return modelColumns(rows) + "\nPrices are in US dollars for a million tokens. gramc models NAME shows one model with its source.\n"
}

// modelColumns aligns rows, numbers to the right.
func modelColumns(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var out strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			switch last := len(row) - 1; {
			case i == 0:
				fmt.Fprintf(&line, "%-*s", widths[i], cell)
			case i < last:
				fmt.Fprintf(&line, "  %*s", widths[i], cell)
			case cell != "":
				line.WriteString("  " + cell)
			}
		}
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return out.String()
}

// modelTokens writes a number of tokens with its thousands apart.
func modelTokens(n int) string {
	if n == 0 {
		return "unknown"
	}
	return visible.Number(int64(n))
}

// end says that a model is deprecated, and what comes after it.
func (m modelOf) end() string {
	if !m.model.Deprecated {
		return ""
	}
	text := "deprecated"
	if m.model.Retired != "" {
		text += ", ends " + m.model.Retired
	}
	if m.model.Successor != "" {
		text += ", then " + m.model.Successor
	}
	return text
}

// page returns all that is known of a model.
func (m modelOf) page() string {
	k := m.model
	tools := k.Tools.String()
	if k.MaxTools > 0 {
		tools += fmt.Sprintf(", at most %d", k.MaxTools)
	}
	if k.MaxToolName > 0 {
		tools += fmt.Sprintf(", names of at most %d characters", k.MaxToolName)
	}
	temperature := k.Temperature.String()
	if k.Temperature == models.No {
		temperature = "1 alone"
	}
	rows := [][2]string{{"context", modelTokens(k.Context)}}
	if k.Input > 0 {
		rows = append(rows, [2]string{"input", modelTokens(k.Input)})
	}
	rows = append(rows, [][2]string{
		{"answer", modelTokens(k.Output)}, {"tools", tools}, {"images", k.Images.String()}, {"files", k.Files.String()},
		{"schema", k.Schema.String()}, {"temperature", temperature}, {"reasoning", k.Reasoning.String()}, {"price", pricesText(k.Prices)},
	}...)
	if k.Prices != nil && k.Prices.Long != nil {
		rows = append(rows, [2]string{"", fmt.Sprintf("%s above %s tokens of input", pricesText(k.Prices.Long), modelTokens(k.Prices.Above))})
	}
	if len(k.Aliases) > 0 {
		rows = append(rows, [2]string{"other ids", strings.Join(k.Aliases, ", ")})
	}
	if k.Deprecated {
		rows = append(rows, [2]string{"status", m.end()})
	}
	rows = append(rows, [2]string{"source", k.Source + ", " + k.Date})
	out := m.name() + "\n"
	for _, row := range rows {
		out += fmt.Sprintf("  %-11s  %s\n", row[0], row[1])
	}
	return out
}

func pricesText(p *models.Prices) string {
	if p == nil {
		return "unknown"
	}
	text := p.Input.OfMillion() + " input"
	if p.CacheRead > 0 {
		text += ", " + p.CacheRead.OfMillion() + " cached"
	}
	if p.CacheWrite > 0 {
		text += ", " + p.CacheWrite.OfMillion() + " written to the cache"
	}
	return text + ", " + p.Output.OfMillion() + " output, for a million tokens"
}

// listed returns the model as JSON has it.
func (m modelOf) listed() listedModel {
	k := m.model
	return listedModel{
		Provider: m.provider.Name, ID: k.ID, Aliases: append([]string{}, k.Aliases...),
		Context: modelFactOrNil(k.Context), Input: modelFactOrNil(k.Input), Output: modelFactOrNil(k.Output),
		Tools: k.Tools.String(), Images: k.Images.String(), Files: k.Files.String(), Schema: k.Schema.String(),
		Temperature: k.Temperature.String(), Reasoning: k.Reasoning.String(),
		MaxTools: modelFactOrNil(k.MaxTools), MaxToolName: modelFactOrNil(k.MaxToolName), Prices: listedPrices(k.Prices),
		Deprecated: k.Deprecated, Retired: modelFactOrNil(k.Retired), Successor: modelFactOrNil(k.Successor), Source: k.Source, Date: k.Date,
	}
}

func listedPrices(p *models.Prices) *listedPrice {
	if p == nil {
		return nil
	}
	out := &listedPrice{Input: modelDollars(p.Input), Output: modelDollars(p.Output), Above: modelFactOrNil(p.Above), Long: listedPrices(p.Long)}
	if p.CacheRead > 0 {
		out.CacheRead = modelFactOrNil(modelDollars(p.CacheRead))
	}
	if p.CacheWrite > 0 {
		out.CacheWrite = modelFactOrNil(modelDollars(p.CacheWrite))
	}
	return out
}

func modelDollars(m models.Money) string { return strings.TrimPrefix(m.OfMillion(), "$") }

// modelFactOrNil returns nil for what is not known.
func modelFactOrNil[T comparable](value T) *T {
	var unknown T
	if value == unknown {
		return nil
	}
	return &value
}

// importModels reads the file api.json of models.dev into the user's configuration.
func (c *cli) importModels(file string) error {
	path := workspace.UserFile(workspace.UserModels)
	if path == "" {
		return errors.New("this system has no folder for the configuration of a user")
	}
	table := c.models()
	if c.tableFault != nil {
		return c.tableFault
	}
	text, err := c.readInput(file)
	if err != nil {
		return err
	}
	found, leftOut, err := models.ImportModelsDev([]byte(text), table, time.Now().Format(time.DateOnly))
	if err != nil || len(found) == 0 {
		return unusableInput(file, errors.New("it is not the file api.json of models.dev"))
	}
	data, err := plainjson.Marshal(found)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := c.writeOutput(path, append(data, '\n')); err != nil {
		return err
	}
	n := 0
	for _, p := range found {
		n += len(p.Models)
	}
	c.note(fmt.Sprintf("%s of %s imported to %s; %s of other providers left out", counted(n, "model"), counted(len(found), "provider"), path, counted(leftOut, "model")))
	return nil
}
