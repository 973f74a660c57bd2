package visible

import (
	"fmt"
	"strconv"
	"time"
)

// Counted returns "1 tool", "2 tools".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(int64(n)) + " " + noun + "s"
}

// Number returns a number with commas between the thousands.
func Number(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Size returns a number of bytes in the unit that people use for it.
func Size(bytes int) string {
	switch {
	case bytes < 1<<10:
		return Counted(bytes, "byte")
	case bytes < 1<<20:
		return fmt.Sprintf("%d KiB", (bytes+1<<9)>>10)
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

// Duration returns a duration as people say it.
func Duration(d time.Duration) string {
	switch {
	case d > 0 && d < time.Millisecond:
		return "<1 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}
