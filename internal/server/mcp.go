package server

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/mcp"
)

// toolTimeout is the time limit of an agent that is called as a tool.
const toolTimeout = 10 * time.Minute

// An mcpOffer offers the agents as tools of MCP servers, each with a message as its only
// argument. Every principal has a server of its own, with limits of its own, and so nobody can use the
// sessions of others. They are made anew when the agents change.
type mcpOffer struct {
	mu      sync.Mutex
	of      []*Agent
	tools   []runtime.Tool
	servers map[string]*mcpServer // by principal
}

type mcpServer struct {
	http.Handler
	end  context.CancelFunc
	last time.Time
}

// maxMCPServers is how many principals can have an MCP server. Another one ends that which was not
// used for the longest time.
const maxMCPServers = 1000

// principalKey is the key of the principal in the context of a call.
type principalKey struct{}

// serveMCP answers a request of an MCP client.
func (s *Server) serveMCP(w http.ResponseWriter, r *http.Request, who Principal) *problem {
	agents, _, done := s.o.Catalog.use()
	defer done()
	handler, err := s.offer.current(s, agents, who)
	if err != nil {
		return problemOf(err, func(text string) string { return text })
	}
	handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), principalKey{}, who)))
	return nil
}

// current returns the server of a principal with the agents of now.
func (m *mcpOffer) current(s *Server, agents []*Agent, who Principal) (http.Handler, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.servers == nil || !slices.Equal(m.of, agents) {
		if err := m.change(s, agents); err != nil {
			return nil, err
		}
	}
	own := m.servers[who.Name]
	if own == nil {
		if len(m.servers) >= maxMCPServers {
			m.endOldest()
		}
		ctx, end := context.WithCancel(s.runs)
		handler, err := mcp.Handler(ctx, mcp.ServeOptions{Name: "gramc", Version: s.o.Version, Tools: m.tools})
		if err != nil {
			end()
			return nil, err
		}
		own = &mcpServer{Handler: handler, end: end}
		m.servers[who.Name] = own
	}
	own.last = time.Now()
	return own, nil
}

// change offers other agents, and ends the servers of those before.
func (m *mcpOffer) change(s *Server, agents []*Agent) error {
	var tools []runtime.Tool
	for _, a := range agents {
		t, err := AgentTool(a.Name, a.Description, func(ctx context.Context, message string) (string, error) {
			who, _ := ctx.Value(principalKey{}).(Principal)
			return s.answer(ctx, who, a.Name, message)
		})
		if err != nil {
			return err
		}
		tools = append(tools, t)
	}
	for _, old := range m.servers {
		old.end()
	}
	m.of, m.tools, m.servers = agents, tools, map[string]*mcpServer{}
	return nil
}

func (m *mcpOffer) endOldest() {
	oldest := ""
	for name, one := range m.servers {
		if o := m.servers[oldest]; o == nil || one.last.Before(o.last) {
			oldest = name
		}
	}
	m.servers[oldest].end()
	delete(m.servers, oldest)
}

// AgentTool returns an agent as a tool that takes a message and returns the answer.
func AgentTool(name, description string, answer func(ctx context.Context, message string) (string, error)) (runtime.Tool, error) {
	type question struct {
		Message string `json:"message" jsonschema_description:"The message to the agent"`
	}
	t, err := runtime.Func(name, cmp.Or(description, "The agent "+name), func(ctx context.Context, q question) (string, error) {
		return answer(ctx, q.Message)
	})
	if err != nil {
		return t, err
	}
	c := t.Config()
	c.Timeout = toolTimeout
	return runtime.NewTool(c)
}

// answer returns what an agent answers to a message outside of any conversation.
func (s *Server) answer(ctx context.Context, who Principal, name, message string) (string, error) {
	agents, _, done := s.o.Catalog.use()
	agent := named(agents, name)
	if agent == nil || s.ending.Err() != nil {
		done()
		return "", errors.New("the agent is not served any more")
	}
	var content string
	var failure error
	run, err := s.hub.begin(ctx, &newRun{agent: agent, release: done, user: who.Name, message: runtime.UserMessage(message),
		observe: func(e *interp.Event, err error) {
			switch {
			case err != nil:
				failure = err
			case e.Kind == interp.EventAnswer:
				content = e.Answer.Content
			}
		}})
	if err != nil {
		return "", err
	}
	run.makeFor(ctx)
	switch {
	case errors.Is(failure, interp.ErrWaiting):
		return "", errors.New("a call needs the approval of a person: the run " + run.id + " waits for it")
	case failure != nil:
		return "", errors.New(withoutAddresses(agent.Redact(failure.Error())))
	}
	return content, nil
}
