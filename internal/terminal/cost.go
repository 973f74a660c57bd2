package terminal

import (
	"fmt"

	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/runtime"
)

func costText(c session.Cost) string {
	tokens := costTokens(c.Usage)
	if tokens == "" {
		tokens = "tokens unknown"
	}
	text := visible.Counted(c.Requests, "request") + ", " + tokens
	switch price := priceText(c); {
	case price == "":
		text += ", price unknown"
	case c.Unpriced > 0:
		text += fmt.Sprintf(", %s and %s of unknown price", price, visible.Counted(c.Unpriced, "request"))
	default:
		text += ", " + price
	}
	return text
}

// priceText returns what requests cost; "" if that is unknown.
func priceText(c session.Cost) string {
	if c.Unpriced == c.Requests {
		return ""
	}
	return c.Price.String()
}

// costTokens returns the tokens of requests; "" where they are unknown.
func costTokens(u runtime.Usage) string {
	if u.Input == 0 && u.Output == 0 {
		return ""
	}
	text := visible.Number(u.Input) + " tokens in"
	if u.CacheRead > 0 {
		text += " (" + visible.Number(u.CacheRead) + " cached)"
	}
	return text + ", " + visible.Number(u.Output) + " out"
}
