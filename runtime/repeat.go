package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// A Repeat says whether a call may be made again when nobody knows whether it had its
// effect: after a crash, or when a connection broke. The zero Repeat says nothing, and counts
// as [RepeatOnce].
type Repeat string

// What may be repeated, the strictest first.
const (
	RepeatOnce  Repeat = "once"  // never: a second call would have a second effect
	RepeatKeyed Repeat = "keyed" // with the same [CallKey], by which the tool recognises a call that it has done
	RepeatSafe  Repeat = "safe"  // always: a call changes nothing, or nothing more when it is made again
)

// Stricter returns the stricter of two; one that says nothing leaves it to the other.
func (r Repeat) Stricter(other Repeat) Repeat {
	order := []Repeat{RepeatOnce, RepeatKeyed, RepeatSafe, ""}
	if slices.Index(order, other) < slices.Index(order, r) {
		return other
	}
	return r
}

// Allows reports whether a call may be made again within ctx, which has the key of a keyed
// one.
func (r Repeat) Allows(ctx context.Context) bool {
	return r == RepeatSafe || r == RepeatKeyed && CallKey(ctx) != ""
}

// maxCallKey is how long a key is at most, in bytes. Services take no longer ones.
const maxCallKey = 255

type keyOfCall struct{}

// WithCallKey returns a context for one call of a tool that holds its idempotency key: the
// same for each repetition of the call, and different for every other call. Commands get it as the variable
// GRAMC_CALL_KEY, HTTP services in the header Idempotency-Key, and MCP servers in _meta. A key
// that is too long for them, or holds more than visible ASCII, is replaced by its SHA-256.
func WithCallKey(ctx context.Context, key string) context.Context {
	hidden := func(c rune) bool { return c <= ' ' || c > '~' }
	if len(key) > maxCallKey || strings.ContainsFunc(key, hidden) {
		sum := sha256.Sum256([]byte(key))
		key = "sha256:" + hex.EncodeToString(sum[:])
	}
	return context.WithValue(ctx, keyOfCall{}, key)
}

// CallKey returns the idempotency key of the call that a handler is to make, "" if it has none.
func CallKey(ctx context.Context) string {
	key, _ := ctx.Value(keyOfCall{}).(string)
	return key
}
