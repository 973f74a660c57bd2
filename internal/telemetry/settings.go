package telemetry

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// An Environment looks up a variable, as [os.LookupEnv] does.
type Environment func(variable string) (string, bool)

// get returns the value of a variable. An empty one counts as absent, as the specification
// of OpenTelemetry has it.
func (e Environment) get(variable string) string {
	value, _ := e(variable)
	return strings.TrimSpace(value)
}

// isTrue reports whether a variable is "true".
func (e Environment) isTrue(variable string) bool { return strings.EqualFold(e.get(variable), "true") }

// The signals, as variables name them.
const (
	traces  = "TRACES"
	metrics = "METRICS"
)

// Wanted reports whether the environment asks for telemetry.
func Wanted(env Environment) bool {
	return wants(env, traces) || wants(env, metrics)
}

// wants reports whether the environment asks for a signal: by the name of its exporter, or
// by an address.
func wants(env Environment, signal string) bool {
	if env.isTrue("OTEL_SDK_DISABLED") {
		return false
	}
	if exporters := env.get("OTEL_" + signal + "_EXPORTER"); exporters != "" {
		return slices.ContainsFunc(strings.Split(exporters, ","), func(name string) bool { return strings.TrimSpace(name) == "otlp" })
	}
	return env.get("OTEL_EXPORTER_OTLP_"+signal+"_ENDPOINT") != "" || env.get("OTEL_EXPORTER_OTLP_ENDPOINT") != ""
}

// capturesContent reports whether spans have what users, models and tools said.
func capturesContent(env Environment) bool {
	switch strings.ToLower(env.get("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT")) {
	case "span_only", "span_and_event", "true":
		return true
	}
	return false
}

// Usual values of the specification.
const (
	usualAddress = "http://localhost:4318"
	usualTimeout = 10 * time.Second
)

// A destination is where one signal is sent.
type destination struct {
	signal  string
	address *url.URL
	headers http.Header
	gzip    bool
	client  *http.Client
}

// newDestination reads the variables of a signal, of which each has a general form too.
func newDestination(env Environment, signal string) (*destination, error) {
	get := func(name string) (variable, value string) {
		if variable = "OTEL_EXPORTER_OTLP_" + signal + "_" + name; env.get(variable) == "" {
			variable = "OTEL_EXPORTER_OTLP_" + name
		}
		return variable, env.get(variable)
	}
	d := &destination{signal: strings.ToLower(signal)}
	if variable, value := get("PROTOCOL"); value != "" && value != "http/protobuf" {
		return nil, fmt.Errorf("%s: %q is not known; gramc sends http/protobuf", variable, value)
	}
	switch variable, value := get("COMPRESSION"); value {
	case "", "none":
	case "gzip":
		d.gzip = true
	default:
		return nil, fmt.Errorf("%s: %q is not known; there are gzip and none", variable, value)
	}
	var err error
	if d.address, err = addressOf(env, signal); err != nil {
		return nil, err
	}
	if variable, value := get("HEADERS"); value != "" {
		if d.headers, err = readHeaders(value); err != nil {
			return nil, fmt.Errorf("%s: %w", variable, err)
		}
	}
	timeout := usualTimeout
	if variable, value := get("TIMEOUT"); value != "" {
		ms, err := strconv.Atoi(value)
		if err != nil || ms <= 0 || ms > 3_600_000 {
			return nil, fmt.Errorf("%s is not a number of milliseconds: %q", variable, value)
		}
		timeout = time.Duration(ms) * time.Millisecond
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if transport.TLSClientConfig, err = tlsOf(get); err != nil {
		return nil, err
	}
	d.client = &http.Client{Transport: transport, Timeout: timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return d, nil
}

// addressOf returns the address of a signal: its own as it is, the general one with the
// usual path.
func addressOf(env Environment, signal string) (*url.URL, error) {
	variable := "OTEL_EXPORTER_OTLP_" + signal + "_ENDPOINT"
	text, path := env.get(variable), ""
	if text == "" {
		variable, path = "OTEL_EXPORTER_OTLP_ENDPOINT", "v1/"+strings.ToLower(signal)
		if text = env.get(variable); text == "" {
			text = usualAddress
		}
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s is not a URL with http:// or https://", variable)
	}
	return u.JoinPath(path), nil
}

// readHeaders reads "name=value,name=value", with values as in a URL.
func readHeaders(text string) (http.Header, error) {
	headers := http.Header{}
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, found := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !found || err != nil || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, errors.New("it is not a list of name=value") // it may be secret
		}
		headers.Set(name, value)
	}
	return headers, nil
}

// tlsOf returns the certificates that the variables name; nil for the usual ones.
func tlsOf(get func(string) (variable, value string)) (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	authority, authorityFile := get("CERTIFICATE")
	own, ownFile := get("CLIENT_CERTIFICATE")
	_, keyFile := get("CLIENT_KEY")
	if authorityFile != "" {
		text, err := os.ReadFile(authorityFile)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", authority, err)
		}
		if c.RootCAs = x509.NewCertPool(); !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s: %s has no certificate", authority, authorityFile)
		}
	}
	if ownFile != "" || keyFile != "" {
		pair, err := tls.LoadX509KeyPair(ownFile, keyFile)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", own, err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	if authorityFile == "" && ownFile == "" && keyFile == "" {
		return nil, nil
	}
	return c, nil
}
