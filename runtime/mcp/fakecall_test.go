package mcp_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// call answers a call, with a fault or with the arguments.
func (f fake) call(in *bufio.Reader, r request) {
	text := func(t string) {
		f.result(r, `{"content":[{"type":"text","text":%s}]}`, quote(t))
	}
	if f.fault == "dies-once" && f.first {
		os.Exit(9)
	}
	switch fault := f.faultOf(r); fault {
	case "dies":
		fmt.Fprintln(os.Stderr, "panic: out of memory")
		os.Exit(9)
	case "hangs":
	case "hangs-deaf":
		time.Sleep(time.Minute)
	case "closes":
		_ = os.Stdout.Close()
	case "huge":
		text(strings.Repeat("x", 9<<20))
	case "large":
		text(strings.Repeat("x", 1<<20))
	case "deep-result":
		f.result(r, `{"content":[],"structuredContent":%s1%s}`, strings.Repeat(`{"x":`, 5000), strings.Repeat("}", 5000))
	case "fails":
		f.result(r, `{"isError":true,"content":[{"type":"text","text":"no such file"}]}`)
	case "fails-mutely":
		f.result(r, `{"isError":true,"content":[]}`)
	case "error":
		f.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"quota exceeded"}}`, r.ID)
	case "invalid":
		f.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"z is wanted"}}`, r.ID)
	case "pictures":
		f.result(r, `{"content":[{"type":"text","text":"see"},{"type":"image","mimeType":"image/png","data":"AAAAAA=="},`+
			`{"type":"audio","mimeType":"audio/wav","data":"AAAA"},{"type":"resource_link","uri":"file:///x","name":"x"},`+
			`{"type":"resource","resource":{"uri":"file:///y","text":"inside"}},`+
			`{"type":"resource","resource":{"uri":"file:///z","mimeType":"application/pdf","blob":"AAAA"}}]}`)
	case "strange-content":
		f.result(r, `{"content":[{"type":"smell","text":"x"}]}`)
	case "no-content":
		f.result(r, `{}`)
	case "only-structured":
		f.result(r, `{"content":[],"structuredContent":{"b":12345678901234567890,"a":1.10}}`)
	case "number":
		f.result(r, `{"content":[{"type":"text","text":"{}"}],"structuredContent":{"n":9007199254740993}}`)
	case "number-as-text":
		text(`{"n": 5}`)
	case "no-number":
		text("five")
	case "wrong-number":
		f.result(r, `{"content":[],"structuredContent":{"n":"five"}}`)
	case "meta":
		text(string(r.Params.Meta))
	case "environment":
		text(strings.Join(os.Environ(), "\n"))
	case "floods":
		for range 20000 {
			f.send(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`)
		}
		text("after the flood")
	case "questions":
		for i := range 100000 {
			f.send(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i)
		}
		time.Sleep(time.Minute)
	case "wants-input":
		f.result(r, `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"your password?","requestedSchema":{"type":"object","properties":{}}}}}}`)
	case "asks":
		text(f.ask(in))
	default:
		text(string(r.Params.Arguments))
	}
}

// faultOf returns what the arguments ask for: {"z": "dies"}.
func (f fake) faultOf(r request) string {
	var args struct{ Z string }
	_ = json.Unmarshal(r.Params.Arguments, &args)
	return args.Z
}

// ask asks the client for what it must not give, and returns its answers.
func (f fake) ask(in *bufio.Reader) string {
	answers := []string{os.Getenv("CAPABILITIES")}
	for i, method := range []string{"ping", "sampling/createMessage", "elicitation/create", "roots/list"} {
		f.send(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"messages":[],"maxTokens":1,"message":"your password?","requestedSchema":{"type":"object","properties":{}}}}`, i+100, method)
		line, err := in.ReadBytes('\n')
		var a request
		if err != nil || json.Unmarshal(line, &a) != nil {
			return "no answer"
		}
		said := "refused"
		if a.Error == nil {
			said = string(a.Result)
		}
		answers = append(answers, method+": "+said)
	}
	return strings.Join(answers, "\n")
}

func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}
