package provider

import "testing"

func TestGeminiFamilies(t *testing.T) {
	instruction := GeminiFamily{Instruction: true, Schema: true}
	thinks := GeminiFamily{Instruction: true, Schema: true, Thinks: true}
	signs := GeminiFamily{Instruction: true, Schema: true, Thinks: true, SchemaBeside: true, Signs: true}
	picture := GeminiFamily{Instruction: true, Schema: true, SchemaBeside: true, Signs: true}
	for model, want := range map[string]GeminiFamily{
		"gemini-1.5-pro": instruction, "gemini-2.0-flash": instruction, "gemini-2.5-flash": thinks, "gemini-2.5-flash-lite-preview-09-2025": thinks,
		"gemini-2.5-flash-image": instruction, "gemini-3-pro-preview": signs, "gemini-3.1-pro-preview-customtools": signs, "gemini-4-argon": signs,
		"gemini-flash-latest": signs, "gemini-3-pro-image-preview": picture, "gemma-3-27b-it": {}, "gemma-4-31b-it": instruction, "tunedModels/mine": instruction,
		"gemini-10": signs,
	} {
		if got := GeminiFamilyOf(model); got != want {
			t.Errorf("%s: %+v, want %+v", model, got, want)
		}
	}
}
