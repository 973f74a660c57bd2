// Package web holds the tools that go out to the network: web_search,
// wikipedia, web_scraper, and any HTTP service as a tool.
//
//	scraper, err := web.NewScraper(web.ScraperConfig{})
//	weather, err := web.NewService(web.ServiceConfig{
//		Name: "getWeather", URL: "https://api.example.com/weather?city={city}",
//	})
//
// All of them reach public addresses only, by package guard, unless their
// config opens a host. What they bring back is text of strangers: data for a
// model, and never an instruction to the program.
package web
