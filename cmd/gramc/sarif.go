package main

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// A sarifLog is a log of SARIF 2.1.0.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	InformationURI string      `json:"informationUri"`
	Version        string      `json:"version"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               diag.Code `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
	FullDescription  sarifText `json:"fullDescription"`
	Help             sarifText `json:"help"`
	HelpURI          string    `json:"helpUri"`
	Default          struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID    diag.Code       `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
	Related   []sarifLocation `json:"relatedLocations,omitempty"`
	Fixes     []sarifFix      `json:"fixes,omitempty"`
}

type sarifLocation struct {
	ID       *int       `json:"id,omitempty"`
	Message  *sarifText `json:"message,omitempty"`
	Physical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	} `json:"physicalLocation"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

// A sarifRegion counts lines and columns from 1; the end is behind the last
// column.
type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

type sarifFix struct {
	Description sarifText     `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  *sarifRegion `json:"deletedRegion"`
	Inserted sarifText    `json:"insertedContent"`
}

const homeURL = "https://github.com/gram-lang/gramc"

// sarifReport returns the log of one run: all rules, and the problems of files.
func sarifReport(files []fileProblems, unreadable []error) sarifLog {
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{"gramc", homeURL, readVersion().version, sarifRules()}
	invocation := sarifInvocation{ExecutionSuccessful: len(unreadable) == 0}
	for _, err := range unreadable {
		invocation.Notifications = append(invocation.Notifications, sarifNotification{"error", sarifText{Text: err.Error()}})
	}
	run.Invocations = []sarifInvocation{invocation}
	for _, f := range files {
		for _, d := range f.problems.Limit() {
			result := sarifResultOf(f.name, d)
			result.RuleIndex = slices.IndexFunc(run.Tool.Driver.Rules, func(rule sarifRule) bool { return rule.ID == d.Code })
			run.Results = append(run.Results, result)
		}
	}
	const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	return sarifLog{schema, "2.1.0", []sarifRun{run}}
}

func sarifRules() (rules []sarifRule) {
	for _, e := range diag.Catalogue() {
		rule := sarifRule{
			ID:               e.Code,
			ShortDescription: sarifText{Text: e.Title},
			FullDescription:  sarifText{Text: e.Explanation},
			Help:             sarifText{Text: clean(explanation(e)), Markdown: e.Markdown()},
			HelpURI:          homeURL + "/blob/main/docs/diagnostics.md#" + string(e.Code),
		}
		rule.Default.Level = sarifLevel(e.Severity)
		rules = append(rules, rule)
	}
	return rules
}

func sarifLevel(s diag.Severity) string {
	if s == diag.Info || s == diag.Hint {
		return "note"
	}
	return s.String()
}

// sarifResultOf returns a diagnostic as a result, without the index of its rule.
func sarifResultOf(file string, d *diag.Diagnostic) sarifResult {
	r := sarifResult{
		RuleID:    d.Code,
		Level:     sarifLevel(d.Severity),
		Message:   sarifText{Text: d.Message},
		Locations: []sarifLocation{sarifPlace(file, d.Span)},
	}
	for i, related := range d.Related {
		place := sarifPlace(file, related.Span)
		place.ID, place.Message = &i, &sarifText{Text: related.Message}
		r.Related = append(r.Related, place)
	}
	for _, fix := range d.Fixes {
		change := sarifChange{Artifact: sarifArtifact{artifactURI(fileOf(fix.Edits[0].Span, file))}}
		for _, e := range fix.Edits {
			change.Replacements = append(change.Replacements, sarifReplacement{regionOf(e.Span), sarifText{Text: e.NewText}})
		}
		r.Fixes = append(r.Fixes, sarifFix{sarifText{Text: fix.Title}, []sarifChange{change}})
	}
	return r
}

func sarifPlace(file string, s source.Span) (l sarifLocation) {
	l.Physical.Artifact.URI = artifactURI(fileOf(s, file))
	if !s.IsZero() {
		l.Physical.Region = regionOf(s)
	}
	return l
}

func regionOf(s source.Span) *sarifRegion {
	r := rangeOf(s)
	return &sarifRegion{r.Start.Line + 1, r.Start.Character + 1, r.End.Line + 1, r.End.Character + 1}
}

// artifactURI returns the name of a file as a URI: a relative one of a relative
// name.
func artifactURI(name string) string {
	path := filepath.ToSlash(name)
	if !filepath.IsAbs(name) {
		return (&url.URL{Path: path}).String()
	}
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}).String()
}
