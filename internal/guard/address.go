package guard

import (
	"fmt"
	"net"
	"net/netip"
)

// private are the networks that begin at this machine.
var private = addressPrefixes(
	"127.0.0.0/8", "0.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",
	"100.64.0.0/10",    // carriers, and the metadata of some clouds
	"169.254.0.0/16",   // link-local, and the metadata of most clouds
	"168.63.129.16/32", // the metadata of Azure
	"::1/128", "::/128", "fe80::/10", "fec0::/10", "fc00::/7",
)

// reserved are the other networks that no public server has. Of IPv6, only
// 2000::/3 is given out; what is outside of it, such as IPv4 in IPv6, needs no
// entry.
var reserved = addressPrefixes(
	"192.0.0.0/24", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", // assignments, examples
	"192.88.99.0/24",             // 6to4
	"198.18.0.0/15",              // benchmarks
	"224.0.0.0/4",                // multicast
	"240.0.0.0/4",                // never used, and broadcast
	"2001::/23",                  // assignments, with Teredo and ORCHID
	"2001:db8::/32", "3fff::/20", // examples
	"2002::/16", // 6to4
	"3ffe::/16", // given back
)

var public6 = netip.MustParsePrefix("2000::/3")

func addressPrefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// closedAddress returns "private" or "reserved" for an address that is not public, and
// "" for one that is.
func closedAddress(a netip.Addr) string {
	a = a.WithZone("")
	switch {
	case addressWithin(a, private):
		return "private"
	case addressWithin(a, reserved), !a.Is4() && !public6.Contains(a):
		return "reserved"
	}
	return ""
}

func addressWithin(a netip.Addr, list []netip.Prefix) bool {
	for _, p := range list {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// checkDialledAddress refuses to connect to an address that is not public. It is
// given the address that the system is about to dial, and the host and port as
// the URL has them.
func checkDialledAddress(dialled, target string) error {
	a, err := netip.ParseAddrPort(dialled)
	if err != nil {
		return refuseAddress("web address %s is not an IP address and a port", dialled)
	}
	kind := closedAddress(a.Addr())
	if kind == "" {
		return nil
	}
	what := a.Addr().String()
	if host, _, _ := net.SplitHostPort(target); host != what {
		what += " of " + host
	}
	return refuseAddress("web address %s is %s; %s", what, kind, addressAdvice(target))
}

func addressAdvice(target string) string {
	return fmt.Sprintf("the library can allow it with allowHosts: [%q]", target)
}

// A RefusedError is a request that the guard does not let pass. No retry
// helps.
type RefusedError struct{ Message string }

// Error returns the message.
func (e *RefusedError) Error() string { return e.Message }

func refuseAddress(format string, args ...any) error {
	return &RefusedError{Message: fmt.Sprintf(format, args...)}
}
