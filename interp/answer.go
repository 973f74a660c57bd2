package interp

import (
	"encoding/json"
	"strings"

	"github.com/gram-lang/gramc/runtime"
)

// compileReturns compiles the schema of the answer, if there is one.
func (r *run) compileReturns() (err error) {
	if len(r.agent.Returns) == 0 {
		return nil
	}
	if r.returns, err = runtime.CompileSchema(r.agent.Returns); err != nil {
		return runtime.Errorf(runtime.KindValidation, "what agent %q returns: %w", r.agent.Name, err)
	}
	return nil
}

// content returns the answer in a response that is not blank. An answer that
// does not fit is nothing: the first time the model is told why and may mend
// it, then it is an error.
func (r *run) content(response *runtime.Response) (string, error) {
	if r.returns == nil {
		return response.Content, nil
	}
	value := unfenced(response.Content)
	filled, err := r.returns.FillDefaults(json.RawMessage(value))
	if err == nil {
		err = r.returns.Validate(filled)
	}
	if err == nil {
		return string(filled), nil
	}
	cutOff := ""
	if response.Finish == "length" {
		cutOff = "it was cut off at the length limit, "
	}
	if r.mended {
		return "", runtime.Errorf(runtime.KindValidation, "the answer is not what agent %q returns: %s%w", r.agent.Name, cutOff, err)
	}
	r.mended = true
	r.conv = append(r.conv, runtime.UserMessage(cut(
		"Error: the answer cannot be used: "+cutOff+err.Error()+". Answer again, with JSON alone.")))
	return "", nil
}

// unfenced returns the text inside ``` and ```, behind a word such as json, or
// else the text itself.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	inside, opened := strings.CutPrefix(text, "```")
	inside, closed := strings.CutSuffix(inside, "```")
	if _, body, lines := strings.Cut(inside, "\n"); opened && closed && lines {
		return strings.TrimSpace(body)
	}
	return text
}
