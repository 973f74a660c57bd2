package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/interp"
)

// BenchmarkRunStream is BenchmarkRun with responses that are streamed, the second one
// in 100 pieces.
func BenchmarkRunStream(b *testing.B) {
	const event = `data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{%s},"finish_reason":%s}]}` + "\n\n"
	call := fmt.Sprintf(event, `"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"sayHello","arguments":""}}]`, "null")
	for _, piece := range []string{`{\"person`, `Name\":`, `\"Ada\"}`} {
		call += fmt.Sprintf(event, `"tool_calls":[{"index":0,"function":{"arguments":"`+piece+`"}}]`, "null")
	}
	call += fmt.Sprintf(event, "", `"tool_calls"`) + "data: [DONE]\n\n"
	text := fmt.Sprintf(event, `"content":"Hello Ada!"`, "null") + strings.Repeat(fmt.Sprintf(event, `"content":" again"`, "null"), 99) +
		fmt.Sprintf(event, "", `"stop"`) + "data: [DONE]\n\n"
	url := serveBodies(b, "text/event-stream", call, text)
	compare(b, toolchain(b, url, &interp.Options{Stream: true}), handWrittenStream(b, url))
}

// handWrittenStream is handWritten for responses that are streamed.
func handWrittenStream(b *testing.B, url string) func() {
	return byHand(b, url, func(client *goopenai.Client, messages []goopenai.ChatCompletionMessage) goopenai.ChatCompletionMessage {
		return receive(b, client, messages)
	})
}

// receive sends a conversation and returns the response.
func receive(b *testing.B, client *goopenai.Client, messages []goopenai.ChatCompletionMessage) goopenai.ChatCompletionMessage {
	stream, err := client.CreateChatCompletionStream(context.Background(), goopenai.ChatCompletionRequest{
		Model: "m", Messages: messages, Stream: true, Tools: helloTools(),
		StreamOptions: &goopenai.StreamOptions{IncludeUsage: true},
	})
	if err != nil {
		b.Fatal(err)
	}
	defer stream.Close()
	var content strings.Builder
	message := goopenai.ChatCompletionMessage{Role: goopenai.ChatMessageRoleAssistant}
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			message.Content = content.String()
			return message
		}
		if err != nil {
			b.Fatal(err)
		}
		for _, choice := range chunk.Choices {
			content.WriteString(choice.Delta.Content)
			for _, piece := range choice.Delta.ToolCalls {
				for len(message.ToolCalls) <= *piece.Index {
					message.ToolCalls = append(message.ToolCalls, goopenai.ToolCall{Type: goopenai.ToolTypeFunction})
				}
				call := &message.ToolCalls[*piece.Index]
				call.ID += piece.ID
				call.Function.Name += piece.Function.Name
				call.Function.Arguments += piece.Function.Arguments
			}
		}
	}
}
