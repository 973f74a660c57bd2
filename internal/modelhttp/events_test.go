package modelhttp

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestEvents(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for _, tt := range []struct {
		name, body string
		want       []string
	}{
		{"none", "", nil},
		{"data", "data: a\n\ndata: b\n\n", []string{" a", " b"}},
		{"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", []string{" a", " b"}},
		{"no space", "data:a\n\n", []string{" a"}},
		{"two spaces", "data:  a\n\n", []string{"  a"}},
		{"no blank line at the end", "data: a\n\ndata: b", []string{" a", " b"}},
		{"comments", strings.Repeat(": ping\n\n", 1000) + "data: a\n\n", []string{" a"}},
		{"types", "event: x\ndata: a\n\ndata: b\n\n", []string{"x a", " b"}},
		{"a type without data", "event: x\n\ndata: b\n\n", []string{" b"}},
		{"other fields", "id: 1\nretry: 5\ndata: a\nfoo\n\n", []string{" a"}},
		{"lines", "data: a\ndata\ndata: b\n\n", []string{" a\n\nb"}},
		{"a byte order mark", "\ufeffdata: a\n\n", []string{" a"}},
		{"long", "data: " + long + "\n\ndata: b\n\n", []string{" " + long, " b"}},
		{"characters cut by reads", "data: é😀\n\n", []string{" é😀"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, body := range []io.Reader{strings.NewReader(tt.body), iotest.OneByteReader(strings.NewReader(tt.body))} {
				r := NewEventReader(body)
				var got []string
				for {
					e, err := r.Next()
					if err == io.EOF {
						break
					}
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, e.Type+" "+string(e.Data))
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}
