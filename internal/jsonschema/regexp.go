package jsonschema

import (
	"errors"
	"regexp"
	"regexp/syntax"
)

// CompileRegexp compiles a regular expression of a schema. It is nil for one that
// looks around or back, which Go cannot do in linear time: then any text is taken
// to match.
func CompileRegexp(text string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(text)
	var wrong *syntax.Error
	if errors.As(err, &wrong) && (wrong.Code == syntax.ErrInvalidPerlOp || wrong.Code == syntax.ErrInvalidEscape) {
		return nil, nil
	}
	return re, err
}
