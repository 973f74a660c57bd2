package openai

import (
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

func TestAttachmentsArePartsOfTheContent(t *testing.T) {
	s := serve(t, says("A cat."))
	r := hello()
	r.Instruction = "Look."
	r.Messages[0].Attachments = []runtime.Attachment{
		{Name: "cat.png", MediaType: "image/png", Data: []byte("\x89PNG")}, {Name: "a.pdf", MediaType: "application/pdf", Data: []byte("%PDF")},
		{Name: "a.mp3", MediaType: "audio/mpeg", Data: []byte("ID3")}, {Name: "a.md", MediaType: "text/plain", Data: []byte("<b>")},
	}
	if _, err := s.model(t, Options{}).Generate(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	const want = `{"content":[{"image_url":{"url":"data:image/png;base64,iVBORw=="},"type":"image_url"},` +
		`{"file":{"file_data":"data:application/pdf;base64,JVBERg==","filename":"a.pdf"},"type":"file"},` +
		`{"input_audio":{"data":"SUQz","format":"mp3"},"type":"input_audio"},` +
		`{"text":"The file a.md:\n\n<b>","type":"text"},{"text":"Hello","type":"text"}],"role":"user"}`
	if !strings.Contains(s.bodies[0], want) {
		t.Errorf("%s\nhas no %s", s.bodies[0], want)
	}
	_, err := s.model(t, Options{Functions: true}).Generate(t.Context(), r)
	if err == nil || !strings.Contains(err.Error(), "old wire format") {
		t.Errorf("with functions: %v", err)
	}
	r.Messages[0].Attachments[0].MediaType = "application/zip"
	_, err = s.model(t, Options{}).Generate(t.Context(), r)
	if err == nil || !strings.Contains(err.Error(), `cat.png cannot be sent: chat completions take no files of type "application/zip"`) {
		t.Errorf("a zip: %v", err)
	}
}
