package server

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

// A problem is an error in the form of the OpenAI API.
type problem struct {
	status int
	wait   time.Duration // until the client may ask again; 0 if that is unknown

	Message string  `json:"message"`
	Type    string  `json:"type"`
	Code    string  `json:"code"`
	Param   *string `json:"param"`
}

func (p *problem) Error() string { return p.Message }

// The types of problems.
const (
	typeInvalid = "invalid_request_error"
	typeAccess  = "authentication_error"
	typeRate    = "rate_limit_error"
	typeServer  = "server_error"
)

func invalid(param, message string) *problem {
	p := &problem{status: http.StatusBadRequest, Type: typeInvalid, Code: "invalid_value", Message: message}
	if param != "" {
		p.Param = &param
	}
	return p
}

// problemKinds are the statuses, types and codes of the errors of runs.
var problemKinds = map[runtime.ErrorKind]problem{
	runtime.KindValidation:         {status: http.StatusBadRequest, Type: typeInvalid, Code: "invalid_value"},
	runtime.KindConfiguration:      {status: http.StatusInternalServerError, Type: typeServer, Code: "configuration"},
	runtime.KindLLMAPI:             {status: http.StatusBadGateway, Type: typeServer, Code: "model_failed"},
	runtime.KindRateLimit:          {status: http.StatusTooManyRequests, Type: typeRate, Code: "rate_limit_exceeded"},
	runtime.KindOverloaded:         {status: http.StatusServiceUnavailable, Type: typeServer, Code: "model_overloaded"},
	runtime.KindContextOverflow:    {status: http.StatusBadRequest, Type: typeInvalid, Code: "context_length_exceeded"},
	runtime.KindContentFilter:      {status: http.StatusBadRequest, Type: typeInvalid, Code: "content_filter"},
	runtime.KindTool:               {status: http.StatusBadGateway, Type: typeServer, Code: "tool_failed"},
	runtime.KindToolTimeout:        {status: http.StatusGatewayTimeout, Type: typeServer, Code: "tool_timeout"},
	runtime.KindUnexpectedToolCall: {status: http.StatusBadGateway, Type: typeServer, Code: "model_failed"},
	runtime.KindBudget:             {status: http.StatusTooManyRequests, Type: typeRate, Code: "budget_exceeded"},
	runtime.KindTimeout:            {status: http.StatusGatewayTimeout, Type: typeServer, Code: "timeout"},
	runtime.KindReplay:             {status: http.StatusBadGateway, Type: typeServer, Code: "not_recorded"},
}

// problemOf returns the failure of a run as one of the API.
func problemOf(err error, redact func(string) string) *problem {
	var own *problem
	if errors.As(err, &own) {
		return own
	}
	p := problem{status: http.StatusInternalServerError, Type: typeServer, Code: "run_failed"}
	var known *runtime.Error
	if errors.As(err, &known) {
		if kind, ok := problemKinds[known.Kind]; ok {
			p = kind
		}
		p.wait = known.Wait
	}
	p.Message = withoutAddresses(redact(err.Error()))
	return &p
}

// An address is where a model or a tool is reached: a URL, or what a failed connection names.
var address = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:https?|wss?)://[^\s"'<>]*[^\s"'<>.,:;)]|\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b|\[[0-9a-f]*:[0-9a-f:.]*(?:%\w+)?\](?::\d+)?|\b(?:dial (?:tcp|udp)[46]?|lookup) [\w.:%\[\]-]*[\w\]]`)
})

// withoutAddresses takes the addresses out of an error. They are the business of who operates the
// server, and not of its clients.
func withoutAddresses(text string) string { return address().ReplaceAllString(text, "…") }

// body returns the problem as the API writes it.
func (p *problem) body() []byte {
	text, err := json.Marshal(map[string]*problem{"error": p})
	if err != nil {
		panic("server: an error has no JSON form: " + err.Error())
	}
	return text
}

// write sends the problem as the response.
func (p *problem) write(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if p.wait > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(p.wait.Seconds()))))
	}
	if p.status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	w.WriteHeader(p.status)
	_, _ = w.Write(append(p.body(), '\n')) // a client that is gone needs no answer
}
