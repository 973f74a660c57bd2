package serving

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gram-lang/gramc/internal/server"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/internal/workspace"
)

// TokenVariable is the environment variable with the token that clients need.
const TokenVariable = "GRAMC_TOKEN"

// A Front is where agents are served, who is let in, and how often.
type Front struct {
	listen     string
	hosts      []string
	secure     bool
	tokensFile string
	noToken    bool
	userHeader string
	proxies    []string
	approvers  []string
	limits     server.Limits
	grace      time.Duration
}

// AddFlags adds the flags that set the front.
func (f *Front) AddFlags(set *pflag.FlagSet) {
	set.StringVar(&f.listen, "listen", "127.0.0.1:8080", "serve at this `ADDRESS`")
	set.StringArrayVar(&f.hosts, "host", nil, "the `NAME` under which the server is reached, besides addresses and localhost; may be repeated")
	set.BoolVar(&f.secure, "https", false, "a proxy serves it over HTTPS; cookies are then for HTTPS alone")
	set.StringVar(&f.tokensFile, "tokens", "", "the principals and their tokens, from a JSON `FILE`")
	set.BoolVar(&f.noToken, "no-token", false, "let every program of this machine in; for loopback alone")
	set.StringVar(&f.userHeader, "user-header", "", "the `HEADER` in which a proxy names the user")
	set.StringArrayVar(&f.proxies, "proxy", nil, "an `ADDRESS` or network, such as 10.0.0.0/8, whose --user-header counts; may be repeated")
	set.StringArrayVar(&f.approvers, "approver", nil, "a `USER` of --user-header who may approve calls; may be repeated")
	set.IntVar(&f.limits.Runs, "max-runs", 1024, "runs at once, of all clients")
	set.IntVar(&f.limits.ClientRuns, "max-client-runs", 64, "runs at once, of one client")
	set.Float64Var(&f.limits.Rate, "max-rate", 20, "requests per second, of one client")
	set.DurationVar(&f.grace, "grace", 10*time.Second, "how long runs may go on after SIGTERM")
}

// Check returns which flags cannot be combined, or are out of range.
func (f *Front) Check() error {
	switch {
	case f.noToken && (f.tokensFile != "" || f.userHeader != ""):
		return errors.New("--no-token lets everybody in; it cannot be combined with --tokens or --user-header")
	case f.limits.Runs < 1 || f.limits.ClientRuns < 1 || f.limits.Rate <= 0:
		return errors.New("--max-runs, --max-client-runs and --max-rate must be positive")
	case f.grace < 0:
		return fmt.Errorf("--grace must be positive, such as 30s; it is %s", f.grace)
	}
	return nil
}

// Listen begins to listen. Nobody is answered yet.
func (f *Front) Listen() (net.Listener, error) { return net.Listen("tcp", f.listen) }

// Options adds what the front says to the options of a server that listens. The notes say where the
// server is, how it is used, and the token that was made for it, if there is no other.
func (f *Front) Options(l net.Listener, o server.Options, lookup func(variable string) (string, bool)) (_ server.Options, notes []string, err error) {
	access, secret, err := f.access(l, lookup)
	if err != nil {
		return o, nil, err
	}
	o.Access, o.Hosts, o.Secure, o.Limits, o.Grace = access, f.hosts, f.secure, f.limits, f.grace
	names := o.Catalog.Names()
	notes = []string{
		fmt.Sprintf("serving %s (%s) at http://%s", visible.Counted(len(names), "agent"), visible.Line(strings.Join(names, ", ")), l.Addr()),
		fmt.Sprintf("OpenAI clients: base URL http://%s/v1, model %s", l.Addr(), visible.Line(names[0])),
	}
	switch {
	case secret != "":
		notes = append(notes, "token: "+secret+" (until the server ends; set "+TokenVariable+" to keep one)",
			fmt.Sprintf("the page, with the token: http://%s/#token=%s", l.Addr(), secret))
	case f.noToken:
		notes = append(notes, "no token is needed: every program of this machine can use the agents")
	}
	return o, notes, nil
}

// access returns who may make requests, and the token that was made for this server if there is no
// other.
func (f *Front) access(l net.Listener, lookup func(string) (string, bool)) (a server.Access, secret string, err error) {
	address, _ := l.Addr().(*net.TCPAddr)
	if f.noToken {
		if !address.IP.IsLoopback() {
			return a, "", fmt.Errorf("--no-token is for loopback alone, and other machines can reach %s", address)
		}
		return server.Access{Open: true}, "", nil
	}
	a.UserHeader, a.Approvers = f.userHeader, f.approvers
	for _, text := range f.proxies {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			one, err := netip.ParseAddr(text)
			if err != nil {
				return a, "", fmt.Errorf("--proxy %q is neither an address nor a network, such as 10.0.0.0/8", text)
			}
			network = netip.PrefixFrom(one, one.BitLen())
		}
		a.Proxies = append(a.Proxies, network)
	}
	if f.tokensFile != "" {
		if a.Tokens, err = readTokens(f.tokensFile); err != nil {
			return a, "", fmt.Errorf("--tokens %s: %w", f.tokensFile, err)
		}
	}
	if own, ok := lookup(TokenVariable); ok && own != "" {
		t, err := server.NewToken(server.Principal{Name: "owner", Approve: true}, own)
		if err != nil {
			return a, "", fmt.Errorf("%s: %w", TokenVariable, err)
		}
		a.Tokens = append(a.Tokens, t)
	}
	if len(a.Tokens) == 0 && a.UserHeader == "" {
		secret = rand.Text()
		t, err := server.NewToken(server.Principal{Name: "owner", Approve: true}, secret)
		if err != nil {
			return a, "", err
		}
		a.Tokens = []server.Token{t}
	}
	return a, secret, a.Check()
}

// readTokens reads the principals and their tokens. Other users must not be able to read the file.
func readTokens(name string) ([]server.Token, error) {
	text, err := workspace.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(name); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, errors.New("other users of this machine can read it; run chmod 600 on it")
	}
	return server.ReadTokens([]byte(text))
}

// Logger returns a log on a stream, as lines of text or JSON.
func Logger(w interface{ Write([]byte) (int, error) }, asJSON bool) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if asJSON {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}
