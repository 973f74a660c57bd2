package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/internal/tools/web"
	"github.com/gram-lang/gramc/runtime"
)

func ExampleNewService() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"now": {"text": "sunny in %s"}}`, r.URL.Query().Get("city"))
	}))
	defer server.Close()

	url, _, _ := template.Parse(server.URL+"/weather?city={city}", true)
	weather, err := web.NewService(web.ServiceConfig{
		Name:        "getWeather",
		Description: "The weather in a city",
		Input:       json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`),
		URL:         url,
		Result:      "/now/text",
		AllowHosts:  []string{strings.TrimPrefix(server.URL, "http://")},
	})
	if err != nil {
		panic(err)
	}
	result, err := weather.Invoke(context.Background(), json.RawMessage(`{"city":"Köln & Bonn"}`), runtime.DefaultToolTimeout)
	fmt.Println(string(result), err)
	// Output: "sunny in Köln & Bonn" <nil>
}
