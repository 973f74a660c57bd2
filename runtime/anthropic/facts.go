package anthropic

import (
	"regexp"
	"strconv"

	"github.com/gram-lang/gramc/internal/models"
)

// Facts are what a request has to know of its model: what the table says, or else
// what holds for its generation.
type facts struct {
	known      models.Model
	generation generation
}

func (m *Model) facts(model string) facts {
	f := facts{generation: generationOf(model)}
	if known, ok := m.provider.Model(model); ok {
		f.known = *known
	}
	return f
}

// hasFormats reports whether a request can hold the schema of the answer, and strict tools
// (https://platform.claude.com/docs/en/build-with-claude/structured-outputs names
// Claude 4.5 and later).
func (f facts) hasFormats() bool {
	return f.known.Schema == models.Yes || f.known.Schema == models.Unknown && !f.generation.before(4, 5)
}

// takesTemperature reports whether a request can set the temperature. The API
// refuses it from Claude 4.7 on
// (https://platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-7).
func (f facts) takesTemperature() bool {
	return f.known.Temperature == models.Yes || f.known.Temperature == models.Unknown && f.generation.before(4, 7)
}

// takesForcedTool reports whether the model can be made to call a tool: not while it
// thinks, which Claude 5 does unless the request says otherwise
// (https://platform.claude.com/docs/en/models/opus-5/migration-guide).
func (f facts) takesForcedTool() bool { return f.generation.before(5, 0) }

// The limits of a response, in tokens.
const (
	usualMaxTokens    = 16_000 // where the agent sets none
	longestUnstreamed = 21_000 // more can take ten minutes, and has to be streamed
)

// maxTokens returns the limit of a response of an agent that sets none.
func (f facts) maxTokens() int64 {
	switch {
	case f.known.Output > 0:
		return int64(min(f.known.Output, usualMaxTokens))
	case f.generation.before(3, 5):
		return 4096
	case f.generation.before(3, 7):
		return 8192
	}
	return usualMaxTokens
}

// A generation is that of a Claude model, such as 4.5. That of an id that does not
// name one is the newest.
type generation struct{ major, minor int }

// generationOf reads the id of a model: "claude-3-5-sonnet-20241022",
// "claude-sonnet-4-20250514", "claude-opus-4-5".
func generationOf(model string) generation {
	found := regexp.MustCompile(`claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?:-|@|$)`).FindStringSubmatch(model)
	if found == nil {
		return generation{1 << 20, 0}
	}
	major, _ := strconv.Atoi(found[1])
	minor, _ := strconv.Atoi(found[2])
	return generation{major, minor}
}

func (g generation) before(major, minor int) bool {
	return g.major < major || g.major == major && g.minor < minor
}
