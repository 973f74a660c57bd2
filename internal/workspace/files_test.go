package workspace

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/golden"
)

// filesIn makes files of text in a new folder and returns it.
func filesIn(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// found returns the files of Find, with slashes.
func found(t *testing.T, paths ...string) []string {
	t.Helper()
	files, errs := FindFiles(paths, nil)
	if len(errs) > 0 {
		t.Error(errs)
	}
	for i := range files {
		files[i] = filepath.ToSlash(files[i])
	}
	return files
}

func TestFoldersAreLookedThroughInOrder(t *testing.T) {
	t.Chdir(filesIn(t, map[string]string{
		"b.gram": "", "a/z.gram": "", "a.gram": "", "a/deep/er/c.gram": "", "note.txt": "", "gram": "",
		".hidden/x.gram": "", ".y.gram": "", "node_modules/n.gram": "", "a/node_modules/n.gram": "",
		"build/out.gram": "", "build/keep.gram": "", "a/build/in.gram": "",
		".gitignore":  "/build/*\n!/build/keep.gram\n",
		".gramignore": "er\n", "a/.gitignore": "z.gram\n", "a/deep/.gramignore": "!er/\n",
	}))
	want := []string{"a.gram", "a/build/in.gram", "a/deep/er/c.gram", "b.gram", "build/keep.gram"}
	if diff := cmp.Diff(want, found(t, ".")); diff != "" {
		t.Error(diff)
	}
	// What is named is taken, once, whatever the files say of it.
	want = []string{"note.txt", "a/z.gram", "missing.gram", "node_modules/n.gram", "a/build/in.gram", "a/deep/er/c.gram"}
	if diff := cmp.Diff(want, found(t, "note.txt", "a/z.gram", "missing.gram", "node_modules", "a", "./a", "note.txt")); diff != "" {
		t.Error(diff)
	}
	if files, errs := FindFiles([]string{".hidden", "a/deep/er", "build", "gram"}, nil); len(errs) > 0 || len(files) != 5 {
		t.Errorf("%v, %v", files, errs)
	}
}

func TestRulesOfTheRepositoryHoldInItsFolders(t *testing.T) {
	t.Chdir(filesIn(t, map[string]string{
		"repo/.git/HEAD": "", "repo/.gitignore": "old*\n/agents/x.gram\n", "repo/agents/old.gram": "",
		"repo/agents/x.gram": "", "repo/agents/new.gram": "", ".gitignore": "new*\n",
	}))
	if diff := cmp.Diff([]string{"repo/agents/new.gram"}, found(t, "repo/agents")); diff != "" {
		t.Error(diff)
	}
}

func TestLinksToFoldersAreNotFollowed(t *testing.T) {
	t.Chdir(filesIn(t, map[string]string{"a/x.gram": "", "elsewhere/y.gram": "", "elsewhere/deep/z.gram": ""}))
	for name, target := range map[string]string{
		"a/loop": ".", "a/up": "../elsewhere", "a/file.gram": "../elsewhere/y.gram", "a/nothing.gram": "gone", "a/folder.gram": "../elsewhere",
	} {
		if err := os.Symlink(target, name); err != nil {
			t.Skip(err)
		}
	}
	if diff := cmp.Diff([]string{"a/file.gram", "a/x.gram"}, found(t, "a")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a/up/deep/z.gram", "a/up/y.gram"}, found(t, "a/up")); diff != "" {
		t.Errorf("a link that is named:\n%s", diff)
	}
}

func TestAFolderWithoutGramFilesIsAnError(t *testing.T) {
	t.Chdir(filesIn(t, map[string]string{"a/x.txt": "", "b/y.gram": ""}))
	files, errs := FindFiles([]string{"a", "b"}, nil)
	if len(files) != 1 || len(errs) != 1 || errs[0].Error() != "a: the folder has no gram files" {
		t.Errorf("%v, %v", files, errs)
	}
}

func TestRulesOfIgnoreFiles(t *testing.T) {
	for _, tt := range []struct {
		rules   string
		ignored string // paths, folders with a slash at the end
		not     string
	}{
		{"a.gram", "a.gram x/a.gram x/y/a.gram a.gram/", "ba.gram a.gramx"},
		{"/a.gram", "a.gram", "x/a.gram"},
		{"x/a.gram", "x/a.gram", "y/x/a.gram"},
		{"build/", "build/ x/build/", "build x/build"},
		{"x/*.gram", "x/a.gram", "x/y/a.gram a.gram"},
		{"*", "a x/b", ""},
		{"?.gram", "a.gram é.gram", "ab.gram .gram"},
		{"[a-cx].gram", "b.gram x.gram", "d.gram -.gram"},
		{"[!a-c].gram", "d.gram", "b.gram"},
		{`[\]x].gram`, "].gram x.gram", "a.gram"},
		{`\[!a`, "[!a", "[^a b"},
		{"[a", "", "a [a"},
		{"[z-a]", "", "a z -"},
		{`\#a`, "#a", "a"},
		{"# a", "", "a"},
		{`\!a`, "!a", "a"},
		{"a  ", "a", ""},
		{`a\ `, "a\\_", "a"},
		{`a\`, "", `a a\`},
		{"**/a", "a x/a x/y/a", "b"},
		{"x/**", "x/a x/y/b", "x/ y/x/a"},
		{"x/**/a", "x/a x/y/a x/y/z/a", "a y/x/a"},
		{"x/**/y/**/a", "x/y/a x/1/y/2/3/a x/y/y/a", "x/a x/y/b"},
		{"a**b", "ab axxb", "a/b ax/xb"},
		{"**", "a x/a", ""},
		{"*.gram\n!keep.gram\nkeep*", "a.gram keep.gram", ""},
		{"*.gram\n!keep.gram\n", "a.gram", "keep.gram x/keep.gram"},
		{"\ufeffa\r\nb\r\n", "a b", ""},
		{"/", "", "a"},
		{"!", "", "a"},
	} {
		i := &ignoring{dir: "/base", rules: parseIgnoreRules(tt.rules)}
		for want, paths := range map[bool]string{true: tt.ignored, false: tt.not} {
			for p := range strings.FieldsSeq(paths) {
				p, folder := strings.CutSuffix(strings.ReplaceAll(p, `\_`, " "), "/")
				if got := i.ignores("/base/"+p, folder); got != want {
					t.Errorf("%q: %q is ignored: %v, want %v", tt.rules, p, got, want)
				}
			}
		}
	}
}

func TestManyStarsTakeNoExponentialTime(t *testing.T) {
	name := strings.Repeat("a", 200)
	for rule, path := range map[string]string{
		strings.Repeat("*a", 100) + "b":    name,
		strings.Repeat("**/a/", 100) + "a": strings.Repeat("a/", 200) + "b",
	} {
		if (&ignoring{rules: parseIgnoreRules(rule)}).ignores(path, false) {
			t.Errorf("%s matches", rule)
		}
	}
}

// TestRulesAreThoseOfGit compares what is found with what git finds, with
// ignore files made of the parts that rules are made of.
func TestRulesAreThoseOfGit(t *testing.T) {
	golden.Needs(t, "git", "--version")
	files := map[string]string{}
	for _, dir := range []string{"", "a/", "b/", "a/b/", "b/a/", "a/b/a/", "ab/"} {
		for _, name := range []string{"a", "b", "ab", "c-d"} {
			files[dir+name+".gram"] = ""
		}
	}
	t.Chdir(filesIn(t, files))
	if out, err := exec.Command("git", "init", "-q", ".").CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, out)
	}
	parts := []string{"a", "b", "*", "**", "/", "/", "?", "[ab]", "[!a]", "!", ".gram", "*.gram", "\\a", " ", "#", "c-d", "[a-c]", "a/", "/**/", "\n", "\n"}
	random := rand.New(rand.NewPCG(1, 2))
	line := func() string {
		var b strings.Builder
		for range 1 + random.IntN(6) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		return b.String() + "\n"
	}
	for range 150 {
		rules := map[string]string{".gitignore": line() + line(), "a/.gitignore": line() + line()}
		for name, text := range rules {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("git", "-c", "core.excludesFile=", "ls-files", "--others", "--exclude-standard", "-z", "*.gram")
		cmd.Env = append(os.Environ(), "GIT_DIR=.git", "GIT_CONFIG_NOSYSTEM=1", "HOME=.")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		want := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
		slices.Sort(want)
		got, _ := FindFiles([]string{"."}, nil)
		if diff := cmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 {
			t.Errorf("%q:\n%s", rules, diff)
		}
	}
}

// The files that tests name lie in the project, and libraries are there.
func TestFilesOfTests(t *testing.T) {
	const agent = `[a:Agent {instruction: "Help.", model: "OpenAI/gpt-5.4-mini"}] `
	for record, want := range map[string]string{
		`{library: "./local.gram"}`:                "",
		`{library: "./locl.gram"}`:                 `the library "./locl.gram" cannot be read: no such file or directory; did you mean ./local.gram?`,
		`{library: ["./local.gram", "../x.gram"]}`: `the library "../x.gram" lies outside of the project, which is `,
		`{recording: "./new.jsonl"}`:               "",
		`{recording: "../new.jsonl"}`:              `the recording "../new.jsonl" lies outside of the project, which is `,
		`{recording: "/new.jsonl"}`:                "", // no relative path, which the check of tests reports
	} {
		dir := filesIn(t, map[string]string{".git/HEAD": "", "local.gram": "[local:Library]", "a.test.gram": agent + "[t:Test " + record + ` | [:User {text: "Hi"}]]`})
		u, err := Open(NewDisk()).Load(filepath.Join(dir, "a.test.gram"))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, d := range u.Problems {
			got += d.Message
		}
		if !strings.HasPrefix(got, want) || want == "" && got != "" || len(u.Problems) > 1 {
			t.Errorf("%s: %q, want %q", record, got, want)
		}
	}
}
