package guard

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

func TestClosedAddresses(t *testing.T) {
	for kind, addresses := range map[string]string{
		"private": `127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1
			100.64.0.1 100.100.100.200 100.127.255.255 169.254.169.254 168.63.129.16 ::1 :: fe80::1 fe80::1%eth0 febf::1
			fec0::1 fc00::1 fd00:ec2::254`,
		"reserved": `192.0.0.1 192.0.0.192 192.0.2.1 198.51.100.7 203.0.113.9 192.88.99.1 198.18.0.1 198.19.255.255
			224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1
			64:ff9b:1::1 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1 2002:7f00:1::1 3fff::1 3ffe::1
			ff02::1 4000::1`,
		"": `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 172.15.255.255
			172.32.0.0 169.253.255.255 169.255.0.0 192.0.1.1 192.167.255.255 198.17.255.255 198.20.0.0 223.255.255.255
			2606:4700::1111 2a00:1450:4001::200e 2001:4860:4860::8888`,
	} {
		for address := range strings.FieldsSeq(addresses) {
			if got := closedAddress(netip.MustParseAddr(address)); got != kind {
				t.Errorf("%s is %q, want %q", address, got, kind)
			}
		}
	}
}

// attackHosts are hosts that lead into the private network, or try to. P is
// the port of the canary, which listens on 127.0.0.1.
var attackHosts = []string{
	"127.0.0.1", "127.1", "127.0.1", "127.127.127.127", "0", "0.0.0.0", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]",
	"2130706433", "0x7f000001", "0x7f.0.0.1", "0x7f.1", "0177.0.0.1", "017700000001", "0177.0x0.0.1", "127.0.0.01",
	"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:7f00:0001]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::127.0.0.1]",
	"[2002:7f00:1::]", "[2001:0:7f00:1::]", "[fe80::1%25lo]", "[::1%25lo]", "[fd00::1]", "[ff02::1]",
	"localhost", "LOCALHOST", "localhost.", "ip6-localhost", "foo.localhost",
	"127.0.0.1.", "127.0.0.1.rebind.test", "loop.test", "loop6.test", "zero.test", "both.test", "metadata.test", "lan.test",
	"169.254.169.254", "[fd00:ec2::254]", "100.100.100.200", "10.0.0.1", "172.16.0.1", "192.168.0.1", "198.18.0.1", "255.255.255.255",
	"１２７.０.０.１", "127。0。0。1", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "①②⑦.⓪.⓪.①",
}

var attackNames = map[string][]string{
	"loop.test": {"127.0.0.1"}, "loop6.test": {"::1"}, "zero.test": {"0.0.0.0"}, "both.test": {"127.0.0.1", "::1"},
	"metadata.test": {"169.254.169.254"}, "lan.test": {"192.168.0.1", "10.0.0.1"}, "127.0.0.1.rebind.test": {"127.0.0.1"},
	"foo.localhost": {"127.0.0.1"}, "ip6-localhost": {"::1"},
	// What some resolvers make of these.
	"0": {"0.0.0.0"}, "127.1": {"127.0.0.1"}, "127.0.1": {"127.0.0.1"}, "2130706433": {"127.0.0.1"}, "0x7f000001": {"127.0.0.1"}, "0x7f.0.0.1": {"127.0.0.1"},
	"0x7f.1": {"127.0.0.1"}, "0177.0.0.1": {"127.0.0.1"}, "017700000001": {"127.0.0.1"}, "0177.0x0.0.1": {"127.0.0.1"},
	"127.0.0.01": {"127.0.0.1"}, "127.0.0.1.": {"127.0.0.1"},
}

func TestNoAttackReachesTheCanary(t *testing.T) {
	c := newCanary(t, says("secret"))
	resolver := names(t, attackNames)
	// Its port is open for a host of another name, so that what stops the
	// attacks is the address.
	strict := client(t, Options{Resolver: resolver, AllowHosts: []string{"other.test:" + c.port}})
	for _, host := range attackHosts {
		_, err := get(t, strict, "http://"+host+"/")
		if err == nil {
			t.Errorf("http://%s/ answered", host)
		}
		var refused *RefusedError
		if !errors.As(err, &refused) {
			t.Logf("%s: %v", host, err)
		}
		_, err = get(t, strict, "http://"+host+":"+c.port+"/")
		if err == nil {
			t.Errorf("http://%s:%s/ answered", host, c.port)
		}
		// Past the check of the port, and as the transport sees it.
		u, err := url.Parse("http://" + host + "/")
		if err != nil {
			continue
		}
		conn, err := strict.Transport.(*guardedTransport).dial(t.Context(), "tcp", net.JoinHostPort(u.Hostname(), c.port))
		if err == nil {
			conn.Close()
			t.Errorf("connected to %s", host)
		}
	}
	if len(attackHosts) < 47 {
		t.Errorf("only %d attacks", len(attackHosts))
	}
	if n := c.hits.Load(); n != 0 {
		t.Errorf("%d requests reached the canary", n)
	}
	// The canary is alive.
	open := client(t, Options{Resolver: resolver, AllowHosts: []string{"loop.test:" + c.port}})
	if a, err := get(t, open, "http://loop.test:"+c.port+"/"); err != nil || string(a.Body) != "secret" {
		t.Errorf("with the host allowed: %v", err)
	}
}

func TestAttacksByTheURL(t *testing.T) {
	c := newCanary(t, says("secret"))
	for _, text := range []string{
		"http://example.com@127.0.0.1:P/", "http://user:password@127.0.0.1:P/", "http://127.0.0.1:P#@example.com/",
		"http://127.0.0.1:P?@example.com/", `http://127.0.0.1:P\@example.com/`, "http:\\\\127.0.0.1:P/", "http:127.0.0.1:P", "//127.0.0.1:P/",
		"file:///etc/passwd", "gopher://127.0.0.1:P/_GET", "ftp://127.0.0.1:P/", "data:text/plain,hello", "javascript:alert(1)", "unix:///var/run/docker.sock",
		"jar:http://127.0.0.1:P!/", "dict://127.0.0.1:P/", "http://", "http:///", "http://:P/", "http://127.0.0.1:P:80/", "http://127.0.0.1 :P/",
		"http://127.0.0.1%00.example.com/", "http://127.0.0.1\r\n.example.com/", "ht\ttp://127.0.0.1:P/", "http://[::ffff:127.0.0.1]:P/",
		"http://example.com:0/", "http://example.com:99999/", "http://example.com:22/", "http://example.com:6379/", "https://example.com:8443/", "",
	} {
		text = strings.ReplaceAll(text, "P", c.port)
		if _, err := get(t, client(t, Options{Resolver: names(t, nil)}), text); err == nil {
			t.Errorf("%q answered", text)
		}
	}
	if n := c.hits.Load(); n != 0 {
		t.Errorf("%d requests reached the canary", n)
	}
}

func TestRefusalsSayWhatAllowsThem(t *testing.T) {
	c := client(t, Options{Resolver: names(t, map[string][]string{"intranet.test": {"10.0.0.7"}})})
	for text, words := range map[string][]string{
		"http://127.0.0.1/":                          {`web address 127.0.0.1 is private; the library can allow it with allowHosts: ["127.0.0.1:80"]`},
		"https://Intranet.test/a?b":                  {`web address 10.0.0.7 of intranet.test is private; `, `allowHosts: ["intranet.test:443"]`},
		"http://[::1]/":                              {`web address ::1 is private; `, `["[::1]:80"]`},
		"http://224.0.0.1/":                          {"is reserved"},
		"http://example.com:8080/":                   {`port 8080 of example.com is closed to tools; `, `["example.com:8080"]`},
		"ftp://example.com/":                         {`the scheme "ftp"`},
		"http://me:secret@example.com/":              {"user name"},
		"http://a.test/" + strings.Repeat("x", 2048): {"at most 2048"},
	} {
		_, err := get(t, c, text)
		wantRefused(t, err, words...)
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%v holds the secret", err)
		}
	}
}

func TestAllowHostsOpensExactlyThat(t *testing.T) {
	c, other := newCanary(t, says("open")), newCanary(t, says("closed"))
	resolver := names(t, map[string][]string{"in.test": {"127.0.0.1"}, "xn--bcher-kva.test": {"127.0.0.1"}})
	for _, tt := range []struct {
		entry, url string
		open       bool
	}{
		{"127.0.0.1:P", "http://127.0.0.1:P/", true},
		{"127.0.0.1:P", "http://127.0.0.1:P/a/b?c=d", true},
		{"127.0.0.1:P", "http://127.0.0.1:O/", false},
		{"127.0.0.1:P", "http://localhost:P/", false},
		{"127.0.0.1:P", "http://[::ffff:127.0.0.1]:P/", false},
		{"127.0.0.1:P", "http://in.test:P/", false},
		{"127.0.0.1", "http://127.0.0.1:P/", false},
		{"in.test:P", "http://in.test:P/", true},
		{"IN.test:P", "http://In.Test:P/", true},
		{"in.test:P", "http://x.in.test:P/", false},
		{"in.test:P", "http://127.0.0.1:P/", false},
		{"bücher.test:P", "http://Bücher.test:P/", true},
		{"bücher.test:P", "http://xn--bcher-kva.test:P/", true},
	} {
		ports := strings.NewReplacer("P", c.port, "O", other.port)
		_, err := get(t, client(t, Options{AllowHosts: []string{ports.Replace(tt.entry)}, Resolver: resolver}), ports.Replace(tt.url))
		if (err == nil) != tt.open {
			t.Errorf("with %s, %s: %v", tt.entry, tt.url, err)
		}
	}
	if n := other.hits.Load(); n != 0 {
		t.Errorf("%d requests reached the other port", n)
	}
}

func TestAllowHostsEntries(t *testing.T) {
	for _, entry := range []string{
		"", ":80", "http://example.com", "example.com/", "example.com:", "example.com:0", "example.com:65536", "example.com:http",
		"*.example.com", "user@example.com", "a b", "[::1", "[]", "[::1]:", "::1:80:",
	} {
		if _, err := Client(Options{AllowHosts: []string{entry}}); err == nil || !strings.Contains(err.Error(), "allowHosts") {
			t.Errorf("%q: %v", entry, err)
		}
	}
	for entry, want := range map[string]string{
		"example.com": "example.com:443", "example.com:8080": "example.com:8080", "::1": "[::1]:80", "[::1]": "[::1]:443",
		"[0:0::1]:9": "[::1]:9", "EXAMPLE.com": "example.com:80", "my_host:1": "my_host:1",
	} {
		if l, err := newAllowList([]string{entry}); err != nil || !l[want] {
			t.Errorf("%q opens %v, %v; want %s", entry, l, err, want)
		}
	}
}

func TestHeaderOfAUserNameIsNotSent(t *testing.T) {
	c := newCanary(t, says(""))
	_, err := get(t, client(t, Options{AllowHosts: []string{"127.0.0.1:" + c.port}}), "http://a:b@127.0.0.1:"+c.port)
	wantRefused(t, err, "user name")
	if c.hits.Load() != 0 {
		t.Error("the request was sent")
	}
}
