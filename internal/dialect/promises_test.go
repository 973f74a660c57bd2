package dialect

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/modelfake"
)

// groups are all faults that are tried in each dialect, streamed and not.
var groups = map[string]func() []fault{
	"arguments": faultsOfArguments, "calls": faultsOfCalls, "answers": faultsOfAnswers, "counts": faultsOfCounts, "errors": errorsOfTheProvider,
	"bodies": unusableBodies, "connections": faultsOfConnections, "slow servers": slowServers, "streams": faultsOfStreams, "forms of streams": formsOfStreams,
}

func TestFaults(t *testing.T) {
	for name, list := range groups {
		t.Run(name, func(t *testing.T) { runFaults(t, list()) })
	}
}

// A promise is a kind of fault of models that a run has to bear, and what tries it: faults of
// groups ("arguments/cut"), or tests ("internal/dialect.TestRunsAmongFaults") where it is not a matter of a dialect.
type promise struct {
	kind  string
	tried []string
}

var promises = []promise{
	{"arguments that are not JSON, cut, fenced, in single quotes, with trailing text", []string{
		"arguments/cut", "arguments/fenced", "arguments/single quotes", "arguments/trailing text", "arguments/empty", "arguments/null", "arguments/double encoding"}},
	{"arguments that are missing, of a wrong type, null, extra, deep, huge, with duplicate keys", []string{
		"arguments/missing", "arguments/wrong type", "arguments/a list", "arguments/a null value", "arguments/extra", "arguments/deep", "arguments/huge", "arguments/duplicate keys"}},
	{"a tool that is unknown, in wrong case, functions.x, empty, of 160 kB", []string{
		"calls/an unknown tool", "calls/wrong case", "calls/functions.x", "calls/an empty name", "calls/a name of 160 kB"}},
	{"ids that are duplicate, empty, missing, reused, of 500 characters", []string{
		"calls/duplicate ids", "calls/empty ids", "calls/a reused id", "calls/an id of 500 characters", "calls/an id with odd characters"}},
	{"several calls", []string{"calls/two calls beside a text", "calls/200 calls"}},
	{"loops: infinite, varied, ping-pong", []string{"calls/an infinite loop", "calls/a varied loop", "calls/ping-pong"}},
	{"empty, blank, null content, reasoning only", []string{
		"answers/empty", "answers/blank", "answers/reasoning only", "answers/always empty", "answers/always reasoning only"}},
	{"finish length, in a text and inside arguments", []string{"answers/finish length", "answers/length inside arguments", "answers/length after arguments"}},
	{"content filter with 200 and 400, refusal", []string{
		"answers/content filter, 200", "answers/content filter after a call", "answers/content filter, 400", "answers/refusal"}},
	{"no choices, no message, 200 with an error, HTML, an empty body, BOM, a list", []string{
		"bodies/nothing 0", "bodies/nothing 0, once", "bodies/overloaded with success", "bodies/HTML", "bodies/HTML as JSON", "bodies/empty", "bodies/empty, once", "bodies/blank",
		"bodies/null", "bodies/a list", "bodies/text", "bodies/cut JSON", "bodies/BOM"}},
	{"finish stop with calls, tool_calls without calls, unknown and null finish, wrong role, content parts, call type custom", []string{
		"answers/finish stop with calls", "answers/tool_calls without calls", "answers/unknown finish", "answers/null finish", "answers/wrong role", "answers/content parts",
		"answers/call type custom", "answers/a part of an unknown type"}},
	{"usage that is missing, null, negative, huge, a float", []string{
		"counts/missing", "counts/null", "counts/negative", "counts/huge", "counts/infinite", "counts/float", "counts/text", "counts/a list"}},
	{"408, 409, 429, 5xx, 529, with Retry-After and without; what is not repeated", []string{
		"errors/408", "errors/408, once", "errors/409", "errors/429", "errors/500", "errors/502", "errors/503", "errors/504", "errors/529", "errors/529, a web page",
		"errors/rate limit", "errors/overloaded", "errors/always 500", "errors/rate limit after a call", "errors/Retry-After in seconds", "errors/Retry-After in ms",
		"errors/Retry-After as a date", "errors/Retry-After of 61 s", "errors/Retry-After of an hour", "errors/insufficient_quota", "errors/401", "errors/403", "errors/404", "errors/400"}},
	{"reset, EOF, a bad chunk, before and inside the body", []string{
		"connections/reset", "connections/reset, once", "connections/reset, after a call", "connections/EOF", "connections/a bad chunk", "connections/a cut chunk",
		"connections/reset inside the body", "connections/EOF inside the body", "internal/dialect.TestAResponseThatIsCutAnywhere"}},
	{"a stream that is truncated, reset, stalls, has an error, bad JSON, no end, a huge line", []string{
		"internal/dialect.TestAResponseThatIsCutAnywhere", "slow servers/a stall after a text", "streams/error event", "streams/error event after a call", "streams/error event first",
		"streams/error event that stays", "streams/bad JSON", "streams/bad JSON after a call", "streams/the end mark alone", "streams/infinite text", "streams/infinite arguments",
		"streams/infinite comments", "streams/a huge line"}},
	{"a stream with CRLF, no space, comments, events, split UTF-8, arguments of one byte, interleaved, without index, a name that is split, more after the end", []string{
		"forms of streams/CRLF", "forms of streams/no space", "forms of streams/1,000 comments", "forms of streams/fields of events", "forms of streams/byte by byte",
		"forms of streams/arguments of one byte", "forms of streams/interleaved calls", "forms of streams/interleaved blocks", "forms of streams/no index",
		"forms of streams/name split", "forms of streams/events after the end"}},
	{"a server that hangs, with slow headers, a slow body; Ctrl-C", []string{
		"slow servers/a stall in the body", "slow servers/a body without end", "internal/dialect.TestAServerThatHangs",
		"internal/dialect.TestARunThatIsStoppedWhileTheServerHangs", "cmd/gramc.TestCtrlCEndsARunWithCode130"}},
	{"a huge body, a gzip bomb, deep JSON", []string{"bodies/a huge body", "bodies/a gzip bomb", "bodies/deep JSON", "bodies/deep values"}},
	{"a redirect", []string{"errors/redirect", "errors/redirect with the key"}},
	{"context overflow", []string{"errors/context overflow"}},
	{"control characters in a text or a name", []string{
		"answers/control characters", "calls/control characters in a name", "errors/control characters in an error", "cmd/gramc.TestWhatAModelSaysCannotControlTheScreen"}},
	{"the key in errors, replies, bodies", []string{"errors/the key in an error", "bodies/the key in a body", "bodies/the key in a reply"}},
	{"one request in ten with a fault", []string{"internal/dialect.TestRunsAmongFaults"}},
}

// elsewhere are the faults that cannot be in every dialect, with what they are a matter of.
// Whole responses have none of those of streams.
var elsewhere = map[string]string{
	"answers/unknown finish":                 "a status of the Responses API is not a reason",
	"answers/content parts":                  "the content of chat completions alone may be a text",
	"answers/call type custom":               "calls of chat completions alone have a type beside their function",
	"answers/a part of an unknown type":      "chat completions have no parts, and a stream of the Messages API begins each part by itself",
	"bodies/a huge body":                     "streams have their own",
	"forms of streams/arguments of one byte": "a form of chat completions", "forms of streams/interleaved calls": "a form of chat completions",
	"forms of streams/no index": "a form of chat completions", "forms of streams/name split": "a form of chat completions",
	"forms of streams/interleaved blocks": "a form of the Messages API",
}

// Every promise is tried in each dialect, streamed and not.
func TestEveryPromiseIsTried(t *testing.T) {
	faults := map[string]fault{}
	for group, list := range groups {
		for _, f := range list() {
			name := group + "/" + f.name
			if _, ok := faults[name]; ok {
				t.Errorf("%s stands twice", name)
			}
			faults[name] = f
		}
	}
	for _, p := range promises {
		for _, name := range p.tried {
			if dir, test, ok := strings.Cut(name, ".Test"); ok {
				checkTest(t, dir, "Test"+test)
				continue
			}
			f, ok := faults[name]
			if !ok {
				t.Errorf("%s: there is no fault %s", p.kind, name)
				continue
			}
			onlyStreams := strings.HasPrefix(name, "streams/") || strings.HasPrefix(name, "forms of streams/") || name == "slow servers/a stall after a text"
			everywhere, anywhere := true, false
			for _, d := range modelfake.Dialects() {
				for _, stream := range []bool{false, true} {
					tried := f.steps(d, stream) != nil
					everywhere = everywhere && (tried || onlyStreams && !stream)
					anywhere = anywhere || tried
				}
			}
			if _, excused := elsewhere[name]; everywhere == excused || !anywhere {
				t.Errorf("%s is tried in every dialect, streamed and not: %v; listed as one that cannot be: %v", name, everywhere, excused)
			}
		}
	}
}

// checkTest looks for a test in the files of a package.
func checkTest(t *testing.T, dir, name string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile(`(?m)^func ` + name + `\(`).Match(text) {
			return
		}
	}
	t.Errorf("%s has no %s", dir, name)
}
