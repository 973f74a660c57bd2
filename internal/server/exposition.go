package server

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A meter counts, and writes what it has counted in the text format of Prometheus. The
// client of Prometheus would do the same, but takes a tenth of the time in which gramc
// checks a file, at each start of any command.
type meter struct {
	mu       sync.Mutex
	families []*family
}

// A family is a metric with a value for each combination of labels.
type family struct {
	name, kind, help string
	labels           []string
	bounds           []float64 // of a histogram: upper ones
	meter            *meter
	values           map[string]*value // by the labels as they are written
}

// A value is one of a counter, a gauge or a histogram.
type value struct {
	sum    float64  // of a counter or a gauge: the value
	counts []uint64 // of a histogram: of each bound alone, and of what is above them
}

func (m *meter) family(name, kind, help string, bounds []float64, labels []string) *family {
	f := &family{name, kind, help, labels, bounds, m, map[string]*value{}}
	m.families = append(m.families, f)
	return f
}

func (m *meter) counter(name, help string, labels ...string) *family {
	return m.family(name, "counter", help, nil, labels)
}

func (m *meter) gauge(name, help string, labels ...string) *family {
	return m.family(name, "gauge", help, nil, labels)
}

func (m *meter) histogram(name, help string, bounds []float64, labels ...string) *family {
	return m.family(name, "histogram", help, bounds, labels)
}

// add adds to a counter or a gauge, or one observation to a histogram. There is a value for
// each label of the family.
func (f *family) add(n float64, labels ...string) {
	f.meter.mu.Lock()
	defer f.meter.mu.Unlock()
	key := f.written(labels)
	v := f.values[key]
	if v == nil {
		v = &value{counts: make([]uint64, len(f.bounds)+1)}
		f.values[key] = v
	}
	v.sum += n
	i, _ := slices.BinarySearch(f.bounds, n)
	v.counts[i]++
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// written returns labels as name="value", with commas between them.
func (f *family) written(labels []string) string {
	pairs := make([]string, len(f.labels))
	for i, name := range f.labels {
		pairs[i] = name + `="` + labelEscapes.Replace(labels[i]) + `"`
	}
	return strings.Join(pairs, ",")
}

// write writes all metrics.
func (m *meter) write(w io.Writer) error {
	var b strings.Builder
	m.mu.Lock()
	for _, f := range m.families {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", f.name, f.help, f.name, f.kind)
		for _, labels := range slices.Sorted(maps.Keys(f.values)) {
			f.write(&b, labels, f.values[labels])
		}
	}
	m.mu.Unlock()
	_, err := io.WriteString(w, b.String())
	return err
}

func (f *family) write(b *strings.Builder, labels string, v *value) {
	line := func(suffix, labels string, n float64) {
		if labels != "" {
			labels = "{" + labels + "}"
		}
		fmt.Fprintf(b, "%s%s%s %s\n", f.name, suffix, labels, decimal(n))
	}
	if f.kind != "histogram" {
		line("", labels, v.sum)
		return
	}
	upTo := uint64(0)
	for i, n := range v.counts {
		upTo += n
		bound := "+Inf"
		if i < len(f.bounds) {
			bound = decimal(f.bounds[i])
		}
		line("_bucket", strings.TrimPrefix(labels+`,le="`+bound+`"`, ","), float64(upTo))
	}
	line("_sum", labels, v.sum)
	line("_count", labels, float64(upTo))
}

func decimal(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
