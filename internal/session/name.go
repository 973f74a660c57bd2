package session

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/spell"
)

// maxName is how long the name of a session may be.
const maxName = 64

// nameWords are the words of which names are made, short and easy to type.
const nameWords = "acorn agate alder amber apple arrow aspen atlas badge bamboo basil beacon berry birch bloom brook cabin canyon cedar cherry cider cliff clover cobalt comet coral " +
	"crane creek crystal cycle daisy delta denim desert dove drift dune eagle echo elder elm ember fable falcon fern field finch fjord flint forest fox garnet ginger glacier " +
	"globe grove gull hazel heron hill honey ibis indigo iris island ivy jade jasmine juniper kelp kestrel kite lagoon lark laurel lemon lilac linden lotus lynx magpie maple " +
	"meadow melon mint moss myrtle nectar north nutmeg oak oasis ocean olive onyx opal orbit osprey otter oxbow panda pebble pepper pine plum poppy prairie quail quartz quince " +
	"rain raven reed ridge robin rowan saffron sage salmon scarlet shell silver sky slate sorrel sparrow spruce stone sun swan tansy teal thistle thyme tiger tulip tundra umber " +
	"valley velvet violet walnut wave willow wind wren yarrow zephyr zinnia"

// NewName returns a name for a session with an agent that is not taken: the agent and a
// word, such as "clerk-otter".
func NewName(agent string, taken func(name string) bool) string {
	words := strings.Fields(nameWords)
	rand.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	base := nameOf(agent)
	for round := 1; ; round++ {
		for _, word := range words {
			name := base + "-" + word
			if round > 1 {
				name += fmt.Sprint(round)
			}
			if !taken(name) {
				return name
			}
		}
	}
}

// nameOf returns the name of an agent as it can stand in the name of a session.
func nameOf(agent string) string {
	const longest = 24
	name := strings.Trim(strings.Map(func(r rune) rune {
		if isOfName(r) && r != '.' {
			return r
		}
		return -1
	}, strings.ToLower(agent)), "-_")
	if name == "" {
		return "agent"
	}
	return strings.TrimRight(name[:min(len(name), longest)], "-_")
}

func isOfName(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_' || r == '.'
}

// CheckName returns why a session cannot have a name.
func CheckName(name string) error {
	switch {
	case name == "":
		return errors.New("the name of a session is empty")
	case len(name) > maxName:
		return fmt.Errorf("the name of a session has at most %d characters", maxName)
	case strings.ContainsFunc(name, func(r rune) bool { return !isOfName(r) }) || strings.ContainsAny(name[:1], "-._"):
		return fmt.Errorf("%q is no name of a session: it begins with a letter or a digit and has letters, digits, -, _ and . alone", name)
	}
	return nil
}

// A NameError is a typed name that means no session, or several.
type NameError struct {
	Typed   string
	Matches []string // names that begin so; none if nothing does
	Meant   string   // the nearest name; "" if none is near
}

func (e *NameError) Error() string {
	const most = 5
	if n := len(e.Matches); n > 0 {
		more := ""
		if n > most {
			more = fmt.Sprintf(" and %d more", n-most)
		}
		return fmt.Sprintf("%q is the start of several sessions: %s%s", e.Typed, strings.Join(e.Matches[:min(n, most)], ", "), more)
	}
	if e.Meant != "" {
		return fmt.Sprintf("there is no session %q; did you mean %s?", e.Typed, e.Meant)
	}
	return fmt.Sprintf("there is no session %q; gramc sessions lists them", e.Typed)
}

// FindName returns the name that is meant by what a person typed: the whole name, the start
// of one name alone, or the start of what comes after its agent. The error is a *[NameError].
func FindName(names []string, typed string) (string, error) {
	if slices.Contains(names, typed) {
		return typed, nil
	}
	var matches []string
	for _, begins := range []func(name string) bool{
		func(name string) bool { return strings.HasPrefix(name, typed) },
		func(name string) bool {
			at := strings.LastIndexByte(name, '-')
			return at >= 0 && strings.HasPrefix(name[at+1:], typed)
		},
	} {
		for _, name := range names {
			if typed != "" && begins(name) {
				matches = append(matches, name)
			}
		}
		if len(matches) > 0 {
			break
		}
	}
	if len(matches) == 1 {
		return matches[0], nil
	}
	return "", &NameError{typed, matches, spell.Nearest(typed, names)}
}
