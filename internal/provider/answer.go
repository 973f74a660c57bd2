package provider

import (
	"encoding/json"
	"slices"
)

const answerDescription = "Takes the final answer. Call it once, with nothing else, when you have the answer; do not answer in text."

// AnswerTool returns the tool that takes an answer whose schema the API cannot hold
// the text of the model to. Its name is none of the given ones.
func AnswerTool(schema json.RawMessage, taken ...string) Tool {
	name := "answer"
	for slices.Contains(taken, name) {
		name = "final_" + name
	}
	return Tool{Name: name, Description: answerDescription, Input: schema}
}
