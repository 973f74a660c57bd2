package modelhttp

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

// Options configure a model of any protocol.
type Options struct {
	// Provider is one of Models. "" means the one whose protocol it is: OpenAI, Anthropic or
	// Google.
	Provider string

	// BaseURL is the address of the API; "" means the provider's own. For the Messages API it
	// has no path, and a "/v1" at its end is left out; for the Gemini API it has the version,
	// and "/v1beta" is added where it has no path.
	BaseURL string
	APIKey  string `json:"-"` // required, but for a provider that takes none

	// Models is the table that has the provider; nil means the built-in one.
	Models *models.Table `json:"-"`

	// HTTPClient makes the requests. It is copied, and the copy follows no
	// redirects. Nil means a client that waits 10 seconds for a connection, and
	// StartTimeout for a response.
	HTTPClient *http.Client

	// StartTimeout limits how long a response may take to begin, and Timeout how
	// long it may take as a whole, in each attempt; 0 means [DefaultStartTimeout]
	// and [DefaultTimeout].
	StartTimeout, Timeout time.Duration

	// MaxRetries limits how often a request is repeated after a failure that
	// can pass. Nil means 3.
	MaxRetries *int

	// MaxWait is the longest wait that the provider can ask for before a request is
	// repeated; a longer one is an error at once. 0 means a minute.
	MaxWait time.Duration

	// Functions selects the old wire format of chat completions, "functions" and
	// "function_call" instead of "tools" and "tool_calls", for servers that support no
	// other. Responses in both formats are always read.
	Functions bool
}

// Named returns the provider of the options; usual is the name of the one where they name
// none. The error is a [*runtime.Error] of kind [runtime.KindConfiguration].
func (o *Options) Named(usual string) (*models.Provider, error) {
	name := cmp.Or(o.Provider, usual)
	p, ok := o.Models.Provider(name)
	if !ok {
		return nil, runtime.Errorf(runtime.KindConfiguration, "unknown provider %q: use one of %s", name, strings.Join(o.Models.Names(), ", "))
	}
	return p, nil
}
