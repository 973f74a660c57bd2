// Package server offers agents over HTTP: the chat completions endpoint of OpenAI, where
// each agent is a model, and what people who operate a server need: health, readiness,
// metrics, tokens, limits. It knows neither gram files nor flags.
//
// A request passes, in this order: [Server.ServeHTTP] (the host and the origin), the
// principal (access.go), the limits of the client (limit.go), and its handler.
package server
