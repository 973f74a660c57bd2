package library

import (
	"path"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/template"
)

// This file looks for arguments of a model that would be run as code.

// codeProgramIsFixed reports an argument that is the name of a program: the model
// would choose what is run. It returns where the program stands that does the
// work, behind those that only start another, such as env.
func (r *entryReader) codeProgramIsFixed(run []Text) (at int, fixed bool) {
	for at = 0; at < len(run); at++ {
		for i, part := range run[at].Template {
			if part.Kind == template.Argument {
				r.Diags.Errorf(run[at].spans[i], diag.CodeInvalidTemplate, "an argument cannot be part of the program, or the model would choose what is run")
				return at, false
			}
		}
		if !slices.Contains(codeStarters(), codeProgramName(run[at].Written)) {
			return at, true
		}
		for at+1 < len(run) && isCodeSetting(run[at+1].Written) {
			at++
		}
	}
	return at, true
}

// codeStarters returns programs that start the program that is their argument.
func codeStarters() []string {
	return []string{"env", "sudo", "doas", "nice", "nohup", "setsid", "stdbuf", "time", "timeout", "xargs", "busybox", "npx", "uvx", "bunx", "pipx"}
}

// isCodeSetting reports whether a word before the program is an option, a variable
// or a number, as in timeout 5.
func isCodeSetting(word string) bool {
	name, _, assigns := strings.Cut(word, "=")
	return strings.HasPrefix(word, "-") || assigns && template.VariableName(name) == name && name != "" ||
		word != "" && strings.Trim(word, "0123456789.smhd") == "" && strings.ContainsAny(word, "0123456789")
}

// codeIsFixed reports an argument in what a shell or an interpreter runs.
func (r *entryReader) codeIsFixed(run []Text) {
	isCode := codeIn(run)
	for i := 1; i < len(run); i++ {
		if !isCode[i] {
			continue
		}
		for j, part := range run[i].Template {
			if part.Kind != template.Argument {
				continue
			}
			d := r.Diags.Errorf(run[i].spans[j], diag.CodeInvalidTemplate,
				"%s would run what the model writes here as code; give it as an argument of its own", report.Clip(run[0].Written))
			if len(run[i-1].spans) > 0 && i > 1 {
				report.Relate(d, run[i-1].spans[0], "what follows is code")
			}
			return
		}
	}
}

// codeIn reports which of a program and its arguments are code.
func codeIn(run []Text) []bool {
	isCode := make([]bool, len(run))
	if len(run) == 0 {
		return isCode
	}
	name := strings.TrimRight(codeProgramName(run[0].Written), "0123456789.")
	for i := 1; i < len(run); i++ {
		word, before := run[i].Written, run[i-1].Written
		if i > 1 && codeRunsScripts(name) && isCodeScript(before) && (i == 2 || !strings.HasPrefix(run[i-2].Written, "-")) {
			break // a script, and the rest is for it
		}
		switch {
		case name == "ssh": // the other side hands all of it to a shell
			isCode[i] = true
		case slices.Contains([]string{"awk", "gawk", "mawk", "sed", "gsed"}, name):
			isCode[i] = !slices.ContainsFunc(run[1:i], func(t Text) bool { return !strings.HasPrefix(t.Written, "-") }) || before == "-e"
		default:
			isCode[i] = i > 1 && isCodeFlag(name, before) || strings.Contains(word, "=") && isCodeFlag(name, word[:strings.Index(word, "=")])
		}
	}
	return isCode
}

// codeRunsScripts reports whether the arguments behind the file of a script are for
// the script.
func codeRunsScripts(program string) bool {
	return isCodeFlag(program, "-c") || isCodeFlag(program, "-e") || isCodeFlag(program, "-r")
}

// isCodeFlag reports whether code follows a flag of a program: alone, or as the
// last of several letters.
func isCodeFlag(program, flag string) bool {
	flag = strings.ToLower(flag)
	letters, short := strings.CutPrefix(flag, "-")
	short = short && letters != "" && !strings.HasPrefix(letters, "-")
	switch program {
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "ash", "su":
		return short && strings.Contains(letters, "c") || flag == "--command"
	case "python", "pypy":
		return short && strings.HasSuffix(letters, "c")
	case "node", "bun", "deno", "perl", "ruby", "lua":
		return short && strings.Trim(letters[len(letters)-1:], "ep") == "" || slices.Contains([]string{"--eval", "--print", "eval"}, flag)
	case "php":
		return short && strings.Trim(letters[len(letters)-1:], "rbe") == ""
	case "cmd":
		return flag == "/c" || flag == "/k"
	case "powershell", "pwsh":
		return short && (strings.HasPrefix("command", letters) || strings.HasPrefix("encodedcommand", letters) || letters == "ec")
	}
	return false
}

// codeProgramName returns the name of a program without its folder.
func codeProgramName(program string) string {
	return strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(program, `\`, "/"))), ".exe")
}

func isCodeScript(word string) bool {
	return strings.ContainsAny(word, "./") && !strings.HasPrefix(word, "-")
}
