package provider

import (
	"encoding/json"
	"slices"
)

const answerDescription = "Takes the final answer. Call it once, with nothing else, when you have the answer; do not answer in text."

// AskJSONAnswer returns the words that ask for an answer that fits a schema, where the API takes
// neither the schema nor a tool for it.
func AskJSONAnswer(schema json.RawMessage) string {
	return "When you answer, answer with JSON alone, without words around it. It must fit this JSON Schema: " + string(schema)
}

// AnswerTool returns the tool that takes an answer whose schema the API cannot hold
// the text of the model to. Its name is none of the given ones.
func AnswerTool(schema json.RawMessage, taken ...string) Tool {
	name := "answer"
	for slices.Contains(taken, name) {
		name = "final_" + name
	}
	return Tool{Name: name, Description: answerDescription, Input: schema}
}
