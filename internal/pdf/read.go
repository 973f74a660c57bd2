package pdf

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"strconv"
	"sync"
)

var (
	objectStart = pattern(`(?:^|[^0-9])(\d{1,9})[ \t\r\n\f\x00]+\d{1,5}[ \t\r\n\f\x00]+obj\b`)
	reference   = pattern(`(\d+)[ \t\r\n\f\x00]+\d+[ \t\r\n\f\x00]+R\b`)
	escaped     = pattern(`#[0-9A-Fa-f]{2}`)

	// encrypted is in the trailer of a file that has a key, or in what stands for the trailer.
	encrypted = pattern(`/Encrypt[ \t\r\n\f\x00]*(\d|<<)`)
)

// pattern returns what compiles a pattern when it is first needed, and once.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// read finds the objects of a file, wherever they stand in it: what the tables of a file
// say is not needed, and may be wrong. Later objects replace earlier ones of their number.
func (d *document) read(data []byte) bool {
	for at := 0; ; {
		m := objectStart().FindSubmatchIndex(data[at:])
		if m == nil {
			break
		}
		n, err := strconv.Atoi(string(data[at+m[2] : at+m[3]]))
		if err != nil {
			return false
		}
		body := data[at+m[1]:]
		o, length, ok := readObject(body)
		if !ok {
			return false
		}
		at += m[1] + length
		if !d.add(n, o) {
			return false
		}
	}
	return !d.odd && !encrypted().Match(data)
}

// readObject reads an object from behind "obj", and returns how long it is.
func readObject(body []byte) (*object, int, bool) {
	end := bytes.Index(body, []byte("endobj"))
	stream := bytes.Index(body, []byte("stream"))
	if stream < 0 || end >= 0 && end < stream {
		if end < 0 {
			return nil, 0, false
		}
		return &object{head: plainHead(body[:end])}, end, true
	}
	o := &object{head: plainHead(body[:stream])}
	at := stream + len("stream")
	if at < len(body) && body[at] == '\r' {
		at++
	}
	if at < len(body) && body[at] == '\n' {
		at++
	}
	length := bytes.Index(body[at:], []byte("endstream"))
	if length < 0 {
		return nil, 0, false
	}
	// The bytes can have that word by chance.
	if said, err := strconv.Atoi(firstNumber(o.key("Length"))); err == nil && said >= length && at+said <= len(body) &&
		bytes.HasPrefix(bytes.TrimLeft(body[at+said:], "\r\n"), []byte("endstream")) {
		length = said
	}
	o.stream = body[at : at+length]
	return o, at + length, true
}

// firstNumber returns the number at the start of text, "" if there is none or if it refers
// to an object.
func firstNumber(text []byte) string {
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	if at := reference().FindIndex(text); at != nil && at[0] == 0 {
		return ""
	}
	return string(text[:end])
}

// plainHead returns the text of an object with its names as they are meant: "/Fl#61te" is
// "/Flate".
func plainHead(text []byte) []byte {
	text = bytes.TrimLeft(text, " \t\r\n\f\x00")
	if bytes.IndexByte(text, '#') < 0 {
		return text
	}
	return escaped().ReplaceAllFunc(text, func(hex []byte) []byte {
		c, _ := strconv.ParseUint(string(hex[1:]), 16, 8) // two digits
		return []byte{byte(c)}
	})
}

// add adds an object, and those that its stream has.
func (d *document) add(n int, o *object) bool {
	if d.objects[n] = o; len(d.objects) > maxObjects {
		return false
	}
	if o.stream == nil || !o.is("Type", "ObjStm") {
		return true
	}
	text, ok := d.inflate(o)
	first, err := strconv.Atoi(firstNumber(o.key("First")))
	if !ok || err != nil || first > len(text) {
		return false
	}
	numbers := bytes.Fields(text[:first])
	for i := 0; i+1 < len(numbers); i += 2 {
		n, err := strconv.Atoi(string(numbers[i]))
		from, fromErr := strconv.Atoi(string(numbers[i+1]))
		to := len(text) - first
		if i+3 < len(numbers) {
			if next, err := strconv.Atoi(string(numbers[i+3])); err == nil {
				to = next
			}
		}
		if err != nil || fromErr != nil || from < 0 || from > to || first+to > len(text) {
			return false
		}
		if d.objects[n] = (&object{head: plainHead(text[first+from : first+to])}); len(d.objects) > maxObjects {
			return false
		}
	}
	return true
}

// inflate returns the bytes of a stream.
func (d *document) inflate(o *object) ([]byte, bool) {
	filter := o.key("Filter")
	filter = bytes.TrimLeft(bytes.TrimPrefix(filter, []byte("[")), " \t\r\n")
	switch rest, flate := bytes.CutPrefix(filter, []byte("/FlateDecode")); {
	case !o.has("Filter") && !o.has("F"):
		d.inflated += len(o.stream)
		return o.stream, d.inflated <= maxInflated
	case !flate, len(rest) > 0 && isRegular(rest[0]), bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("/")) && bytes.HasPrefix(o.key("Filter"), []byte("[")),
		o.has("Predictor") && !o.is("Type", "ObjStm"):
		return nil, false
	}
	z, err := zlib.NewReader(bytes.NewReader(o.stream))
	if err != nil {
		return nil, false
	}
	text, err := io.ReadAll(io.LimitReader(z, int64(maxInflated-d.inflated)+1))
	d.inflated += len(text)
	return text, err == nil && d.inflated <= maxInflated
}

// shownIn returns what the operators in the stream of a page show. Every string counts,
// whatever it is for.
func shownIn(text []byte) (s shown) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '%':
			for i < len(text) && text[i] != '\n' && text[i] != '\r' {
				i++
			}
		case c == '(':
			start := i
			for depth := 1; depth > 0 && i+1 < len(text); {
				i++
				switch text[i] {
				case '\\':
					i++
				case '(':
					depth++
				case ')':
					depth--
				}
			}
			s.text = add(s.text, i-start)
		case c == '<' && i+1 < len(text) && text[i+1] == '<':
			i++
		case c == '<':
			start := i
			for i < len(text) && text[i] != '>' {
				i++
			}
			s.text = add(s.text, (i-start)/2+1)
		case c == 'D' && i+1 < len(text) && text[i+1] == 'o' && (i == 0 || !isRegular(text[i-1])) && (i+2 == len(text) || !isRegular(text[i+2])):
			s.draws = add(s.draws, 1)
		}
	}
	return s
}
