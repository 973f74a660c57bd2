package validator

import (
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// formatNamed returns the check of a format, nil for one that is not known.
func formatNamed(name string) func(string) bool {
	switch name {
	case "date-time":
		return isDateTimeFormat
	case "date":
		return isDateFormat
	case "time":
		return isTimeFormat
	case "duration":
		return isDurationFormat
	case "period":
		return isPeriodFormat
	case "email":
		return isEmailFormat
	case "hostname":
		return isHostnameFormat
	case "ipv4":
		return isIPv4Format
	case "ipv6":
		return isIPv6Format
	case "uri", "iri":
		return func(text string) bool { u := parsedURLFormat(text); return u != nil && u.IsAbs() }
	case "uri-reference", "iri-reference":
		return func(text string) bool { return !strings.Contains(text, `\`) && parsedURLFormat(text) != nil }
	case "uri-template":
		return isURITemplateFormat
	case "uuid":
		return isUUIDFormat
	case "json-pointer":
		return isPointerFormat
	case "relative-json-pointer":
		return isRelativePointerFormat
	case "regex":
		return func(text string) bool { _, err := jsonschema.CompileRegexp(text); return err == nil }
	case "semver":
		return func(text string) bool { return semver().MatchString(text) }
	}
	return nil
}

// formatDigits returns the number of digits that a text begins with.
func formatDigits(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

func isDateFormat(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func isDateTimeFormat(text string) bool {
	const date = len(time.DateOnly)
	return len(text) > date && text[date]|0x20 == 't' && isDateFormat(text[:date]) && isTimeFormat(text[date+1:])
}

// isTimeFormat reports whether a text is a time of RFC 3339, with its offset. The second 60 is
// right at the end of a day in UTC.
func isTimeFormat(text string) bool {
	hour, minute, rest, ok := formatClock(text)
	if !ok || len(rest) < 3 || rest[0] != ':' || formatDigits(rest[1:]) < 2 {
		return false
	}
	second, _ := strconv.Atoi(rest[1:3])
	if rest = rest[3:]; strings.HasPrefix(rest, ".") {
		n := formatDigits(rest[1:])
		if n == 0 {
			return false
		}
		rest = rest[1+n:]
	}
	if rest == "" {
		return false
	}
	minutes := 60*hour + minute
	if sign := rest[0]; sign == '+' || sign == '-' {
		h, m, end, ok := formatClock(rest[1:])
		if !ok || end != "" {
			return false
		}
		offset := 60*h + m
		if sign == '+' {
			offset = -offset
		}
		const day = 24 * 60
		minutes = (minutes + offset + day) % day
	} else if rest != "Z" && rest != "z" {
		return false
	}
	return second < 60 || second == 60 && minutes == 23*60+59
}

// formatClock reads the hour and the minute that a text begins with.
func formatClock(text string) (hour, minute int, rest string, ok bool) {
	if len(text) < len("00:00") || formatDigits(text) != 2 || text[2] != ':' || formatDigits(text[3:]) < 2 {
		return 0, 0, "", false
	}
	hour, _ = strconv.Atoi(text[:2])
	minute, _ = strconv.Atoi(text[3:5])
	return hour, minute, text[5:], hour < 24 && minute < 60
}

// isDurationFormat reports whether a text is a duration of RFC 3339, appendix A.
func isDurationFormat(text string) bool {
	text, ok := strings.CutPrefix(text, "P")
	if !ok || text == "" {
		return false
	}
	if weeks, ok := strings.CutSuffix(text, "W"); ok {
		return weeks != "" && formatDigits(weeks) == len(weeks)
	}
	date, clock, timed := strings.Cut(text, "T")
	return formatHasUnits(date, "YMD") && formatHasUnits(clock, "HMS") && (!timed || clock != "")
}

// formatHasUnits reports whether a text is numbers with units, in the order of the units.
func formatHasUnits(text, units string) bool {
	for text != "" {
		n := formatDigits(text)
		if n == 0 || n == len(text) {
			return false
		}
		at := strings.IndexByte(units, text[n])
		if at < 0 {
			return false
		}
		text, units = text[n+1:], units[at+1:]
	}
	return true
}

func isPeriodFormat(text string) bool {
	start, end, ok := strings.Cut(text, "/")
	switch {
	case !ok:
		return false
	case strings.HasPrefix(start, "P"):
		return isDurationFormat(start) && isDateTimeFormat(end)
	case strings.HasPrefix(end, "P"):
		return isDateTimeFormat(start) && isDurationFormat(end)
	}
	return isDateTimeFormat(start) && isDateTimeFormat(end)
}

// isAlphanumericInFormat reports whether a character is an ASCII letter or digit.
func isAlphanumericInFormat(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

func isHostnameFormat(text string) bool {
	const most, mostOfLabel = 253, 63
	text = strings.TrimSuffix(text, ".")
	if len(text) > most {
		return false
	}
	for label := range strings.SplitSeq(text, ".") {
		if label == "" || len(label) > mostOfLabel || label[0] == '-' || label[len(label)-1] == '-' ||
			strings.ContainsFunc(label, func(r rune) bool { return !isAlphanumericInFormat(r) && r != '-' }) {
			return false
		}
	}
	return true
}

func isEmailFormat(text string) bool {
	const most, mostBefore = 254, 64
	at := strings.LastIndexByte(text, '@')
	if len(text) > most || at < 0 || at > mostBefore {
		return false
	}
	local, domain := text[:at], text[at+1:]
	if len(local) > 1 && local[0] == '"' && local[len(local)-1] == '"' {
		if strings.ContainsAny(local[1:len(local)-1], `\"`) {
			return false
		}
	} else if strings.HasPrefix(local, ".") || strings.HasSuffix(local, ".") || strings.Contains(local, "..") ||
		strings.ContainsFunc(local, func(r rune) bool {
			return !isAlphanumericInFormat(r) && !strings.ContainsRune(".!#$%&'*+-/=?^_`{|}~", r)
		}) {
		return false
	}
	if !strings.HasPrefix(domain, "[") || !strings.HasSuffix(domain, "]") {
		return isHostnameFormat(domain)
	}
	address := domain[1 : len(domain)-1]
	if v6, ok := strings.CutPrefix(address, "IPv6:"); ok {
		return isIPv6Format(v6)
	}
	return isIPv4Format(address)
}

func isIPv4Format(text string) bool {
	address, err := netip.ParseAddr(text)
	return err == nil && address.Is4()
}

func isIPv6Format(text string) bool {
	address, err := netip.ParseAddr(text)
	return err == nil && address.Is6() && address.Zone() == ""
}

// parsedURLFormat returns a URL, nil if the text is none.
func parsedURLFormat(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil {
		return nil
	}
	if host := u.Hostname(); strings.Contains(host, ":") && (!strings.ContainsAny(u.Host, "[") || !isIPv6Format(host)) {
		return nil
	}
	return u
}

// isURITemplateFormat reports whether a text is a URL whose path has braces in pairs.
func isURITemplateFormat(text string) bool {
	u := parsedURLFormat(text)
	if u == nil {
		return false
	}
	for part := range strings.SplitSeq(u.RawPath, "/") {
		part, err := url.PathUnescape(part)
		if err != nil {
			return false
		}
		open := false
		for _, c := range part {
			if c != '{' && c != '}' {
				continue
			}
			if open == (c == '{') {
				return false
			}
			open = !open
		}
		if open {
			return false
		}
	}
	return true
}

func isUUIDFormat(text string) bool {
	const form = "00000000-0000-0000-0000-000000000000"
	if len(text) != len(form) {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if form[i] == '-' && c != '-' || form[i] != '-' && !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f') {
			return false
		}
	}
	return true
}

func isPointerFormat(text string) bool {
	if text != "" && text[0] != '/' {
		return false
	}
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "~")
		if !found {
			return true
		}
		if rest = after; rest == "" || rest[0] != '0' && rest[0] != '1' {
			return false
		}
	}
}

func isRelativePointerFormat(text string) bool {
	n := formatDigits(text)
	if n == 0 || n > 1 && text[0] == '0' {
		return false
	}
	return text[n:] == "#" || isPointerFormat(text[n:])
}

// semver is the expression that semver.org suggests.
var semver = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
		`(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?` +
		`(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`)
})
