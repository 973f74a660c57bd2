package main

import (
	"net/url"
	"path/filepath"
	"strings"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// This file writes reports as SARIF 2.1.0.

// A sarifObject is a JSON object.
type sarifObject = map[string]any

const (
	homeURL     = "https://github.com/gram-lang/gramc"
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

// sarifReport returns the log of one run: all rules, and the problems of files.
func sarifReport(files []fileProblems, unreadable []error) sarifObject {
	rules, ruleIndex := []sarifObject{}, map[diag.Code]int{}
	for i, e := range diag.Catalogue() {
		ruleIndex[e.Code] = i
		rules = append(rules, sarifObject{
			"id":                   e.Code,
			"shortDescription":     sarifText(e.Title),
			"fullDescription":      sarifText(e.Explanation),
			"help":                 sarifObject{"text": clean(explanation(e)), "markdown": e.Markdown()},
			"helpUri":              homeURL + "/blob/main/docs/diagnostics.md#" + string(e.Code),
			"defaultConfiguration": sarifObject{"level": sarifLevel(e.Severity)},
		})
	}
	notifications, results := []sarifObject{}, []sarifObject{}
	for _, err := range unreadable {
		notifications = append(notifications, sarifObject{"level": "error", "message": sarifText(err.Error())})
	}
	for _, f := range files {
		for _, d := range f.problems.Limit() {
			result := sarifResult(f.name, d)
			result["ruleIndex"] = ruleIndex[d.Code]
			results = append(results, result)
		}
	}
	return sarifObject{"$schema": sarifSchema, "version": "2.1.0", "runs": []sarifObject{{
		"tool": sarifObject{"driver": sarifObject{
			"name": "gramc", "informationUri": homeURL, "version": version(), "rules": rules,
		}},
		"invocations": []sarifObject{{"executionSuccessful": len(unreadable) == 0, "toolExecutionNotifications": notifications}},
		"columnKind":  "utf16CodeUnits",
		"results":     results,
	}}}
}

// sarifResult returns a diagnostic as a result, without the index of its rule.
func sarifResult(file string, d *diag.Diagnostic) sarifObject {
	related, fixes := []sarifObject{}, []sarifObject{}
	for i, r := range d.Related {
		location := sarifLocation(file, r.Span)
		location["id"], location["message"] = i, sarifText(r.Message)
		related = append(related, location)
	}
	for _, fix := range d.Fixes {
		var replacements []sarifObject
		for _, e := range fix.Edits {
			replacements = append(replacements, sarifObject{"deletedRegion": sarifRegion(e.Span), "insertedContent": sarifText(e.NewText)})
		}
		artifact := sarifObject{"uri": sarifURI(jsonFileName(fix.Edits[0].Span, file))}
		fixes = append(fixes, sarifObject{
			"description":     sarifText(fix.Title),
			"artifactChanges": []sarifObject{{"artifactLocation": artifact, "replacements": replacements}},
		})
	}
	return sarifObject{
		"ruleId": d.Code, "level": sarifLevel(d.Severity), "message": sarifText(d.Message),
		"locations": []sarifObject{sarifLocation(file, d.Span)}, "relatedLocations": related, "fixes": fixes,
	}
}

func sarifLevel(s diag.Severity) string {
	if s == diag.Info || s == diag.Hint {
		return "note"
	}
	return s.String()
}

func sarifText(text string) sarifObject { return sarifObject{"text": text} }

func sarifLocation(file string, s source.Span) sarifObject {
	place := sarifObject{"artifactLocation": sarifObject{"uri": sarifURI(jsonFileName(s, file))}}
	if !s.IsZero() {
		place["region"] = sarifRegion(s)
	}
	return sarifObject{"physicalLocation": place}
}

// sarifRegion counts lines and columns from 1; the end is behind the last column.
func sarifRegion(s source.Span) sarifObject {
	r := jsonRange(s)
	return sarifObject{
		"startLine": r.Start.Line + 1, "startColumn": r.Start.Character + 1,
		"endLine": r.End.Line + 1, "endColumn": r.End.Character + 1,
	}
}

// sarifURI returns the name of a file as a URI: a relative one of a relative
// name.
func sarifURI(name string) string {
	path := filepath.ToSlash(name)
	if !filepath.IsAbs(name) {
		return (&url.URL{Path: path}).String()
	}
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}).String()
}
