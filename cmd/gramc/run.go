package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/compat"
	"github.com/gram-lang/gramc/internal/telemetry"
	"github.com/gram-lang/gramc/internal/terminal"
	"github.com/gram-lang/gramc/internal/trace"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
	"github.com/gram-lang/gramc/runtime/openai"
)

// A runner is one use of the command run.
type runner struct {
	*cli

	agentName                     string
	model                         string
	offline                       bool
	mode                          flagChoice
	bind                          bindMode
	asJSON                        bool
	loop                          interp.Options
	maxRetries                    int
	timeout                       time.Duration
	startTimeout, responseTimeout time.Duration
	functions                     bool
	approve                       []string
	libraryNames                  []string
	traceName                     string
	attach                        []string
	messageFlags                  []string
	quiet                         bool
	budget                        budgetFlags
	keeping                       keepFlags
	recorded                      recordFlags

	agent      *interp.Agent
	agentFiles []trace.File     // from which the agent was read
	pinned     *compile.Program // of the session that goes on; nil for an agent in a file
	messages   []string
	attached   []runtime.Attachment // to the first message
	readsStdin bool                 // some message comes from standard input
	trace      *traceFile           // nil without --trace
	telemetry  *telemetry.Telemetry // nil unless the environment asks for it
	spans      *telemetry.Run       // of the last message; nil without telemetry
	used       []runtime.Invocation // for the message that failed
	account    *interp.Account      // of all messages; nil offline
	before     interp.Spent         // until the last message
	tools      *host.Set
	stream     *terminal.AnswerStream

	conversation string // its id in telemetry
}

// usualRetries is how often a failed request is repeated.
const usualRetries = 3

func newRunner(c *cli) *runner {
	return &runner{cli: c, stream: terminal.NewAnswerStream(c.out), mode: flagChoice{string(interp.ModeAuto), "auto,ast,ir"}}
}

func (c *cli) runCommand() *cobra.Command {
	r := newRunner(c)
	cmd := command("run FILE [MESSAGE...]", nil, func(cmd *cobra.Command, words []string) error {
		if len(words) == 0 {
			return errors.New("name the file of the agent, and then the message, or none to talk to it")
		}
		for _, name := range []string{"agent", "model", "base-url", "trace", "record", "replay"} {
			if f := cmd.Flag(name); f.Changed && f.Value.String() == "" {
				return fmt.Errorf("--%s is empty; leave it out, or give it a value", name)
			}
		}
		if cmd.Flag("max-turns").Changed && r.loop.MaxTurns < 1 {
			return fmt.Errorf("--max-turns must be 1 or more; it is %d", r.loop.MaxTurns)
		}
		if cmd.Flag("timeout").Changed && r.timeout <= 0 {
			return fmt.Errorf("--timeout must be positive, such as 30s; it is %s", r.timeout)
		}
		var err error
		if r.account, err = r.budget.account(cmd); err != nil {
			return err
		}
		if r.offline {
			r.account = nil
		}
		r.keeping.flags = cmd.Flags()
		return r.run(words[0], words[1:])
	})
	r.addFlags(cmd)
	r.keeping.add(cmd)
	c.state.add(cmd)
	return cmd
}

func (r *runner) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&r.agentName, "agent", "", "the agent to run, if the file has several")
	f.StringVar(&r.model, "model", "", "use this model, such as OpenAI/gpt-5.4, instead of the agent's")
	f.StringVar(&r.baseURL, "base-url", "", "the base URL of the model API, such as http://localhost:8080/v1")
	f.BoolVar(&r.offline, "offline", false, "call no model; fixed rules choose the tools")
	r.mode.add(cmd, "mode", "what runs: ast is the syntax tree, ir the compiled program")
	r.bind.addFlag(cmd)
	f.BoolVar(&r.asJSON, "json", false, "write one line of JSON for each message")
	f.IntVar(&r.loop.MaxTurns, "max-turns", 0, "requests to the model for each message (default that of the agent, or 10)")
	f.IntVar(&r.maxRetries, "max-retries", usualRetries, "how often a failed request is repeated")
	f.DurationVar(&r.loop.ToolTimeout, "tool-timeout", runtime.DefaultToolTimeout, "how long a tool may take")
	f.DurationVar(&r.startTimeout, "start-timeout", openai.DefaultStartTimeout, "how long a response of the model may take to begin")
	f.DurationVar(&r.responseTimeout, "response-timeout", openai.DefaultTimeout, "how long a response of the model may take")
	f.DurationVar(&r.timeout, "timeout", 0, "how long everything may take (default no limit)")
	f.BoolVar(&r.loop.FailOnToolError, "fail-on-tool-error", false, "end the run when a tool fails, instead of reporting it to the model")
	f.StringArrayVar(&r.approve, "approve", nil, "allow calls of this `TOOL` without asking; all means every tool")
	f.StringArrayVarP(&r.messageFlags, "message", "m", nil, "send this `MESSAGE`; may be repeated")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "show only the responses, and errors")
	f.StringVar(&r.traceName, "trace", "", "write events to `FILE`, one line of JSON each")
	f.StringVar(&r.recorded.record, "record", "", "record the requests to the model and its responses in `FILE`")
	f.BoolVar(&r.recorded.tools, "record-tools", false, "record the calls of tools and their results too")
	f.StringVar(&r.recorded.replay, "replay", "", "take the responses from the recording `FILE`, and call no model")
	f.IntVar(&r.loop.Parallel, "parallel", 8, "how many tool calls of one response may run in parallel")
	f.BoolVar(&r.functions, "functions", false, "use the older functions protocol, for servers without tools")
	f.StringArrayVar(&r.attach, "attach", nil, "send the image or `FILE` along with the first message; may be repeated")
	r.budget.add(cmd)
	addLibraryFlag(cmd, &r.libraryNames, "take the tools that the agent calls from the library `FILE`; may be repeated")
}

func (r *runner) run(file string, words []string) error {
	if err := r.checkFlags(); err != nil {
		return err
	}
	if err := r.loadAgent(file); err != nil {
		return err
	}
	if err := r.readMessages(words); err != nil {
		return err
	}
	if err := r.readAttachments(); err != nil {
		return err
	}
	libraries, err := r.readLibraries(r.libraryNames)
	if silent(err) {
		return r.refuseFile("there are errors in the libraries")
	}
	if err != nil {
		return err
	}
	lock, err := r.readLock("", file)
	if err != nil {
		return err
	}
	if err := r.openKeeping(file); err != nil {
		return err
	}
	defer r.closeKeeping()
	if r.trace, err = r.openTrace("--trace", r.traceName); err != nil {
		return err
	}
	defer r.trace.close()
	defer r.startTelemetry()()
	if err := r.openRecording(); err != nil {
		return err
	}
	err = r.answer(file, libraries, lock)
	return cmp.Or(r.closeRecording(), err)
}

// answer sends the messages, or talks where there are none.
func (r *runner) answer(file string, libraries []*library.Library, lock *compat.Lock) error {
	if len(r.messages) == 0 {
		return r.talk(file, libraries, lock)
	}
	return r.finish(libraries, lock)
}

// finish sends the messages.
func (r *runner) finish(libraries []*library.Library, lock *compat.Lock) error {
	if r.offline && !r.quiet {
		r.note("offline: no model is called; the answers come from fixed rules")
	}
	ctx, stop := interruptible()
	defer stop()
	ctx, cancel := r.runContext(ctx)
	defer cancel()
	if err := r.openTools(ctx, libraries, lock); err != nil {
		return err
	}
	defer r.closeSet(r.tools)
	err := r.converse(ctx)
	if spent := r.account.Spent(); (spent.Tokens > 0 || r.budget.limited()) && !r.asJSON && !r.quiet {
		r.note(r.recorded.spentThen() + spentText(spent))
	}
	return err
}

// runContext returns the context of a run, which ends after --timeout.
func (r *runner) runContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.timeout > 0 {
		return context.WithTimeout(ctx, r.timeout)
	}
	return ctx, func() {}
}

func (r *runner) checkFlags() error {
	if r.offline && len(r.attach) > 0 {
		return errors.New("--offline calls no model, so --attach has no effect; use one of them")
	}
	if r.offline && r.baseURL != "" {
		return errors.New("--offline calls no model, so --base-url has no effect; use one of them")
	}
	if err := checkURLFlag(r.baseURL); err != nil {
		return err
	}
	if err := r.checkRecordFlags(); err != nil {
		return err
	}
	if err := r.checkKeepFlags(); err != nil {
		return err
	}
	if r.maxRetries < 0 {
		return fmt.Errorf("--max-retries must be 0 or more; it is %d", r.maxRetries)
	}
	if r.loop.Parallel < 1 {
		return fmt.Errorf("--parallel must be 1 or more; it is %d", r.loop.Parallel)
	}
	if r.loop.ToolTimeout <= 0 {
		return fmt.Errorf("--tool-timeout must be positive, such as 30s; it is %s", r.loop.ToolTimeout)
	}
	if r.startTimeout <= 0 || r.responseTimeout <= 0 {
		return errors.New("--start-timeout and --response-timeout must be positive, such as 10m")
	}
	return nil
}

// readMessages takes the messages from the command line and standard input. There
// are none for a conversation.
func (r *runner) readMessages(words []string) error {
	if len(r.messageFlags) > 0 {
		if len(words) > 0 {
			return errors.New("write the messages after the file, or with --message, not both")
		}
		words = r.messageFlags
	}
	if len(words) == 0 {
		if r.canTalk() {
			return nil
		}
		if isTerminal(r.in) {
			return errNoMessage
		}
		words = []string{stdinName}
	}
	for _, word := range words {
		if word == stdinName {
			r.readsStdin = true
			text, err := r.readStdin()
			if err != nil {
				return err
			}
			if len(text) > grammar.MaxSize {
				return fmt.Errorf("standard input: a message has at most %d bytes", grammar.MaxSize)
			}
			word = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
			if len(words) == 1 && strings.TrimSpace(word) == "" {
				return errNoMessage
			}
		}
		if !utf8.ValidString(word) {
			return errors.New("a message is not UTF-8 text")
		}
		r.messages = append(r.messages, word)
	}
	return nil
}

var errNoMessage = errors.New(`there is no message for the agent; write it after the file, or to standard input`)

func (r *runner) options() *interp.Options {
	o := r.loop
	o.Bind, o.Approve, o.Stream = r.bind.mode(), r.traced(r.approver()), r.streams()
	r.keeping.hook(&o)
	return &o
}

// streams reports whether an answer is shown while it arrives: text for a person, not
// JSON for a program.
func (r *runner) streams() bool {
	return isTerminal(r.unbuffered) && !r.asJSON && len(r.agent.Returns) == 0
}
