package interp

import (
	"encoding/json"
	"strings"

	"github.com/gram-lang/gramc/runtime"
)

// answerContent returns the answer in a response that is not empty. An answer that
// does not fit Returns counts as none: the first time the model is asked to
// correct it, the second time is an error.
func (r *loop) answerContent(response *runtime.Response) (string, error) {
	if r.returns == nil {
		return response.Content, nil
	}
	value := unfencedAnswer(answerWithoutThoughts(response.Content))
	filled, err := r.returns.Complete(json.RawMessage(value))
	if err == nil {
		return string(filled), nil
	}
	cutOff := ""
	if response.Finish == "length" {
		cutOff = "it was cut off at the length limit, "
	}
	if r.corrected {
		return "", runtime.Errorf(runtime.KindValidation, "the answer is not what agent %q returns: %s%w", r.agent.Name, cutOff, err)
	}
	r.corrected = true
	r.conv = append(r.conv, runtime.UserMessage(cutResult(
		"Error: the answer cannot be used: "+cutOff+err.Error()+". Answer again, with JSON only.")))
	return "", nil
}

// unfencedAnswer returns the text inside a Markdown fence, which may name a language,
// or else the text itself.
func unfencedAnswer(text string) string {
	text = strings.TrimSpace(text)
	inside, opened := strings.CutPrefix(text, "```")
	inside, closed := strings.CutSuffix(inside, "```")
	if _, body, lines := strings.Cut(inside, "\n"); opened && closed && lines {
		return strings.TrimSpace(body)
	}
	return text
}

// answerWithoutThoughts returns a response without the reasoning that some servers leave
// in it, at its start.
func answerWithoutThoughts(content string) string {
	text := strings.TrimSpace(content)
	for _, tag := range [][2]string{{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"[THINK]", "[/THINK]"}} {
		thoughts, opened := strings.CutPrefix(text, tag[0])
		if !opened && !strings.HasSuffix(text, tag[1]) { // the opening tag can be part of the prompt
			continue
		}
		_, answer, _ := strings.Cut(thoughts, tag[1])
		return answer
	}
	return content
}
