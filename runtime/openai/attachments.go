package openai

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/provider/chat"
	"github.com/gram-lang/gramc/runtime"
)

func hasAttachments(msg runtime.Message) bool { return len(msg.Attachments) > 0 }

// attachmentContents returns the contents of the messages with attachments. The first message
// has that index in the request.
func attachmentContents(messages []runtime.Message, first int) (list []chat.Content, err error) {
	for i := range messages {
		if !hasAttachments(messages[i]) {
			continue
		}
		parts, err := attachmentContentParts(&messages[i])
		if err != nil {
			return nil, err
		}
		list = append(list, chat.Content{Message: first + i, Parts: parts})
	}
	return list, nil
}

// attachmentContentParts returns the attachments of a message, and its text after them.
func attachmentContentParts(msg *runtime.Message) (json.RawMessage, error) {
	var parts []any
	for i := range msg.Attachments {
		part, err := attachmentPart(&msg.Attachments[i])
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	if msg.Content != "" {
		parts = append(parts, attachmentTextPart(msg.Content))
	}
	text, err := plainjson.Marshal(parts)
	if err != nil {
		panic("openai: " + err.Error()) // maps of strings
	}
	return text, nil
}

// attachmentPart returns an attachment as chat completions take it: images and PDF,
// sound, and any other text as text
// (https://platform.openai.com/docs/api-reference/chat/create, "messages").
func attachmentPart(a *runtime.Attachment) (any, error) {
	kind, name, _ := strings.Cut(a.MediaType, "/")
	switch {
	case kind == "image":
		return map[string]any{"type": "image_url", "image_url": map[string]string{"url": attachmentURL(a)}}, nil
	case a.MediaType == "application/pdf":
		return map[string]any{"type": "file", "file": map[string]string{"filename": a.Name, "file_data": attachmentURL(a)}}, nil
	case a.MediaType == "audio/wav", a.MediaType == "audio/mpeg":
		format := strings.Replace(name, "mpeg", "mp3", 1)
		return map[string]any{"type": "input_audio", "input_audio": map[string]string{"data": base64.StdEncoding.EncodeToString(a.Data), "format": format}}, nil
	case kind == "text":
		return attachmentTextPart(a.Text()), nil
	}
	return nil, runtime.Errorf(runtime.KindValidation,
		"%s cannot be sent: chat completions take no files of type %q, but images, PDF, WAV, MP3 and text", a.Name, a.MediaType)
}

func attachmentURL(a *runtime.Attachment) string {
	return "data:" + a.MediaType + ";base64," + base64.StdEncoding.EncodeToString(a.Data)
}

func attachmentTextPart(text string) map[string]string {
	return map[string]string{"type": "text", "text": text}
}
