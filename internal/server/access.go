package server

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// A Principal is who makes a request. It sees only its own runs and sessions.
type Principal struct {
	Name    string
	Approve bool // it may approve calls of tools
}

// A Token lets a principal in. Only its hash is kept.
type Token struct {
	Principal
	Hash [sha256.Size]byte
}

// MinToken is the least number of bytes of a token.
const MinToken = 16

// NewToken returns the token with a secret, which must have at least [MinToken] bytes.
func NewToken(p Principal, secret string) (Token, error) {
	if len(secret) < MinToken {
		return Token{}, fmt.Errorf("the token of %q has %d bytes; it must have at least %d", p.Name, len(secret), MinToken)
	}
	return Token{p, sha256.Sum256([]byte(secret))}, nil
}

// ReadTokens reads a list of tokens: [{"name": …, "token": …, "approve": true}], where "sha256"
// with the hash in hexadecimal may stand for "token".
func ReadTokens(text []byte) (list []Token, err error) {
	var entries []struct {
		Name    string `json:"name"`
		Token   string `json:"token"`
		SHA256  string `json:"sha256"`
		Approve bool   `json:"approve"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&entries); err != nil {
		return nil, fmt.Errorf("it must be a list such as [{\"name\": \"ada\", \"token\": \"…\", \"approve\": true}]: %w", err)
	}
	if len(entries) == 0 {
		return nil, errors.New("the list is empty")
	}
	for _, e := range entries {
		who := Principal{e.Name, e.Approve}
		t := Token{Principal: who}
		hash, err := hex.DecodeString(e.SHA256)
		switch {
		case e.Name == "":
			return nil, errors.New("an entry has no name")
		case (e.Token == "") == (e.SHA256 == ""):
			return nil, fmt.Errorf("%q needs either a token or its sha256", e.Name)
		case e.Token != "":
			if t, err = NewToken(who, e.Token); err != nil {
				return nil, err
			}
		case err != nil || copy(t.Hash[:], hash) != sha256.Size || len(hash) != sha256.Size:
			return nil, fmt.Errorf("the sha256 of %q is not %d hexadecimal digits", e.Name, 2*sha256.Size)
		}
		list = append(list, t)
	}
	return list, nil
}

// Access is who may make requests.
type Access struct {
	Tokens []Token

	// Key seals the cookies of pages: whoever has it can write them. It is random, and has at least
	// [KeySize] bytes; see [ReadKey]. Nil makes one for a server that keeps none: cookies end with it.
	Key []byte

	// Open lets everybody in, as one principal with all rights. It is for loopback alone.
	Open bool

	// UserHeader names the principal if a request comes from one of Proxies, which must
	// remove the header from the requests that they pass on. Such a principal may
	// not approve unless its name is one of Approvers.
	UserHeader string
	Proxies    []netip.Prefix
	Approvers  []string
}

// Check returns why nobody or the wrong ones could be let in.
func (a *Access) Check() error {
	names := map[string]bool{}
	for _, t := range a.Tokens {
		if t.Name == "" || names[t.Name] {
			return fmt.Errorf("two tokens are for %q; each principal needs a name of its own", t.Name)
		}
		names[t.Name] = true
	}
	switch {
	case (a.UserHeader == "") != (len(a.Proxies) == 0):
		return errors.New("a header with the name of the user needs the addresses of the proxies that set it, and the other way round")
	case a.Key != nil && len(a.Key) < KeySize:
		return fmt.Errorf("the key of the cookies has %d bytes; it must have at least %d", len(a.Key), KeySize)
	case !a.Open && len(a.Tokens) == 0 && a.UserHeader == "":
		return errors.New("no token lets anybody in")
	}
	return nil
}

// local is the principal of a server without tokens.
var local = Principal{Name: "local", Approve: true}

// The cookie that a page has in place of a token.
const (
	cookieName = "gramc"
	cookieTime = 7 * 24 * time.Hour
)

// principal returns who makes a request.
func (a *Access) principal(r *http.Request, now time.Time) (Principal, bool) {
	if a.Open {
		return local, true
	}
	if p, ok := a.behindProxy(r); ok {
		return p, true
	}
	if scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		return a.tokenOf(secret)
	}
	if cookie, err := r.Cookie(cookieName); err == nil {
		return a.cookieOf(cookie.Value, now)
	}
	return Principal{}, false
}

// behindProxy returns the principal that a trusted proxy names.
func (a *Access) behindProxy(r *http.Request) (Principal, bool) {
	if a.UserHeader == "" {
		return Principal{}, false
	}
	name := r.Header.Values(a.UserHeader)
	address, ok := clientAddress(r)
	if len(name) != 1 || strings.TrimSpace(name[0]) == "" || !ok {
		return Principal{}, false
	}
	for _, p := range a.Proxies {
		if p.Contains(address) {
			who := Principal{Name: strings.TrimSpace(name[0])}
			for _, approver := range a.Approvers {
				who.Approve = who.Approve || approver == who.Name
			}
			return who, true
		}
	}
	return Principal{}, false
}

// clientAddress returns the address that a connection comes from.
func clientAddress(r *http.Request) (netip.Addr, bool) {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	return at.Addr().Unmap(), err == nil
}

// tokenOf returns the principal of a token. It takes the same time for all of them.
func (a *Access) tokenOf(secret string) (who Principal, ok bool) {
	hash := sha256.Sum256([]byte(secret))
	for i := range a.Tokens {
		if subtle.ConstantTimeCompare(hash[:], a.Tokens[i].Hash[:]) == 1 {
			who, ok = a.Tokens[i].Principal, true
		}
	}
	return who, ok
}

// cookieFor returns the cookie of a principal that has shown its token. It is valid for
// [cookieTime], also after a restart, and as long as the token is.
func (a *Access) cookieFor(who Principal, now time.Time, secure bool) *http.Cookie {
	for i := range a.Tokens {
		if t := &a.Tokens[i]; t.Name == who.Name {
			ends := strconv.FormatInt(now.Add(cookieTime).Unix(), 10)
			value := ends + "." + a.seal(t, ends)
			return &http.Cookie{
				Name: cookieName, Value: value, Path: "/", MaxAge: int(cookieTime / time.Second),
				HttpOnly: true, Secure: secure, SameSite: http.SameSiteStrictMode,
			}
		}
	}
	return nil
}

// seal returns what only this server can write, of a token as it is now.
func (a *Access) seal(t *Token, ends string) string {
	mac := hmac.New(sha256.New, a.Key)
	fmt.Fprintf(mac, "gramc cookie %s %x %q", ends, t.Hash, t.Name)
	return hex.EncodeToString(mac.Sum(nil))
}

// cookieOf returns the principal of a cookie.
func (a *Access) cookieOf(value string, now time.Time) (who Principal, ok bool) {
	ends, seal, _ := strings.Cut(value, ".")
	until, err := strconv.ParseInt(ends, 10, 64)
	if err != nil || now.Unix() >= until {
		return Principal{}, false
	}
	for i := range a.Tokens {
		if hmac.Equal([]byte(seal), []byte(a.seal(&a.Tokens[i], ends))) {
			who, ok = a.Tokens[i].Principal, true
		}
	}
	return who, ok
}

// isOwnHost reports whether a request names the server itself, and not a name that somebody
// else has pointed at it: an address, localhost, or one of names.
func isOwnHost(host string, names []string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), ".")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	for _, name := range names {
		if strings.EqualFold(host, name) {
			return true
		}
	}
	return false
}
