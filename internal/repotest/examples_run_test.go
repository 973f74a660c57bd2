package repotest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/offline"
)

// loadExample returns the only agent of an example, ready to run.
func loadExample(t *testing.T, name string) *interp.Agent {
	t.Helper()
	file := exampleFile(t, name)
	agent, problems := interp.Load(file.File, "", interp.ModeIR, &compile.Options{Imported: file.Trees()})
	if agent == nil {
		t.Fatal(printed(problems))
	}
	return agent
}

// adopted adds a Go function that takes description and schemas from the gram
// file: what the file promises of arguments and results is checked around it.
func adopted[In, Out any](t *testing.T, lib runtime.Library, name string, fn func(In) (Out, error)) runtime.Library {
	t.Helper()
	tool, err := runtime.NewTool(runtime.ToolConfig{
		Name: name, Adopt: true,
		Execute: func(_ context.Context, args json.RawMessage) (json.RawMessage, error) {
			var in In
			if err := json.Unmarshal(args, &in); err != nil {
				return nil, err
			}
			out, err := fn(in)
			if err != nil {
				return nil, err
			}
			return json.Marshal(out)
		},
	})
	if err == nil {
		lib, err = lib.Add(name, tool)
	}
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// ask lets an agent answer one message.
func ask(t *testing.T, a *interp.Agent, message string, lib runtime.Library, m runtime.Model) *interp.AgentResponse {
	t.Helper()
	bound, err := interp.Bind(a, lib, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := bound.Run(t.Context(), message, nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// used lists the calls of an answer: the tool, and what became of it.
func used(answer *interp.AgentResponse) []string {
	var list []string
	for _, call := range answer.ToolsUsed {
		if call.Err != nil {
			list = append(list, call.Tool+" failed: "+call.Err.Message)
			continue
		}
		list = append(list, call.Tool+" → "+string(call.Result))
	}
	return list
}

func call(tool, args string) runtime.Response {
	return runtime.Response{Calls: []runtime.Call{{ID: tool, Name: tool, Args: json.RawMessage(args)}}, Finish: "tool_calls"}
}

func say(text string) runtime.Response { return runtime.Response{Content: text, Finish: "stop"} }

// The shop behind examples/support.
type (
	money struct {
		Cents    int    `json:"cents"`
		Currency string `json:"currency"`
	}
	orderLine struct {
		SKU      string `json:"sku"`
		Title    string `json:"title"`
		Quantity int    `json:"quantity"`
		Price    money  `json:"price"`
	}
	order struct {
		ID          string      `json:"id"`
		Status      string      `json:"status"`
		PlacedOn    string      `json:"placedOn"`
		DeliveredOn *string     `json:"deliveredOn"`
		Lines       []orderLine `json:"lines"`
		Total       money       `json:"total"`
	}
	article struct {
		Title   string `json:"title"`
		URL     string `json:"url"`
		Excerpt string `json:"excerpt"`
	}
	refund struct {
		ID        string `json:"id"`
		Amount    money  `json:"amount"`
		ArrivesOn string `json:"arrivesOn"`
	}
)

type refundArgs struct {
	OrderID string
	Scope   struct {
		Kind   string
		SKUs   []string
		Amount *money
	}
	Reason string
}

// shop returns the tools of the support agent. Two of them bring schemas of
// their own, which must be those of the file.
func shop(t *testing.T) runtime.Library {
	t.Helper()
	orders := map[string]order{"A-10442": {
		ID: "A-10442", Status: "shipped", PlacedOn: "2026-11-02",
		Lines: []orderLine{{"B-77", "A Field Guide to Mosses", 1, money{1850, "EUR"}}, {"B-12", "Tides", 2, money{900, "EUR"}}},
		Total: money{3650, "EUR"},
	}}
	lib := adopted(t, runtime.Library{}, "findOrder", func(in struct{ OrderID string }) (*order, error) {
		if o, ok := orders[in.OrderID]; ok {
			return &o, nil
		}
		return nil, nil
	})
	lib = adopted(t, lib, "refundOrder", func(in refundArgs) (refund, error) {
		o, amount := orders[in.OrderID], money{0, "EUR"}
		switch in.Scope.Kind {
		case "order":
			amount = o.Total
		case "goodwill":
			amount = *in.Scope.Amount
		default:
			for _, line := range o.Lines {
				for _, sku := range in.Scope.SKUs {
					if line.SKU == sku {
						amount.Cents += line.Quantity * line.Price.Cents
					}
				}
			}
		}
		return refund{"R-1", amount, "2026-11-24"}, nil
	})
	lib = adopted(t, lib, "openTicket", func(in struct{ Subject, Priority string }) (string, error) {
		if in.Priority != "normal" {
			return "", errors.New("the default is not filled in")
		}
		return "T-9", nil
	})
	lib, err := runtime.AddFunc(lib, "searchKnowledge", "Searches the articles of the help pages",
		func(_ context.Context, in struct {
			Question string `json:"question"`
			Limit    int    `json:"limit" jsonschema:"minimum=1,maximum=10,default=3"`
		}) ([]article, error) {
			return []article{{"Shipping", "https://halden.example/help/shipping", "Parcels take two to four days."}}[:min(1, in.Limit)], nil
		})
	if err == nil {
		lib, err = runtime.AddFunc(lib, "escalate", "Hands the conversation over to a person, at once",
			func(context.Context, struct {
				Summary string `json:"summary"`
				Team    string `json:"team" jsonschema:"enum=billing,enum=logistics,enum=legal"`
			}) (int, error) {
				return 4, nil
			})
	}
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

func TestTheSupportExampleRunsWithoutAModel(t *testing.T) {
	agent, lib := loadExample(t, "examples/support/agent.gram"), shop(t)
	for message, want := range map[string]string{
		"Please find order A-10442":                   `findOrder → {"id":"A-10442","status":"shipped"`,
		"Please find order A-99999":                   `findOrder → null`,
		"I search knowledge: how long is shipping?":   `searchKnowledge → [{"title":"Shipping"`,
		"Open ticket: my book has wet pages":          `openTicket → "T-9"`,
		"Escalate this to legal, my lawyer says":      `escalate → 4`,
		"Refund order A-10442, all of it, it is late": `refundOrder → {"id":"R-1","amount":{"cents":3650,"currency":"EUR"}`,
	} {
		answer := ask(t, agent, message, lib, offline.New())
		if calls := used(answer); len(calls) != 1 || !strings.HasPrefix(calls[0], want) {
			t.Errorf("%s: %q, want %s…", message, calls, want)
		}
		if !strings.HasPrefix(answer.Content, "[offline] ") {
			t.Errorf("%s: %s", message, answer.Content)
		}
	}
}

func TestTheSupportExampleHoldsTheModelToItsTypes(t *testing.T) {
	agent, lib := loadExample(t, "examples/support/agent.gram"), shop(t)
	model := runtime.NewScript(
		call("findOrder", `{"orderId": "10442"}`),
		call("findOrder", `{"orderId": "A-10442"}`),
		call("openTicket", `{"subject": "Hm", "details": "It is late."}`),
		call("refundOrder", `{"orderId": "A-10442", "scope": {"kind": "lines", "skus": ["B-12"]}, "reason": "damaged"}`),
		say("18.00 EUR come back by November 24."),
	)
	answer := ask(t, agent, "One of the books of order 10442 is damaged.", lib, model)
	want := []string{
		`findOrder failed: invalid arguments: /orderId: expected text that matches ^[A-Z]-[0-9]{5}$, found the string "10442"`,
		`findOrder → {"id":"A-10442","status":"shipped","placedOn":"2026-11-02","deliveredOn":null,"lines":[` +
			`{"sku":"B-77","title":"A Field Guide to Mosses","quantity":1,"price":{"cents":1850,"currency":"EUR"}},` +
			`{"sku":"B-12","title":"Tides","quantity":2,"price":{"cents":900,"currency":"EUR"}}],"total":{"cents":3650,"currency":"EUR"}}`,
		`openTicket failed: invalid arguments: /subject: expected at least 5 characters, found 2`,
		`refundOrder → {"id":"R-1","amount":{"cents":1800,"currency":"EUR"},"arrivesOn":"2026-11-24"}`,
	}
	if diff := cmp.Diff(want, used(answer)); diff != "" {
		t.Error(diff)
	}
	request := model.Requests()[0]
	if len(request.Tools) != 5 || request.Temperature == nil || *request.Temperature != 0.2 || request.MaxTokens != 800 {
		t.Errorf("%d tools, temperature %v, at most %d tokens", len(request.Tools), request.Temperature, request.MaxTokens)
	}
}

// The web behind examples/research.
type (
	webPage struct {
		URL       string  `json:"url"`
		Title     string  `json:"title"`
		Published *string `json:"published"`
		Text      string  `json:"text"`
	}
	webNote struct {
		Source string `json:"source"`
		Quote  string `json:"quote"`
		About  string `json:"about"`
	}
)

// desk returns the tools of the researcher, with one page to read.
func desk(t *testing.T) runtime.Library {
	t.Helper()
	const url = "https://tides.example/neap"
	var notes []webNote
	lib := adopted(t, runtime.Library{}, "searchWeb", func(in struct{ Results int }) ([]map[string]string, error) {
		if in.Results != 8 {
			return nil, errors.New("the default is not filled in")
		}
		return []map[string]string{{"url": url, "title": "Neap tides", "snippet": "…a neap tide…"}}, nil
	})
	lib = adopted(t, lib, "readPage", func(in struct{ URL string }) (webPage, error) {
		if in.URL != url {
			return webPage{}, errors.New("there is no such page")
		}
		return webPage{URL: url, Title: "Neap tides", Text: "A neap tide comes seven days after a spring tide."}, nil
	})
	lib = adopted(t, lib, "saveNote", func(in struct{ Note webNote }) (int, error) {
		notes = append(notes, in.Note)
		return len(notes), nil
	})
	lib = adopted(t, lib, "findNotes", func(struct{ About string }) ([]webNote, error) { return notes, nil })
	return adopted(t, lib, "citeSource", func(in struct{ URL, Style string }) (string, error) {
		return in.Style + ": " + in.URL, nil
	})
}

// report is an answer of the researcher. Claims without a source are none.
func report(sources string) string {
	return `{"question": "When is a neap tide?", "summary": "A week after a spring tide.",
		"claims": [{"text": "It comes seven days after a spring tide.", "sources": ` + sources + `, "confidence": "medium"}],
		"openQuestions": [], "sources": [{"number": 1, "url": "https://tides.example/neap", "citation": "apa: https://tides.example/neap"}]}`
}

func TestTheResearchExampleAnswersWithAReport(t *testing.T) {
	agent := loadExample(t, "examples/research/agent.gram")
	model := runtime.NewScript(
		call("searchWeb", `{"query": "neap tide"}`),
		call("readPage", `{"url": "tides.example/neap"}`),
		call("readPage", `{"url": "https://tides.example/neap"}`),
		call("saveNote", `{"note": {"source": "https://tides.example/neap", "quote": "seven days after a spring tide", "about": "when"}}`),
		call("findNotes", `{}`),
		call("citeSource", `{"url": "https://tides.example/neap"}`),
		say(report(`[]`)),
		say("```json\n"+report(`[1]`)+"\n```"),
	)
	answer := ask(t, agent, "When is a neap tide?", desk(t), model)
	want := []string{
		`searchWeb → [{"snippet":"…a neap tide…","title":"Neap tides","url":"https://tides.example/neap"}]`,
		`readPage failed: invalid arguments: /url: expected a valid uri, found the string "tides.example/neap"`,
		`readPage → {"url":"https://tides.example/neap","title":"Neap tides","published":null,"text":"A neap tide comes seven days after a spring tide."}`,
		`saveNote → 1`,
		`findNotes → [{"source":"https://tides.example/neap","quote":"seven days after a spring tide","about":"when"}]`,
		`citeSource → "apa: https://tides.example/neap"`,
	}
	if diff := cmp.Diff(want, used(answer)); diff != "" {
		t.Error(diff)
	}
	if answer.Content != report(`[1]`) {
		t.Errorf("the answer is %s", answer.Content)
	}
	// The report without a source went back to the model, with the reason.
	last := model.Requests()[7].Messages
	if sent := last[len(last)-1].Content; !strings.Contains(sent, "/claims/0/sources") {
		t.Errorf("the model was sent %s", sent)
	}
}

func TestTheResearchExampleRunsWithoutAModel(t *testing.T) {
	answer := ask(t, loadExample(t, "examples/research/agent.gram"), "Search web for neap tides", desk(t), offline.New())
	if calls := used(answer); len(calls) != 1 || !strings.HasPrefix(calls[0], "searchWeb → [") {
		t.Errorf("%q", calls)
	}
	var got struct{ Claims []struct{ Sources []int } }
	if err := json.Unmarshal([]byte(answer.Content), &got); err != nil || len(got.Claims) == 0 || len(got.Claims[0].Sources) == 0 {
		t.Errorf("%v: %s", err, answer.Content)
	}
}

func TestTheInvoiceExampleRefusesWhatIsNoInvoice(t *testing.T) {
	invoice := func(date, extra string) string {
		return `{"kind": "invoice", "number": "2026-118", "issuedOn": "` + date + `", "dueOn": null, "seller": {"name": "Nordlicht GmbH", "taxId": null},
			"buyer": null, "currency": "EUR", "lines": [{"text": "Lamp", "quantity": 3, "unitPrice": 39.9, "taxRate": 19}], "net": 119.7, "tax": 22.74, "gross": 142.44` + extra + `}`
	}
	agent := loadExample(t, "examples/invoice.gram")
	for wrong, want := range map[string]string{
		invoice("02.11.2026", ""):                                            "/issuedOn",
		invoice("2026-11-02", `, "paid": true`):                              "paid",
		invoice("2026-11-02", `, "iban": "DE00"`):                            "/iban",
		strings.Replace(invoice("2026-11-02", ""), "22.74", "22.743", 1):     "/tax",
		strings.Replace(invoice("2026-11-02", ""), `"dueOn": null, `, "", 1): "dueOn",
		"Here is the invoice: …":                                             "JSON",
	} {
		model := runtime.NewScript(say(wrong), say(invoice("2026-11-02", "")))
		answer := ask(t, agent, "3 lamps, 119.70", runtime.Library{}, model)
		if answer.Content != invoice("2026-11-02", "") {
			t.Errorf("the answer is %s", answer.Content)
		}
		requests := model.Requests()
		if len(requests) != 2 {
			t.Errorf("%d requests for %s", len(requests), wrong)
			continue
		}
		last := requests[1].Messages
		if sent := last[len(last)-1].Content; !strings.Contains(sent, want) {
			t.Errorf("the model was sent %s, want %s", sent, want)
		}
		bound, err := interp.Bind(agent, runtime.Library{}, runtime.NewScript(say(wrong)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bound.Run(t.Context(), "3 lamps", nil); err == nil {
			t.Errorf("twice wrong, and no error: %s", wrong)
		}
	}
}
