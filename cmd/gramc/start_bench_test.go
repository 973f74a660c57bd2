package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// bareProgram sends the one request and nothing else.
const bareProgram = `package main

import (
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := strings.NewReader("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}")
	request, err := http.NewRequest("POST", os.Args[1]+"/chat/completions", body)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer key")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	io.Copy(os.Stdout, response.Body)
}
`

// BenchmarkStart measures from exec to the first request, gramc run beside a
// program that only sends the request, turn by turn.
func BenchmarkStart(b *testing.B) {
	gramc, bare, agent := startPrograms(b, bareProgram)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer listener.Close()
	answers := responsesOf("application/json", callAnswer, finalAnswer)
	asked := make(chan time.Time, 1)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			asked <- time.Now()
			go answer(conn, answers)
		}
	}()
	url := "http://" + listener.Addr().String() + "/v1"
	start := func(name string, args ...string) time.Duration {
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "OPENAI_API_KEY=key")
		begin := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		return (<-asked).Sub(begin)
	}
	var ours, theirs time.Duration
	for b.Loop() {
		ours += start(gramc, "run", agent, "--base-url", url, "Hello")
		theirs += start(bare, url)
	}
	b.ReportMetric(ours.Seconds()*1e3/float64(b.N), "gramc-ms")
	b.ReportMetric(theirs.Seconds()*1e3/float64(b.N), "bare-ms")
	b.ReportMetric(ours.Seconds()/theirs.Seconds(), "gramc/bare")
}

// readingProgram only reads a file.
const readingProgram = `package main

import "os"

func main() {
	text, err := os.ReadFile(os.Args[len(os.Args)-1])
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(text[:0])
}
`

// BenchmarkStartOfCheck measures the processor time of gramc check of a small file beside
// a program that only reads it, turn by turn.
func BenchmarkStartOfCheck(b *testing.B) {
	gramc, bare, agent := startPrograms(b, readingProgram)
	cpu := func(name string, args ...string) time.Duration {
		cmd := exec.Command(name, args...)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	var ours, theirs time.Duration
	for b.Loop() {
		ours += cpu(gramc, "check", agent)
		theirs += cpu(bare, agent)
	}
	b.ReportMetric(ours.Seconds()*1e3/float64(b.N), "gramc-ms")
	b.ReportMetric(theirs.Seconds()*1e3/float64(b.N), "bare-ms")
	b.ReportMetric(ours.Seconds()/theirs.Seconds(), "gramc/bare")
}

// startPrograms builds gramc and another program, and writes an agent.
func startPrograms(b *testing.B, program string) (gramc, other, agent string) {
	dir := b.TempDir()
	source := filepath.Join(dir, "bare.go")
	agent = filepath.Join(dir, "hello.gram")
	for file, text := range map[string]string{source: program, agent: helloAgent} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	gramc, other = filepath.Join(dir, "gramc"), filepath.Join(dir, "bare")
	for _, args := range [][]string{{"build", "-o", gramc, "."}, {"build", "-o", other, source}} {
		cmd := exec.Command("go", args...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as the README says
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	return gramc, other, agent
}
