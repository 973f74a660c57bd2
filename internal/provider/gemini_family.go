package provider

import (
	"regexp"
	"strconv"
)

// A GeminiFamily is what the models of one generation take.
type GeminiFamily struct {
	Instruction  bool // a system instruction
	Schema       bool // a schema of the response
	SchemaBeside bool // … beside tools
	Thinks       bool // they summarise their thoughts when asked
	Signs        bool // they require the signatures of their calls
}

// GeminiFamilyOf returns what the model of that id takes:
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
func GeminiFamilyOf(model string) GeminiFamily {
	if regexp.MustCompile(`^gemma-[123]\b`).MatchString(model) {
		return GeminiFamily{}
	}
	f := GeminiFamily{Instruction: true, Schema: true}
	var generation float64
	if m := regexp.MustCompile(`^gemini-(\d+(?:\.\d+)?)\b`).FindStringSubmatch(model); m != nil {
		generation, _ = strconv.ParseFloat(m[1], 64)
	} else if regexp.MustCompile(`^gemini-(pro|flash|flash-lite)-latest$`).MatchString(model) {
		generation = 3
	}
	f.SchemaBeside, f.Signs = generation >= 3, generation >= 3
	f.Thinks = generation >= 2.5 && !regexp.MustCompile(`-(image|tts|live|audio)\b`).MatchString(model)
	return f
}
