package runtime

import (
	"fmt"
	"time"
)

// ErrorKind is why a run ended without an answer.
type ErrorKind string

// The kinds of run errors.
const (
	KindValidation         ErrorKind = "ValidationError"         // the input or the agent cannot be run
	KindConfiguration      ErrorKind = "ConfigurationError"      // a key or a setting is missing or wrong
	KindLLMAPI             ErrorKind = "LLMAPIError"             // the model gave no usable response
	KindRateLimit          ErrorKind = "RateLimitError"          // the provider wants fewer requests
	KindOverloaded         ErrorKind = "OverloadedError"         // the provider has no room for requests
	KindContextOverflow    ErrorKind = "ContextOverflowError"    // the conversation is too long for the model
	KindContentFilter      ErrorKind = "ContentFilterError"      // a content filter stopped the request or the answer, or the model refused
	KindTool               ErrorKind = "ToolError"               // a tool cannot be bound, or the model did not stop calling tools
	KindToolTimeout        ErrorKind = "ToolTimeoutError"        // a tool took too long, in a run that stops then
	KindUnexpectedToolCall ErrorKind = "UnexpectedToolCallError" // the model called a tool of an agent that has none
	KindBudget             ErrorKind = "BudgetError"             // the next request could exceed a budget, or the price for it is unknown
	KindTimeout            ErrorKind = "TimeoutError"            // the run took longer than its agent allows
	KindReplay             ErrorKind = "ReplayError"             // a request or a call is not in the recording
)

// An Error ends a run. Its text is the message alone. [errors.Is] finds it by an
// Error that has only a Kind.
type Error struct {
	Kind    ErrorKind
	Message string
	Err     error // the cause; may be nil

	// Wait is how long the provider asks to wait before the next request; 0 if it
	// does not.
	Wait time.Duration

	// Attempts are those of a request that failed; zero where that is not known.
	Attempts Attempts

	// Refused says that the provider finds the request itself wrong, as no other model
	// would find it right.
	Refused bool
}

// Errorf returns an Error of that kind. An operand of %w becomes its cause.
func Errorf(kind ErrorKind, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: kind, Message: err.Error(), Err: unwrapErrorOnce(err)}
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is an Error of the same kind and without a message.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Kind == e.Kind && t.Message == "" && t.Err == nil
}

// ToolErrorKind is how a call of a tool failed.
type ToolErrorKind string

// The kinds of tool errors.
const (
	ToolExecution     ToolErrorKind = "execution"     // the tool itself failed, or is unknown
	ToolTimeout       ToolErrorKind = "timeout"       // the tool took too long
	ToolValidation    ToolErrorKind = "validation"    // the arguments or the result break the schema
	ToolAuthorization ToolErrorKind = "authorization" // the caller may not do this
)

// A ToolError is the failure of one call of a tool. The run goes on: the model
// gets the message and may call again.
type ToolError struct {
	Kind    ToolErrorKind
	Message string
	Err     error // the cause; may be nil

	// Abandoned means that the handler did not stop when its time was over, and
	// still runs.
	Abandoned bool
}

// Error returns the message.
func (e *ToolError) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *ToolError) Unwrap() error { return e.Err }

func unwrapErrorOnce(err error) error {
	if u, ok := err.(interface{ Unwrap() error }); ok {
		return u.Unwrap()
	}
	return nil
}
