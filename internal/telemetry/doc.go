// Package telemetry sends runs of agents to an OpenTelemetry collector: spans and metrics of
// the semantic conventions for generative AI, version 1.41.0, by OTLP over HTTP in protobuf.
// It does nothing unless the standard variables OTEL_… ask for it.
//
// The official client of OTLP registers gRPC when a program starts, even for HTTP, which takes
// 0.5 ms of every start, and brings html/template. So the official SDK and exporter are used,
// and only the request over HTTP is made here.
package telemetry
