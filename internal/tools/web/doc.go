// Package web has the tools that use the network: web_search, wikipedia,
// web_scraper, and any HTTP service as a tool.
//
//	scraper, err := web.NewScraper(web.ScraperConfig{})
//	weather, err := web.NewService(web.ServiceConfig{
//		Name: "getWeather", URL: template, // of https://api.example.com/weather?city={city}
//	})
//
// Through package guard they reach only public addresses, unless their config
// opens a host. Their results are untrusted text: data for a model, and never an
// instruction to the program.
package web
