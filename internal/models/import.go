package models

import (
	"encoding/json"
	"math"
	"strings"
	"unicode"
)

// importSource is the source of the models that [ImportModelsDev] reads.
const importSource = "https://models.dev/api.json"

// A foreignModel is a model of the file api.json of models.dev
// (https://github.com/anomalyco/models.dev, "Schema Reference").
type foreignModel struct {
	Tools       *bool  `json:"tool_call"`
	Schema      *bool  `json:"structured_output"`
	Temperature *bool  `json:"temperature"`
	Reasoning   *bool  `json:"reasoning"`
	Status      string `json:"status"`
	Limit       struct {
		Context, Input, Output float64
	}
	Modalities struct{ Input []string }
	Cost       *foreignCost
}

type foreignCost struct {
	Input, Output *float64
	CacheRead     float64 `json:"cache_read"`
	CacheWrite    float64 `json:"cache_write"`
	Tiers         []struct {
		Tier    struct{ Size float64 }
		Context struct{ Min float64 }
		foreignCost
	}
}

// ImportModelsDev reads the file api.json of models.dev and returns the models of the
// providers that t has, with the day on which that happens, as 2006-01-02. It takes
// neither addresses nor variables for keys from the file. Left out are the models of
// other providers.
func ImportModelsDev(data []byte, t *Table, day string) (found []Provider, leftOut int, err error) {
	var file map[string]struct {
		Models map[string]foreignModel `json:"models"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, 0, err
	}
	for i := range t.Providers() {
		p := Provider{Name: t.Providers()[i].Name}
		for id, provider := range file {
			if named, ok := t.ProviderNamed(id); !ok || named.Name != p.Name {
				continue
			}
			for id, m := range provider.Models {
				if len(id) <= maxImportedID && !strings.ContainsFunc(id, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) && id != "" {
					p.Models = append(p.Models, m.model(id, day))
				}
			}
		}
		if len(p.Models) > 0 {
			p.Models = mergeModels(nil, p.Models)
			found = append(found, p)
		}
	}
	for id, provider := range file {
		if _, ok := t.ProviderNamed(id); !ok {
			leftOut += len(provider.Models)
		}
	}
	return found, leftOut, nil
}

// maxImportedID is the length of the longest id that is imported, in bytes.
const maxImportedID = 200

func (f *foreignModel) model(id, day string) Model {
	m := Model{
		ID: id, Context: count(f.Limit.Context), Input: count(f.Limit.Input), Output: count(f.Limit.Output),
		Tools: support(f.Tools), Schema: support(f.Schema), Reasoning: support(f.Reasoning),
		Prices: f.Cost.prices(), Deprecated: f.Status == "deprecated", Source: importSource, Date: day,
	}
	// It says no also of models that take one as long as they do not reason.
	if f.Temperature != nil && *f.Temperature {
		m.Temperature = Yes
	}
	if len(f.Modalities.Input) > 0 {
		m.Images, m.Files = No, No
	}
	for _, kind := range f.Modalities.Input {
		switch kind {
		case "image":
			m.Images = Yes
		case "pdf":
			m.Files = Yes
		}
	}
	if m.Output > m.Context {
		m.Output = 0
	}
	return m
}

func support(yes *bool) Support {
	switch {
	case yes == nil:
		return Unknown
	case *yes:
		return Yes
	}
	return No
}

// count returns a number of tokens; what is none is unknown.
func count(n float64) int {
	if n < 1 || n > math.MaxInt32 || n != math.Trunc(n) {
		return 0
	}
	return int(n)
}

func (f *foreignCost) prices() *Prices {
	if f == nil || f.Input == nil || f.Output == nil {
		return nil
	}
	p := &Prices{Input: perToken(*f.Input), Output: perToken(*f.Output), CacheRead: perToken(f.CacheRead), CacheWrite: perToken(f.CacheWrite)}
	for _, tier := range f.Tiers { // of several, the last one, which is the dearest
		if above := count(max(tier.Tier.Size, tier.Context.Min)); above > p.Above {
			if long := tier.prices(); long != nil {
				long.Above, long.Long = 0, nil
				p.Above, p.Long = above, long
			}
		}
	}
	if len(f.Tiers) > 0 { // the dearest from the first border on: no budget is exceeded
		for _, tier := range f.Tiers {
			if above := count(max(tier.Tier.Size, tier.Context.Min)); above > 0 && above < p.Above {
				p.Above = above
			}
		}
	}
	return p
}

// perToken returns the price of one token for that of a million in dollars.
func perToken(dollars float64) Money {
	if dollars < 0 || dollars > 1e6 || math.IsNaN(dollars) {
		return 0
	}
	return Money(math.Round(dollars * PerMillion))
}
