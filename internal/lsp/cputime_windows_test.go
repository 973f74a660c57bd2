package lsp_test

import (
	"testing"
	"time"
)

// cpuTime is not measured on Windows.
func cpuTime(*testing.B) time.Duration { return 0 }
