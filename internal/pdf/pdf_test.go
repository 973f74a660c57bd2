package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
	"testing"
)

// file returns a PDF with these objects, numbered from 1.
func file(objects ...string) []byte {
	var out bytes.Buffer
	out.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	for i, o := range objects {
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	out.WriteString("trailer << /Root 1 0 R >>\n%%EOF\n")
	return out.Bytes()
}

// stream returns a stream as it is.
func stream(head, text string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", head, len(text), text)
}

// flate returns a stream that is compressed.
func flate(head, text string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return stream(head+" /Filter /FlateDecode", b.String())
}

const (
	tree = "<< /Type /Pages /Kids [2 0 R] /Count 1 >>"
	page = "<< /Type /Page /Parent 1 0 R /Contents 3 0 R /Resources << /XObject << /F 4 0 R >> >> >>"
)

func TestMeasure(t *testing.T) {
	long := strings.Repeat("x", 1000)
	show := func(n int) string { return "BT (" + long[:n] + ") Tj ET" }
	// objects are the ones of a stream, from 2 on.
	packed := func(objects ...string) string {
		var numbers, bodies string
		for i, o := range objects {
			numbers += fmt.Sprintf("%d %d ", i+2, len(bodies))
			bodies += o + " "
		}
		return flate(fmt.Sprintf("/Type /ObjStm /N %d /First %d", len(objects), len(numbers)), numbers+bodies)
	}
	for _, tt := range []struct {
		name string
		data []byte
		want Size
	}{
		{"a page without a text", file(tree, "<< /Type /Page >>"), Size{1, 0}},
		{"a text", file(tree, page, stream("", show(10))), Size{1, 11}},
		{"a compressed text", file(tree, page, flate("", show(10))), Size{1, 11}},
		{"a filter in a list", file(tree, page, strings.Replace(flate("", show(10)), "/FlateDecode", "[ /FlateDecode ]", 1)), Size{1, 11}},
		{"escapes and parentheses", file(tree, page, stream("", `[(a\)b) -300 (c(d)e)] TJ % (no)`)), Size{1, 11}},
		{"hexadecimal", file(tree, page, stream("", "<00410042> Tj /Span << /A 1 >> BDC")), Size{1, 5}},
		{"contents in pieces", file(tree, "<< /Type /Page /Contents [3 0 R 4 0 R] >>", stream("", show(1)), stream("", show(2))), Size{1, 5}},
		{"contents in a list of their own", file(tree, "<< /Type /Page /Contents 3 0 R >>", "[4 0 R 5 0 R]", stream("", show(1)), stream("", show(2))), Size{1, 5}},
		{"two pages", file("<< /Type /Pages /Kids [2 0 R 3 0 R] >>", "<< /Type /Page /Contents 4 0 R >>", "<< /Type /Page /Contents 4 0 R >>", stream("", show(10))), Size{2, 22}},
		{"a page twice", file("<< /Type /Pages /Kids [2 0 R 2 0 R] >>", "<< /Type /Page /Contents 3 0 R >>", stream("", show(10))), Size{2, 22}},
		{"a tree of the same trees", file("<< /Type /Pages /Kids [2 0 R 2 0 R] >>", "<< /Type /Pages /Kids [3 0 R 3 0 R] >>", "<< /Type /Pages /Kids [4 0 R 4 0 R] >>", "<< /Type /Page >>"), Size{8, 0}},
		{"a page that no tree has", file(tree, page, stream("", ""), "<< /Type /Page /Contents 5 0 R >>", stream("", show(3))), Size{2, 4}},
		{"a stream of objects", file(tree, "null", stream("", show(10)), packed("<< /Type /Page /Contents 3 0 R >>")), Size{1, 11}},
		{"an image", file(tree, page, stream("", "/I Do"), stream("/Subtype /Image /Filter /DCTDecode", "((((")), Size{1, 0}},
		{"a font", file(tree, page, stream("", show(1)), stream("/Length1 4", "((((")), Size{1, 2}},
		{"a form", file(tree, page, stream("", "/F Do"), flate("/Subtype /Form", show(10))), Size{1, 22}},
		{"a form thrice", file(tree, page, stream("", "/F Do /F Do q /F Do"), flate("/Subtype /Form", show(10))), Size{1, 44}},
		{"forms in forms", file(tree, page, stream("", "/F Do"), stream("/Subtype /Form /Resources << /XObject << /G 5 0 R >> >>", "/G Do /G Do"), stream("/Subtype /Form", show(9))), Size{1, 50}},
		{"forms in resources elsewhere", file(tree, page, stream("", "/F Do"), stream("/Subtype /Form /Resources 6 0 R", "/G Do /G Do"), stream("/Subtype /Form", show(9)), "<< /XObject 7 0 R >>", "<< /G 5 0 R >>"), Size{1, 50}},
		{"the word endstream", file(tree, page, stream("", "(endstream) Tj "+show(10))), Size{1, 21}},
		{"names with escapes", file(tree, "<< /Ty#70e /P#61ge /Cont#65nts 3 0 R >>", stream("", show(10))), Size{1, 11}},
		{"a later revision", append(file(tree, page, stream("", show(10))), "3 0 obj\n"+stream("", show(2))+"\nendobj\n"...), Size{1, 3}},
	} {
		if got, ok := Measure(tt.data); !ok || got != tt.want {
			t.Errorf("%s: %+v, %v, want %+v", tt.name, got, ok, tt.want)
		}
	}
}

// What cannot be followed is not guessed.
func TestWhatCannotBeMeasured(t *testing.T) {
	text := stream("", "(a) Tj")
	loop := "<< /Type /Pages /Kids [1 0 R] >>"
	var doubling []string
	for i := range 40 {
		doubling = append(doubling, fmt.Sprintf("<< /Type /Pages /Kids [%d 0 R %d 0 R] >>", i+2, i+2))
	}
	for name, data := range map[string][]byte{
		"nothing":             nil,
		"no objects":          []byte("%PDF-1.7 of many pages"),
		"no pages":            file("<< /Type /Catalog >>"),
		"encrypted":           append(file(tree, page, text), "trailer << /Encrypt 9 0 R >>"...),
		"another filter":      file(tree, page, stream("/Filter /LZWDecode", "(a)")),
		"two filters":         file(tree, page, stream("/Filter [/ASCII85Decode /FlateDecode]", "(a)")),
		"two filters, first":  file(tree, page, strings.Replace(flate("", "(a)"), "/FlateDecode", "[/FlateDecode /ASCIIHexDecode]", 1)),
		"an escaped filter":   file(tree, page, stream("/Filt#65r /LZWDecode", "(a)")),
		"a damaged stream":    file(tree, page, strings.Replace(flate("", strings.Repeat("(abc) Tj ", 100)), "\nendstream", "", 1)),
		"a cut stream":        file(tree, page, stream("/Filter /FlateDecode", "x\x9c")),
		"contents elsewhere":  file(tree, "<< /Type /Page /Contents 9 0 R >>"),
		"a loop of pages":     file(loop, "<< /Type /Page >>"),
		"2^40 pages":          file(append(doubling, "<< /Type /Page >>")...),
		"a form in itself":    file(tree, page, stream("", "/F Do"), stream("/Subtype /Form /Resources << /XObject << /F 4 0 R /G 5 0 R >> >>", "/G Do"), stream("/Subtype /Form /Resources << /XObject << /F 4 0 R >> >>", "/F Do (a) Tj")),
		"too large":           file(tree, page, flate("", strings.Repeat(" ", maxInflated+1))),
		"a stream of nothing": file(tree, page, text, flate("/Type /ObjStm /N 1 /First 900", "9 0 x")),
		"an end that is cut":  file(tree, page, text)[:60],
	} {
		if got, ok := Measure(data); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func FuzzMeasure(f *testing.F) {
	f.Add(file(tree, page, flate("", "(a) Tj /F Do"), flate("/Subtype /Form", "(b) Tj")))
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, ok := Measure(data); ok && (s.Pages < 1 || s.Text < 0) {
			t.Errorf("%+v of %q", s, data)
		}
	})
}
