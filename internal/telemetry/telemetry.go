package telemetry

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// What sends, and by which conventions.
const (
	scope     = "github.com/gram-lang/gramc"
	schemaURL = "https://opentelemetry.io/schemas/1.41.0"
)

// flushTime is how long the end of a program waits for a collector.
const flushTime = 3 * time.Second

// A Telemetry sends runs. Any number of runs may share it. A nil *Telemetry sends nothing.
type Telemetry struct {
	tracer  trace.Tracer
	meters  meters
	content bool
	faults  *faults
	stop    []func(context.Context) error
	flush   time.Duration // how long Close may take
}

// Start returns what sends telemetry as the environment asks; nil if it asks for none. The
// SDK reads the variables of its own, such as OTEL_SERVICE_NAME, from the environment of the
// process. What is wrong is said by Close: telemetry never disturbs a run.
func Start(env Environment, version string) *Telemetry {
	if !Wanted(env) {
		return nil
	}
	t := &Telemetry{tracer: noop.NewTracerProvider().Tracer(scope), content: capturesContent(env), faults: &faults{}, flush: flushTime}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(t.faults.add))
	about, err := resource.New(context.Background(),
		resource.WithAttributes(attribute.String("service.name", "gramc"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	t.faults.add(err)
	if wants(env, traces) {
		t.faults.add(t.startTraces(env, about, version))
	}
	if wants(env, metrics) {
		t.faults.add(t.startMetrics(env, about, version))
	}
	return t
}

func (t *Telemetry) startTraces(env Environment, about *resource.Resource, version string) error {
	to, err := newDestination(env, traces)
	if err != nil {
		return err
	}
	exporter, err := otlptrace.New(context.Background(), traceClient{to, t.faults})
	if err != nil {
		return err
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	t.tracer = provider.Tracer(scope, trace.WithInstrumentationVersion(version), trace.WithSchemaURL(schemaURL))
	t.stop = append(t.stop, provider.Shutdown)
	return nil
}

func (t *Telemetry) startMetrics(env Environment, about *resource.Resource, version string) error {
	to, err := newDestination(env, metrics)
	if err != nil {
		return err
	}
	reader := sdkmetric.NewPeriodicReader(newMetricExporter(env, to, t.faults))
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader), sdkmetric.WithResource(about))
	meter := provider.Meter(scope, metric.WithInstrumentationVersion(version), metric.WithSchemaURL(schemaURL))
	t.stop = append(t.stop, provider.Shutdown)
	t.meters, err = newMeters(meter)
	return err
}

// NewConversation returns an id for the runs of a conversation.
func NewConversation() string { return rand.Text() }

// Close sends what is left, for at most 3 seconds. The error is the first that was met.
func (t *Telemetry) Close() error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), t.flush)
	defer cancel()
	var ending sync.WaitGroup
	for _, stop := range t.stop {
		ending.Go(func() {
			if err := stop(ctx); err != nil && ctx.Err() != nil {
				t.faults.add(fmt.Errorf("the collector took longer than %s", t.flush))
			} else {
				t.faults.add(err)
			}
		})
	}
	ending.Wait()
	return t.faults.first()
}

// Faults are what went wrong. They may be shared.
type faults struct {
	mu  sync.Mutex
	err error
}

func (f *faults) add(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
}

func (f *faults) first() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}
