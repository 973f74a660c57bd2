package modelfake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
)

// Responses is the Responses API of OpenAI. The bodies are those of
// https://platform.openai.com/docs/api-reference/responses/object and
// https://developers.openai.com/api/reference/resources/beta/subresources/responses/streaming-events:
// those of the response, its items, their parts, texts, refusals, summaries of reasoning and
// arguments, and errors; not those of tools that OpenAI runs.
func Responses() *Dialect {
	return &Dialect{
		Name: "Responses API", Provider: "OpenAI", Model: "gpt-5-pro", NamedEvents: true,
		Whole:  func(reply Reply) string { return object(responsesBody(reply)) },
		Events: responsesEvents, Error: openAIError, Refusals: responsesRefusals,
		EventError: `{"type":"error","sequence_number":2,"code":"server_error","message":"The server had an error","param":null}`,
		Nothings: []string{
			`{"status":"completed"}`, `{"id":"resp_1"}`, `{"status":"completed","output":null}`, `{"status":"in_progress","output":[]}`, `{"choices":[{"message":{"content":"hi"}}]}`,
		},
	}
}

const responsesUsage = `{"input_tokens":36,"input_tokens_details":{"cached_tokens":5},"output_tokens":87,"output_tokens_details":{"reasoning_tokens":3},"total_tokens":123}`

// responsesItems returns the items of a reply.
func responsesItems(reply Reply) (items []any) {
	if reply.Reasoning != "" {
		items = append(items, fields{"id": "rs_1", "type": "reasoning", "summary": []any{fields{"type": "summary_text", "text": reply.Reasoning}}, "encrypted_content": "b3BhcXVl"})
	}
	var content []any
	if reply.Text != "" {
		content = append(content, fields{"type": "output_text", "text": reply.Text, "annotations": []any{}})
	}
	if reply.Refusal != "" {
		content = append(content, fields{"type": "refusal", "refusal": reply.Refusal})
	}
	if content != nil {
		items = append(items, fields{"type": "message", "id": "msg_67ccd2bf17f0819081ff3bb2cf6508e6", "status": "completed", "role": "assistant", "content": content})
	}
	for i, c := range reply.Calls {
		items = append(items, fields{"type": "function_call", "id": fmt.Sprint("fc_", i), "call_id": c.ID, "name": c.Name, "arguments": c.Args, "status": "completed"})
	}
	return items
}

func responsesBody(reply Reply) fields {
	items := responsesItems(reply)
	if items == nil {
		items = []any{}
	}
	body := fields{
		"id": "resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b", "object": "response", "created_at": 1741476542, "status": "completed", "error": nil, "incomplete_details": nil,
		"instructions": nil, "max_output_tokens": nil, "model": "gpt-5-pro-2025-10-06", "output": items, "parallel_tool_calls": true, "previous_response_id": nil,
		"reasoning": fields{"effort": nil, "summary": nil}, "store": false, "temperature": 1.0, "text": fields{"format": fields{"type": "text"}}, "tool_choice": "auto",
		"tools": []any{}, "top_p": 1.0, "truncation": "disabled", "usage": json.RawMessage(cmp.Or(reply.Usage, responsesUsage)), "user": nil, "metadata": fields{},
	}
	switch reply.Finish {
	case Complete:
	case Length:
		body["status"], body["incomplete_details"] = "incomplete", fields{"reason": "max_output_tokens"}
	case Filtered:
		body["status"], body["incomplete_details"] = "incomplete", fields{"reason": "content_filter"}
	default:
		body["status"] = reply.Finish
	}
	return body
}

func responsesEvents(reply Reply) (list []string) {
	event := func(kind string, f fields) {
		f["type"], f["sequence_number"] = kind, len(list)
		list = append(list, object(f))
	}
	begun := responsesBody(Reply{Usage: "null"})
	begun["status"] = "in_progress"
	event("response.created", fields{"response": begun})
	event("response.in_progress", fields{"response": begun})
	for i, item := range responsesItems(reply) {
		item := item.(fields)
		started := fields{}
		for name, value := range item {
			started[name] = value
		}
		started["status"] = "in_progress"
		grow := func(kind string, text string, f fields) {
			f["item_id"], f["output_index"] = item["id"], i
			for _, piece := range pieces(text) {
				f["delta"] = piece
				event(kind, f)
			}
			delete(f, "delta")
		}
		switch item["type"] {
		case "reasoning":
			started["summary"] = []any{}
			event("response.output_item.added", fields{"output_index": i, "item": started})
			summary := func(kind, name string, value any) {
				event("response.reasoning_summary_"+kind, fields{"item_id": item["id"], "output_index": i, "summary_index": 0, name: value})
			}
			summary("part.added", "part", fields{"type": "summary_text", "text": ""})
			grow("response.reasoning_summary_text.delta", reply.Reasoning, fields{"summary_index": 0})
			summary("text.done", "text", reply.Reasoning)
			summary("part.done", "part", fields{"type": "summary_text", "text": reply.Reasoning})
		case "function_call":
			started["arguments"] = ""
			event("response.output_item.added", fields{"output_index": i, "item": started})
			grow("response.function_call_arguments.delta", item["arguments"].(string), fields{})
			event("response.function_call_arguments.done", fields{"item_id": item["id"], "output_index": i, "arguments": item["arguments"]})
		default:
			started["content"] = []any{}
			event("response.output_item.added", fields{"output_index": i, "item": started})
			for j, part := range item["content"].([]any) {
				part := part.(fields)
				content := func(kind, name string, value any) {
					event("response."+kind, fields{"item_id": item["id"], "output_index": i, "content_index": j, name: value})
				}
				if part["type"] == "refusal" {
					content("content_part.added", "part", fields{"type": "refusal", "refusal": ""})
					grow("response.refusal.delta", reply.Refusal, fields{"content_index": j})
					content("refusal.done", "refusal", reply.Refusal)
				} else {
					content("content_part.added", "part", fields{"type": "output_text", "text": "", "annotations": []any{}})
					grow("response.output_text.delta", reply.Text, fields{"content_index": j, "logprobs": []any{}})
					content("output_text.done", "text", reply.Text)
				}
				content("content_part.done", "part", part)
			}
		}
		event("response.output_item.done", fields{"output_index": i, "item": item})
	}
	last := "response.completed"
	if reply.Finish == Length || reply.Finish == Filtered {
		last = "response.incomplete"
	}
	event(last, fields{"response": responsesBody(reply)})
	return list
}

// responsesRefusals has the rules of
// https://platform.openai.com/docs/guides/function-calling: each call has one output.
func responsesRefusals(r *http.Request, key string, body []byte) []string {
	var request struct {
		Model string
		Input []struct {
			Type, Role, Name, Arguments string

			Content any
			CallID  string `json:"call_id"`
		}
		Tools []struct{ Type, Name string }
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return []string{err.Error()}
	}
	calls := newOpenCalls()
	if request.Model == "" || len(request.Input) == 0 {
		calls.fail("model and input are required")
	}
	for _, t := range request.Tools {
		if t.Type != "function" || t.Name == "" {
			calls.fail("tools: %+v", t)
		}
	}
	for i, item := range request.Input {
		switch item.Type {
		case "function_call":
			calls.call(item.CallID, item.Name, item.Arguments)
		case "function_call_output":
			calls.result(item.CallID)
		case "message":
			calls.message()
			if item.Role != "user" && item.Role != "assistant" || item.Content == nil {
				calls.fail("input[%d]: %+v", i, item)
			}
		case "reasoning":
		default:
			calls.fail("input[%d]: type %q", i, item.Type)
		}
	}
	calls.message()
	return append(openAIHeaders(r, "/responses", key), calls.problems...)
}
