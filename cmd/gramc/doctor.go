package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/runtime/host"
)

// A doctor is one use of the command doctor.
type doctor struct {
	*cli
	asJSON bool
	config *config
}

// A readiness is what doctor found of one thing.
type readiness struct {
	About string `json:"about"` // models, programs, sessions, files, libraries or agents
	Name  string `json:"name"`
	State state  `json:"state"`
	Note  string `json:"note"`           // what is there, or what is wrong
	Help  string `json:"help,omitempty"` // what to do about it
}

const aboutModels = "models"

// A state is how ready something is.
type state string

const (
	stateReady   state = "ready"
	stateUnused  state = "not set up" // and nothing of the project needs it
	stateMissing state = "missing"    // something of the project needs it
)

func (c *cli) doctorCommand() *cobra.Command {
	d := &doctor{cli: c}
	oneFolder := func(_ *cobra.Command, words []string) error {
		if len(words) > 1 {
			return fmt.Errorf("doctor looks at one folder, and %d are named", len(words))
		}
		return nil
	}
	cmd := command("doctor [FOLDER]", oneFolder, func(_ *cobra.Command, words []string) error {
		return d.command(cmp.Or(strings.Join(words, ""), "."))
	})
	cmd.Flags().BoolVar(&d.asJSON, "json", false, "write the findings as JSON")
	return cmd
}

func (d *doctor) command(folder string) error {
	d.config = d.readConfig()
	project := d.projectIn(folder)
	ctx, stop := interruptible()
	defer stop()
	findings := slices.Concat(d.findModels(ctx, project.agents), findPrograms(), d.findSessions(), project.findings, d.findAgents(project.agents))
	if d.asJSON {
		if err := d.encodeData(findings); err != nil {
			return err
		}
	} else {
		d.showFindings(findings)
	}
	if slices.ContainsFunc(findings, func(r readiness) bool { return r.State == stateMissing }) {
		return exitSilently(exitProblems)
	}
	return nil
}

// showFindings writes the findings in columns, what to do below each. The models
// that nothing needs are one line.
func (d *doctor) showFindings(findings []readiness) {
	fmt.Fprintf(d.out, "gramc %s, %s/%s\n", version(), runtime.GOOS, runtime.GOARCH)
	marks := map[state]string{stateReady: "ok", stateUnused: "-", stateMissing: "error"}
	var unused []string
	for i, r := range findings {
		if i == 0 || findings[i-1].About != r.About {
			fmt.Fprintf(d.out, "%s\n", r.About)
		}
		if isUnused := r.About == aboutModels && r.State == stateUnused; isUnused {
			unused = append(unused, r.Name)
		} else {
			fmt.Fprintf(d.out, "  %-6s %s: %s\n", marks[r.State], cleanLine(r.Name), cleanLine(r.Note))
		}
		last := i+1 == len(findings) || findings[i+1].About != r.About
		if last && r.About == aboutModels && len(unused) > 0 {
			fmt.Fprintf(d.out, "  %-6s not set up: %s\n", marks[stateUnused], strings.Join(unused, ", "))
		}
		if r.Help != "" && (last || findings[i+1].Help != r.Help) {
			fmt.Fprintf(d.out, "         %s\n", cleanLine(r.Help))
		}
	}
}

// A doctorProject is what a folder has that runs.
type doctorProject struct {
	findings []readiness
	agents   []*compile.Agent
}

// projectIn checks the gram files of a folder, and what their libraries need.
func (d *doctor) projectIn(folder string) (p doctorProject) {
	names, unreadable := workspace.FindFiles([]string{folder}, nil)
	for _, err := range unreadable {
		p.findings = append(p.findings, readiness{"files", folder, stateMissing, err.Error(), ""})
	}
	wrong, read := 0, 0
	var needs []readiness
	for _, name := range names {
		u, err := d.loadInput(input{name: name})
		if err != nil {
			p.findings = append(p.findings, readiness{"files", name, stateMissing, err.Error(), ""})
			continue
		}
		read++
		if d.examineAll(u).HasErrors() {
			wrong++
			continue
		}
		if program, _ := compile.File(u.File, d.checkOptions(u)); program != nil {
			p.agents = append(p.agents, program.Agents...)
			needs = append(needs, d.findNeeds(u, program.Libraries)...)
		}
	}
	whole := readiness{"files", folder, stateReady, counted(read, "gram file") + ", no errors", ""}
	switch {
	case wrong > 0:
		whole.State, whole.Note = stateMissing, fmt.Sprintf("%s, errors in %d", counted(read, "gram file"), wrong)
		whole.Help = "gramc check " + folder
	case read == 0:
		whole.State, whole.Note, whole.Help = stateUnused, "no gram files", "gramc init creates a project"
	}
	p.findings = append(append(p.findings, whole), needs...)
	return p
}

// findNeeds returns whether this machine has what each library in a file needs.
func (d *doctor) findNeeds(u *workspace.Unit, libraries []*library.Library) (found []readiness) {
	for _, l := range libraries {
		r := readiness{"libraries", cmp.Or(l.Name, "a library") + " in " + u.Source.Name(), stateReady, "this machine has what it needs", ""}
		var wrong []string
		for _, m := range host.CheckEnvironment([]*library.Library{l}, d.toolOptions(nil)) {
			wrong = append(wrong, fmt.Sprintf("%s %s: %s", m.Entry.Kind, m.Entry.Name, m.Message))
		}
		if len(wrong) > 0 {
			r.State, r.Note = stateMissing, strings.Join(wrong, "; ")
			r.Help = "gramc check --environment " + u.Source.Name() + " shows the places"
		}
		found = append(found, r)
	}
	return found
}

// findAgents returns whether the models of each agent have their keys: gramc run needs
// those of the fallbacks too.
func (d *doctor) findAgents(agents []*compile.Agent) (found []readiness) {
	for _, a := range agents {
		r := readiness{"agents", a.Name, stateReady, a.Model.String(), ""}
		for _, m := range a.Models() {
			p, ok := d.models().Provider(m.Provider)
			if ok && !p.IsLocal() && d.config.first(p.Keys...).value == "" {
				r.State, r.Note = stateMissing, fmt.Sprintf("%s has no key", m)
				r.Help = fmt.Sprintf("put %s=… into the environment or a line of the file %s, or use gramc run --offline", p.Keys[0], dotenvName)
				break
			}
		}
		found = append(found, r)
	}
	return found
}

// findModels returns which providers can be used. Only programs of this machine
// are asked.
func (d *doctor) findModels(ctx context.Context, agents []*compile.Agent) []readiness {
	providers := d.models().Providers()
	found := make([]readiness, len(providers))
	var group sync.WaitGroup
	for i := range providers {
		p := &providers[i]
		used := slices.ContainsFunc(agents, func(a *compile.Agent) bool {
			return slices.ContainsFunc(a.Models(), func(m compile.Model) bool { return m.Provider == p.Name })
		})
		if !p.IsLocal() {
			found[i] = d.findKey(p)
			continue
		}
		group.Go(func() {
			found[i] = d.findServer(ctx, p)
			if used && found[i].State == stateUnused {
				found[i].State = stateMissing
			}
		})
	}
	group.Wait()
	return found
}

func (d *doctor) findKey(p *models.Provider) readiness {
	key := d.config.first(p.Keys...)
	if key.value == "" {
		return readiness{aboutModels, p.Name, stateUnused, "no key in " + strings.Join(p.Keys, " or "), ""}
	}
	from := "the environment"
	if key.fromFile {
		from = "the file " + dotenvName
	}
	return readiness{aboutModels, p.Name, stateReady, fmt.Sprintf("%s is set in %s", key.variable, from), ""}
}

// serverTimeout is how long a server of this machine may take to list its models.
const serverTimeout = time.Second

// findServer asks a server of this machine for its models.
func (d *doctor) findServer(ctx context.Context, p *models.Provider) readiness {
	r := readiness{aboutModels, p.Name, stateUnused, "", ""}
	address := cmp.Or(d.config.first(p.AddressVariable).value, p.Address)
	if !isLoopbackAddress(address) {
		r.Note = address + " is not of this machine and is not asked"
		return r
	}
	ids, err := listServerModels(ctx, strings.TrimSuffix(address, "/")+"/models")
	switch {
	case err != nil:
		r.Note = "no server at " + address
	case len(ids) == 0:
		r.State, r.Note = stateReady, "a server without models at "+address
	default:
		r.State, r.Note = stateReady, fmt.Sprintf("%s at %s: %s", counted(len(ids), "model"), address, shortMessage(strings.Join(ids, ", ")))
	}
	return r
}

// maxModelList is how many bytes of a list of models are read.
const maxModelList = 1 << 20

// listServerModels returns the ids of the models that a server lists.
func listServerModels(ctx context.Context, address string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, serverTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	client := http.Client{ // without a proxy, and without going elsewhere
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxModelList)).Decode(&list); err != nil {
		return nil, err
	}
	var ids []string
	for _, m := range list.Data {
		ids = append(ids, m.ID)
	}
	return ids, nil
}

// findSessions returns where sessions are, and how much space they take. It opens none of
// them.
func (d *doctor) findSessions() []readiness {
	r := readiness{"sessions", "", stateUnused, "", ""}
	folder, err := d.state.folderIn(d.cli)
	if err != nil {
		r.Name, r.Note = "none", err.Error()
		return []readiness{r}
	}
	r.Name, r.Note = filepath.Join(folder, sessionsFolder), "nothing is kept yet"
	entries, err := os.ReadDir(r.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		r.State, r.Note = stateMissing, "it cannot be read: "+bareInputError(err).Error()
	default:
		size := 0
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
				size += int(info.Size())
			}
		}
		r.State, r.Note = stateReady, visible.Size(size)+"; gramc sessions lists what is kept"
	}
	return []readiness{r}
}

// findPrograms returns whether the language server is installed.
func findPrograms() []readiness {
	path, err := exec.LookPath("gram-lsp")
	if err != nil {
		return []readiness{{"programs", "gram-lsp", stateUnused, "the language server is not on PATH", "go install github.com/gram-lang/gramc/cmd/gram-lsp, from a clone: go install ./cmd/gram-lsp"}}
	}
	return []readiness{{"programs", "gram-lsp", stateReady, path, ""}}
}
