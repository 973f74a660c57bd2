package gemini

import (
	"regexp"
	"strconv"
)

// A family is what the models of one generation take.
type family struct {
	instruction bool // a system instruction
	schema      bool // a schema of the response
	both        bool // a schema of the response beside tools
	thinks      bool // they summarise their thoughts when asked
	signs       bool // they require the signatures of their calls
}

// familyOf returns what a model takes:
//
//   - Since Gemini 3, the schema of a response can stand beside tools, and a call
//     without its thought signature is an error:
//     https://ai.google.dev/gemini-api/docs/gemini-3
//   - Gemini 2.5 and later think and summarise their thoughts; those that make
//     images or speech do not: https://ai.google.dev/gemini-api/docs/thinking
//   - Before Gemini 3, a schema beside tools is an error ("Function calling with a
//     response mime type: 'application/json' is unsupported",
//     googleapis/python-genai#867).
//   - Gemma 3 takes neither a system instruction ("Developer instruction is not
//     enabled") nor a schema ("JSON mode is not enabled").
//
// A model that is not recognised takes what all Gemini models take. The aliases
// "gemini-flash-latest" and the like are Gemini 3 or later since 2026.
func familyOf(model string) family {
	if regexp.MustCompile(`^gemma-[123]\b`).MatchString(model) {
		return family{}
	}
	f := family{instruction: true, schema: true}
	var generation float64
	if m := regexp.MustCompile(`^gemini-(\d+(?:\.\d+)?)\b`).FindStringSubmatch(model); m != nil {
		generation, _ = strconv.ParseFloat(m[1], 64)
	} else if regexp.MustCompile(`^gemini-(pro|flash|flash-lite)-latest$`).MatchString(model) {
		generation = 3
	}
	f.both, f.signs = generation >= 3, generation >= 3
	f.thinks = generation >= 2.5 && !regexp.MustCompile(`-(image|tts|live|audio)\b`).MatchString(model)
	return f
}
