package telemetry

import (
	"context"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"

	"github.com/gram-lang/gramc/runtime"
)

// Meters count what requests take. The zero value counts nothing.
type meters struct {
	tokens   metric.Int64Histogram
	duration metric.Float64Histogram
}

// newMeters makes the instruments, with the boundaries of the conventions.
func newMeters(m metric.Meter) (c meters, err error) {
	c.tokens, err = m.Int64Histogram("gen_ai.client.token.usage",
		metric.WithUnit("{token}"), metric.WithDescription("Number of input and output tokens used."),
		metric.WithExplicitBucketBoundaries(1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864))
	if err != nil {
		return meters{}, err
	}
	c.duration, err = m.Float64Histogram("gen_ai.client.operation.duration",
		metric.WithUnit("s"), metric.WithDescription("GenAI operation duration."),
		metric.WithExplicitBucketBoundaries(.01, .02, .04, .08, .16, .32, .64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92))
	if err != nil {
		return meters{}, err
	}
	return c, nil
}

// count counts a request to a model.
func (c meters) count(about []attribute.KeyValue, took time.Duration, spent runtime.Usage, failure string) {
	if c.duration == nil {
		return
	}
	about = about[:len(about):len(about)]
	for kind, n := range map[string]int64{"input": spent.Input, "output": spent.Output} {
		if n > 0 {
			c.tokens.Record(context.Background(), n, metric.WithAttributes(append(about, tokenType.String(kind))...))
		}
	}
	if failure != "" {
		about = append(about, errorType.String(failure))
	}
	c.duration.Record(context.Background(), took.Seconds(), metric.WithAttributes(about...))
}

// A metricExporter sends the histograms above.
type metricExporter struct {
	to          *destination
	faults      *faults
	temporality sdkmetric.TemporalitySelector
}

func newMetricExporter(env Environment, to *destination, f *faults) *metricExporter {
	e := &metricExporter{to, f, sdkmetric.CumulativeTemporalitySelector}
	switch strings.ToLower(env.get("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE")) {
	case "delta":
		e.temporality = sdkmetric.DeltaTemporalitySelector
	case "lowmemory":
		e.temporality = sdkmetric.LowMemoryTemporalitySelector
	}
	return e
}

// Temporality, Aggregation, Export, ForceFlush and Shutdown are what the SDK asks for.
func (e *metricExporter) Temporality(k sdkmetric.InstrumentKind) metricdata.Temporality {
	return e.temporality(k)
}

func (*metricExporter) Aggregation(k sdkmetric.InstrumentKind) sdkmetric.Aggregation {
	return sdkmetric.DefaultAggregationSelector(k)
}

func (e *metricExporter) Export(ctx context.Context, m *metricdata.ResourceMetrics) error {
	data := &metricspb.ResourceMetrics{Resource: &resourcepb.Resource{Attributes: keyValues(m.Resource.Attributes())}, SchemaUrl: m.Resource.SchemaURL()}
	for _, s := range m.ScopeMetrics {
		of := &metricspb.ScopeMetrics{Scope: &commonpb.InstrumentationScope{Name: s.Scope.Name, Version: s.Scope.Version}, SchemaUrl: s.Scope.SchemaURL}
		for _, one := range s.Metrics {
			if h := histogramOf(one.Data); h != nil {
				of.Metrics = append(of.Metrics, &metricspb.Metric{Name: one.Name, Description: one.Description, Unit: one.Unit, Data: &metricspb.Metric_Histogram{Histogram: h}})
			}
		}
		data.ScopeMetrics = append(data.ScopeMetrics, of)
	}
	if len(data.ScopeMetrics) > 0 {
		e.faults.add(e.to.send(ctx, &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{data}}))
	}
	return nil
}

func (*metricExporter) ForceFlush(context.Context) error { return nil }
func (*metricExporter) Shutdown(context.Context) error   { return nil }

// histogramOf returns a histogram as OTLP has it; nil for data of another kind.
func histogramOf(data metricdata.Aggregation) *metricspb.Histogram {
	switch h := data.(type) {
	case metricdata.Histogram[int64]:
		return histogram(h)
	case metricdata.Histogram[float64]:
		return histogram(h)
	}
	return nil
}

func histogram[N int64 | float64](h metricdata.Histogram[N]) *metricspb.Histogram {
	out := &metricspb.Histogram{AggregationTemporality: metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE}
	if h.Temporality == metricdata.DeltaTemporality {
		out.AggregationTemporality = metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA
	}
	for _, p := range h.DataPoints {
		sum := float64(p.Sum)
		point := &metricspb.HistogramDataPoint{
			Attributes:        keyValues(p.Attributes.ToSlice()),
			StartTimeUnixNano: uint64(p.StartTime.UnixNano()), TimeUnixNano: uint64(p.Time.UnixNano()),
			Count: p.Count, Sum: &sum, BucketCounts: p.BucketCounts, ExplicitBounds: p.Bounds,
		}
		if least, ok := p.Min.Value(); ok {
			value := float64(least)
			point.Min = &value
		}
		if most, ok := p.Max.Value(); ok {
			value := float64(most)
			point.Max = &value
		}
		out.DataPoints = append(out.DataPoints, point)
	}
	return out
}

// keyValues returns attributes as OTLP has them; those of the resource may be of any kind, and
// lists among them become text.
func keyValues(attributes []attribute.KeyValue) (out []*commonpb.KeyValue) {
	for _, a := range attributes {
		v := &commonpb.AnyValue{}
		switch a.Value.Type() {
		case attribute.INT64:
			v.Value = &commonpb.AnyValue_IntValue{IntValue: a.Value.AsInt64()}
		case attribute.FLOAT64:
			v.Value = &commonpb.AnyValue_DoubleValue{DoubleValue: a.Value.AsFloat64()}
		case attribute.BOOL:
			v.Value = &commonpb.AnyValue_BoolValue{BoolValue: a.Value.AsBool()}
		default:
			v.Value = &commonpb.AnyValue_StringValue{StringValue: a.Value.String()}
		}
		out = append(out, &commonpb.KeyValue{Key: string(a.Key), Value: v})
	}
	return out
}
