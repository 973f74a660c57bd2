package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"github.com/gram-lang/gramc/internal/guard"
)

func mustSelect(t *testing.T, text string) *selector {
	t.Helper()
	s, err := parseSelector(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}

func parsed(t *testing.T, text string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// allOf returns what cascadia finds, without what stands inside of it.
func allOf(t *testing.T, root *html.Node, text string) []*html.Node {
	t.Helper()
	group, err := cascadia.ParseGroup(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var outer []*html.Node
next:
	for _, n := range cascadia.QueryAll(root, group) {
		for up := range n.Ancestors() {
			if group.Match(up) {
				continue next
			}
		}
		outer = append(outer, n)
	}
	return outer
}

func TestSelectorsFindWhatCascadiaFinds(t *testing.T) {
	root := parsed(t, `<div id=a class="x y"><p>1<p class=x>2<b>3</b><p>4<div><p>5<i>6</i><i title="a b, c > d">7</i></div></div>
		<section><h2>t</h2><p>8<ul><li>9<li class="md:x">10<li>11</ul><p>12</section><a href="https://a.test/b.pdf">13</a><input checked>`)
	for _, text := range []string{
		"p", "*", "div p", "div > p", "div>p", "p + p", "p ~ p", "p~b", "h2 + p ~ ul > li", "#a.x.y", ".x b, li:first-child", "section p,section ul",
		"div div p i", "body * i", "html body div p", "p > i[title='a b, c > d']", `[title="a b, c > d"]`, "[href$='.pdf']", "[href^=https]", "a[href*='.test/']",
		"li:nth-child(2n + 1)", "li:nth-child(odd)", "li:not(.x)", "p:not(.x, :first-child)", ":not(div):not(p) > i", "li:last-of-type", "li:nth-last-child(2)",
		"ul > :only-child", "div:empty", "input:checked", "a:link", ":root > body", `.md\:x`, `[class="md:x"]`, "zzz p", "div ~ section > p + ul", " p ",
		"div\tp", "*:not( .x )", "section > *", "[class~=y] p", "[class|=x]", "i + i",
	} {
		got, err := mustSelect(t, text).find(root)
		want := allOf(t, root, text)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: found %d, want %d (%v)", text, len(got), len(want), err)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: element %d is another one", text, i)
			}
		}
	}
}

func TestSelectorsThatAreRefused(t *testing.T) {
	for text, says := range map[string]string{
		"": "missing", " ": "missing", ",": "missing", "a,": "missing", "a,,b": "missing", "> a": "missing", "a >": "missing", "a > > b": "missing", "a > , b": "missing",
		"a:has(b)": ":has", "a:HAS(b)": ":has", "a:haschild(b)": ":haschild", "a:contains('x')": ":contains", "a:containsOwn(x)": ":containsown",
		"a:matches(x)": ":matches", "a:lang(en)": ":lang", "a:enabled": ":enabled", `a:h\61 s(b)`: ":h", `a:\68 as(b)`: "may not use :", "a::before": ":",
		"a:not(b:has(c))": ":has", "a:not(:not(b))": ":not", "a:not(b c)": "combinators", "a:not(b > c)": "combinators", "a:not": "parentheses",
		"a:not(:nth-child(2):has(*))": ":has", "a/**/b": "comments", "a:not(b/**/c)": "comments", "[a#=(x+)+y]": "#=", "a[": "\"a[\"", "a)": "\"a)\"",
		"a:not(b": "a:not(b", "a]b": "a]b", `a\`: "a", "4": "4", "a{}": "a{}", "<p>": "<p", "a:nth-child(x)": "nth-child", `a["`: "a[",
		strings.Repeat("a ", 65): "more than 64 parts", strings.Repeat("a", 1001): "at most 1000",
	} {
		if _, err := parseSelector(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

func TestSiblingsAreNotCountedOnHugePages(t *testing.T) {
	root := parsed(t, strings.Repeat("<p>", 10_000))
	if _, err := mustSelect(t, "p:nth-child(3)").find(root); err == nil || !strings.Contains(err.Error(), "too many siblings") {
		t.Error(err)
	}
	if found, err := mustSelect(t, "body > p").find(root); err != nil || len(found) != 10_000 {
		t.Error(len(found), err)
	}
}

func FuzzSelector(f *testing.F) {
	for _, text := range []string{"a > b, c:not(.d)", `[a="b c"] ~ *`, "a:not(:nth-child(2n+1))", `\31 x`, "a:has(b", "((([[["} {
		f.Add(text)
	}
	root, err := html.Parse(strings.NewReader("<div class=a id=b><p>1<b>2</b><p title='x y'>3</div><ul><li>4<li>5</ul>"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseSelector(text)
		if err != nil {
			return
		}
		got, err := s.find(root)
		if err != nil {
			t.Fatal(err)
		}
		if want := allOf(t, root, text); len(got) != len(want) {
			t.Errorf("%q: found %d, want %d", text, len(got), len(want))
		}
	})
}

// Pages of 1 MiB that are made to take long. Each takes a fraction of a second; were
// one of these quadratic or worse, the test would never end.
func TestHostilePagesAreReadInLinearTime(t *testing.T) {
	fill := func(piece string) string { return strings.Repeat(piece, (1<<20)/len(piece)) }
	deep := strings.Repeat("<div>", 480)
	for name, text := range map[string]string{
		"siblings": fill("<p>"), "bold": fill("<b>"), "bold and paragraphs": fill("<b><p>"), "links": fill("<a>"), "links in blocks": fill("<a><div>"),
		"tables": fill("<table>"), "cells": fill("<table><td>"), "foster": "<table>" + fill("x<b>"), "closers": fill("</p>"), "lists": fill("<dl><dt>"),
		"forms": fill("<form><b>"), "attributes": "<p " + fill("a b='c' "), "entities": fill("&amp;"), "comments": fill("<!-->"),
		"unclosed": fill("<"), "script": "<script>" + fill("<!--<script>"), "deep siblings": deep + fill("<i></i>"), "deep text": deep + fill("a "),
		"svg": fill("<svg><g>"), "select": "<select>" + fill("<option>"), "frameset": fill("<frameset>"), "templates": fill("<template>"),
		"headings": fill("<h1><h2>"), "ruby": fill("<ruby><rt>"), "adoption": fill("<a><b><i><u></a>"), "fonts": fill("<font size=1></p>"),
	} {
		answer := &guard.Response{Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: []byte(text)}
		for _, css := range []string{"", "zzz div div div div div p i, p ~ p ~ p ~ p ~ zzz, *:not(.a):empty > *"} {
			var chosen *selector
			if css != "" {
				chosen = mustSelect(t, css)
			}
			if page, err := readScrapedPage(answer, chosen); err == nil && len(page.Text) > 2<<20 {
				t.Errorf("%s, %q: %d bytes of text", name, css, len(page.Text))
			}
		}
	}
}
