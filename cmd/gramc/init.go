package main

import (
	"bufio"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// projectTexts are templates of the files of a new project.
//
//go:embed project
var projectTexts embed.FS

// A newProject is what the command init asks for.
type newProject struct {
	*cli
	folder, name, model  string
	codingAgents, vsCode bool
}

// A projectFile is a file to create.
type projectFile struct{ name, text string }

// initLibrary is the file of the tools of a new project.
const initLibrary = "library.gram"

const (
	usualAgentName  = "assistant"
	usualAgentModel = "OpenAI/gpt-5.4-mini"
)

func (c *cli) initCommand() *cobra.Command {
	p := &newProject{cli: c, folder: "."}
	cmd := command("init [FOLDER]", nil, func(cmd *cobra.Command, words []string) error {
		if len(words) > 1 {
			return fmt.Errorf("init takes one folder; there are %d", len(words))
		}
		if len(words) == 1 {
			p.folder = words[0]
		}
		return p.create(isTerminal(c.in) && !cmd.Flags().Changed("name") && !cmd.Flags().Changed("model"))
	})
	cmd.Flags().StringVar(&p.name, "name", "", "the name of the agent (default "+usualAgentName+")")
	cmd.Flags().StringVar(&p.model, "model", "", "the model, as provider and id (default "+usualAgentModel+")")
	cmd.Flags().BoolVar(&p.codingAgents, "agents", false, "also write AGENTS.md, which teaches coding agents to write gram")
	cmd.Flags().BoolVar(&p.vsCode, "vscode", false, "also write .vscode/settings.json, so that the editor checks the library")
	return cmd
}

// create writes the files of the project. It overwrites nothing, and writes
// nothing that gramc check would refuse.
func (p *newProject) create(ask bool) error {
	if err := p.refuseOverwriting(); err != nil {
		return err
	}
	if ask {
		if err := p.ask(); err != nil {
			return err
		}
	}
	p.name, p.model = cmp.Or(p.name, usualAgentName), cmp.Or(p.model, usualAgentModel)
	files, err := p.files()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := p.write(f); err != nil {
			return err
		}
	}
	p.showNext()
	return nil
}

// refuseOverwriting reports a file that is there already, before anything is
// asked. A .gitignore may be.
func (p *newProject) refuseOverwriting() error {
	names := []string{"agent.gram", initLibrary, "agent.test.gram"}
	if p.codingAgents {
		names = append(names, "AGENTS.md")
	}
	if p.vsCode {
		names = append(names, ".vscode/settings.json")
	}
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(p.folder, name)); err == nil {
			return &exit{exitUsage, fmt.Errorf("%s is there already; init overwrites nothing", filepath.Join(p.folder, name))}
		}
	}
	return nil
}

// ask asks for what no flag says. An empty line, or the end of the input, takes
// what is in brackets.
func (p *newProject) ask() error {
	lines := bufio.NewScanner(p.in)
	for _, q := range []struct {
		question, usual string
		answer          *string
	}{
		{"Name of the agent", usualAgentName, &p.name},
		{"Model", usualAgentModel, &p.model},
	} {
		fmt.Fprintf(p.err, "%s [%s]: ", q.question, q.usual)
		if !lines.Scan() {
			fmt.Fprintln(p.err)
		}
		*q.answer = strings.TrimSpace(lines.Text())
	}
	return lines.Err()
}

// files returns the files to create, the agent checked.
func (p *newProject) files() ([]projectFile, error) {
	agent := p.fill("agent.gram")
	file, problems := grammar.Parse("agent.gram", agent)
	if err := p.report(p.examine(p.workspace.Add("agent.gram", file, problems)), diag.Warning); err != nil {
		return nil, err
	}
	files := []projectFile{{"agent.gram", format.File(file, nil)}, {initLibrary, p.fill(initLibrary)}, {"agent.test.gram", p.fill("agent.test.gram")}, {".gitignore", ".env\n"}}
	if p.codingAgents {
		files = append(files, projectFile{"AGENTS.md", guide()})
	}
	if p.vsCode {
		files = append(files, projectFile{".vscode/settings.json", "{\n  \"gram.libraries\": [\"library.gram\"]\n}\n"})
	}
	return files, nil
}

// fill returns the text of a file with what was asked for.
func (p *newProject) fill(name string) string {
	text, err := projectTexts.ReadFile("project/" + name)
	if err != nil {
		panic("gramc: " + err.Error())
	}
	return strings.NewReplacer(
		"<<name>>", ast.Print(ast.NewName(p.name)), "<<model>>", string(plainjson.String(p.model)),
		"<<instruction>>", string(plainjson.String("Answer in one or two sentences. Use `calculator` for arithmetic, and `current_time` where the date or the time matters.")),
	).Replace(string(text))
}

// write creates a file. A .gitignore that is there stays as it is.
func (p *newProject) write(f projectFile) error {
	path := filepath.Join(p.folder, filepath.FromSlash(f.name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return unusableInput(filepath.Dir(path), err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) && f.name == ".gitignore" {
		p.note(path + " is there already; see to it that it has a line .env, which is where keys are")
		return nil
	}
	if err == nil {
		err = fillNew(file, f.text)
	}
	if err != nil {
		return unusableInput(path, err)
	}
	p.note("created " + path)
	return nil
}

// fillNew writes and closes a file that was just created. It removes one that is not
// written whole, such as on a full disk.
func fillNew(file *os.File, text string) error {
	_, err := file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// showNext shows what to do with the new project.
func (p *newProject) showNext() {
	if p.folder != "." {
		p.note("\nNext, in the folder " + p.folder + ":")
	} else {
		p.note("\nNext:")
	}
	p.note(`  gramc run --offline agent.gram --library library.gram 'Calculate "2 + 3"'   without a key
  gramc run agent.gram --library library.gram "What is 2 + 3?"                with the key of the model in the environment or in .env
  gramc check --library library.gram                                          after each change
  gramc test                                                                  runs agent.test.gram`)
}
