package guard

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// maxURL is how long a URL may be, so that it does not carry much out.
const maxURL = 2048

// An allowList holds the hosts with ports that are open wherever they lead, as
// [net.JoinHostPort] writes them.
type allowList map[string]bool

func newAllowList(entries []string) (allowList, error) {
	allowed := allowList{}
	for _, entry := range entries {
		host, port, err := splitAllowed(entry)
		if err != nil {
			return nil, fmt.Errorf("allowHosts: %q %w", entry, err)
		}
		if port != "" {
			allowed[net.JoinHostPort(host, port)] = true
			continue
		}
		for _, port := range []string{"80", "443"} {
			allowed[net.JoinHostPort(host, port)] = true
		}
	}
	return allowed, nil
}

// splitAllowed reads host, host:port, an IPv6 address, or one in brackets with
// or without a port.
func splitAllowed(entry string) (host, port string, err error) {
	host = entry
	if inner, ok := strings.CutPrefix(entry, "["); ok && strings.HasSuffix(inner, "]") {
		host = strings.TrimSuffix(inner, "]")
	} else if _, err := netip.ParseAddr(entry); err != nil && strings.Contains(entry, ":") {
		if host, port, err = net.SplitHostPort(entry); err != nil {
			return "", "", fmt.Errorf("is not a host, or a host and a port")
		}
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return "", "", fmt.Errorf("must have a port from 1 to 65535 after the colon")
		}
		port = strconv.FormatUint(n, 10)
	}
	if host == "" || strings.ContainsAny(host, "/?#@*[]% \t\r\n") {
		return "", "", fmt.Errorf("is not a host, or a host and a port")
	}
	return allowedHostName(host), port, nil
}

// allowedHostName returns a host as the dialler is given it.
func allowedHostName(host string) string {
	if a, err := netip.ParseAddr(host); err == nil {
		return a.String()
	}
	if name, err := idna.Lookup.ToASCII(host); err == nil {
		return name
	}
	return strings.ToLower(host)
}

// checkURL refuses what can be seen to be wrong before anything is dialled.
func (l allowList) checkURL(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" {
		return refuseAddress("web address with the scheme %q: only http and https are open to tools", u.Scheme)
	}
	if u.Hostname() == "" {
		return refuseAddress("web address without a host")
	}
	if u.User != nil {
		return refuseAddress("web address of %s with a user name: leave out the part before the @", u.Hostname())
	}
	if n := len(u.String()); n > maxURL {
		return refuseAddress("web address of %d bytes: at most %d are allowed", n, maxURL)
	}
	target := allowedTarget(u)
	_, port, _ := net.SplitHostPort(target)
	if port != "80" && port != "443" && !l[target] {
		return refuseAddress("port %s of %s is closed to tools; %s", port, u.Hostname(), addressAdvice(target))
	}
	return nil
}

// allowedTarget returns host and port of a URL, as the dialler is given them.
func allowedTarget(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(allowedHostName(u.Hostname()), port)
}
