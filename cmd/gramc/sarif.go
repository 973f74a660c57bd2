package main

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// A sarifReporter writes one SARIF 2.1.0 log when all files are known.
type sarifReporter struct {
	out io.Writer
	run sarifRun
}

func (r *sarifReporter) add(file string, problems diag.List) error {
	for _, d := range problems.Limit() {
		result := sarifResultOf(file, d)
		result.RuleIndex = slices.IndexFunc(r.run.Tool.Driver.Rules, func(rule sarifRule) bool { return rule.ID == d.Code })
		r.run.Results = append(r.run.Results, result)
	}
	return nil
}

func (r *sarifReporter) finish(unreadable []error) error {
	invocation := sarifInvocation{ExecutionSuccessful: len(unreadable) == 0}
	for _, err := range unreadable {
		invocation.Notifications = append(invocation.Notifications, sarifNotification{"error", sarifText{Text: err.Error()}})
	}
	r.run.Invocations = []sarifInvocation{invocation}
	return encode(r.out, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{r.run},
	}, "  ")
}

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
	ID               diag.Code   `json:"id"`
	ShortDescription sarifText   `json:"shortDescription"`
	FullDescription  sarifText   `json:"fullDescription"`
	Help             sarifText   `json:"help"`
	HelpURI          string      `json:"helpUri"`
	Default          sarifConfig `json:"defaultConfiguration"`
}

type sarifConfig struct {
	Level string `json:"level"`
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
	ID       *int          `json:"id,omitempty"`
	Message  *sarifText    `json:"message,omitempty"`
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
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
	Deleted  sarifRegion `json:"deletedRegion"`
	Inserted sarifText   `json:"insertedContent"`
}

const homeURL = "https://github.com/gram-lang/gramc"

// newSARIFRun returns a run with all rules and without results.
func newSARIFRun() sarifRun {
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "gramc", InformationURI: homeURL, Version: readVersion().version}
	for _, e := range diag.Catalogue() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID:               e.Code,
			ShortDescription: sarifText{Text: e.Title},
			FullDescription:  sarifText{Text: e.Explanation},
			Help:             sarifText{Text: clean(explanation(e)), Markdown: e.Markdown()},
			HelpURI:          homeURL + "/blob/main/docs/diagnostics.md#" + string(e.Code),
			Default:          sarifConfig{sarifLevel(e.Severity)},
		})
	}
	return run
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
		Locations: []sarifLocation{{Physical: sarifPlace(file, d.Span)}},
	}
	for i, related := range d.Related {
		r.Related = append(r.Related, sarifLocation{&i, &sarifText{Text: related.Message}, sarifPlace(file, related.Span)})
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

func sarifPlace(file string, s source.Span) sarifPhysical {
	p := sarifPhysical{Artifact: sarifArtifact{artifactURI(fileOf(s, file))}}
	if !s.IsZero() {
		region := regionOf(s)
		p.Region = &region
	}
	return p
}

func regionOf(s source.Span) sarifRegion {
	r := rangeOf(s)
	return sarifRegion{r.Start.Line + 1, r.Start.Character + 1, r.End.Line + 1, r.End.Character + 1}
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
