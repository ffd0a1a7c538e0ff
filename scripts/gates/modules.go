package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"strings"
)

// module is a requirement of go.mod.
type module struct {
	Path     string
	Indirect bool
}

// systems are those whose builds and tests go.mod must suffice for.
var systems = []string{"linux", "darwin", "windows", "freebsd"}

// tags are build tags of other modules by which they import further ones. Nothing is built with them, but go mod tidy
// looks at all tags.
var tags = []string{"ziren"}

// checkModules returns what is wrong with go.mod, tools/go.mod and the cached modules. It writes to out what passed,
// and what could not be checked.
func checkModules(ctx context.Context, out io.Writer) ([]string, error) {
	required, err := requirements(ctx)
	if err != nil {
		return nil, err
	}
	imports, err := importsOf(os.DirFS("."))
	if err != nil {
		return nil, err
	}
	neededModules, err := modulesOf(ctx, systems, "-test", "./...")
	if err != nil {
		return nil, err
	}
	byTag, err := modulesOf(ctx, systems[:1], "-tags", strings.Join(tags, ","), "-test", "./...")
	if err != nil {
		return nil, err
	}
	maps.Copy(neededModules, byTag)
	problems := findUntidy(required, imports, neededModules)
	for _, dir := range []string{".", "tools"} {
		diff, reason := tidyDiff(ctx, dir)
		switch {
		case diff != "":
			problems = append(problems, "go mod tidy would change "+dir+":\n"+diff)
		case reason != "":
			fmt.Fprintf(out, "go mod tidy cannot run in %s, so go.mod is only compared with the imports: %s\n", dir, reason)
		}
	}
	if text, err := runCommand(ctx, "go", "mod", "verify"); err != nil {
		problems = append(problems, "go mod verify: "+text)
	}
	if len(problems) == 0 {
		fmt.Fprintf(out, "%d modules: go.mod is tidy, and no cached module was changed\n", len(required))
	}
	return problems, nil
}

// findUntidy returns what is wrong with the requirements of go.mod. imports has the packages that the module's own code
// imports on any system, and needed the modules that its builds and tests need.
func findUntidy(required []module, imports []string, needed map[string]bool) []string {
	direct := map[string]bool{}
	var problems []string
	for _, target := range imports {
		owner := ""
		for _, m := range required {
			if (target == m.Path || strings.HasPrefix(target, m.Path+"/")) && len(m.Path) > len(owner) {
				owner = m.Path
			}
		}
		if owner == "" {
			problems = append(problems, "go.mod: no module for the import "+target)
		}
		direct[owner] = true
	}
	for _, m := range required {
		switch {
		case direct[m.Path] && m.Indirect:
			problems = append(problems, "go.mod: "+m.Path+" is imported, so it is not // indirect")
		case !direct[m.Path] && !needed[m.Path]:
			problems = append(problems, "go.mod: nothing needs "+m.Path)
		case !direct[m.Path] && !m.Indirect:
			problems = append(problems, "go.mod: "+m.Path+" is imported by other modules only, so it is // indirect")
		}
	}
	return problems
}

// tidyDiff returns the changes that go mod tidy would make in a folder, or the reason why go mod tidy cannot run. That
// may be because it also looks at the tests of imported modules, which need modules that a proxy may refuse.
func tidyDiff(ctx context.Context, dir string) (diff, reason string) {
	tidy := exec.CommandContext(ctx, "go", "mod", "tidy", "-diff")
	tidy.Dir = dir
	var stdout, stderr bytes.Buffer
	tidy.Stdout, tidy.Stderr = &stdout, &stderr
	if err := tidy.Run(); err != nil && stdout.Len() == 0 {
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		return "", lines[len(lines)-1]
	}
	return stdout.String(), ""
}

// requirements returns the modules that go.mod requires.
func requirements(ctx context.Context) ([]module, error) {
	text, err := runCommand(ctx, "go", "mod", "edit", "-json")
	if err != nil {
		return nil, err
	}
	var file struct{ Require []module }
	return file.Require, json.Unmarshal([]byte(text), &file)
}

// modulesOf returns the paths of the modules that a build on any of the systems needs: those of all packages that go
// list -deps prints for the arguments.
func modulesOf(ctx context.Context, systems []string, args ...string) (map[string]bool, error) {
	out := map[string]bool{}
	for _, system := range systems {
		all := append([]string{"list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}"}, args...)
		list := exec.CommandContext(ctx, "go", all...)
		list.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		text, err := commandOutput(list)
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %s", system, text)
		}
		for line := range strings.FieldsSeq(text) {
			out[line] = true
		}
	}
	return out, nil
}

func runCommand(ctx context.Context, name string, args ...string) (string, error) {
	return commandOutput(exec.CommandContext(ctx, name, args...))
}

// commandOutput runs a command and returns what it prints; with an error also what it prints to its standard error.
func commandOutput(c *exec.Cmd) (string, error) {
	text, err := c.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%s: %w: %s", strings.Join(c.Args, " "), err, failed.Stderr)
		return strings.TrimSpace(string(text) + string(failed.Stderr)), err
	}
	return string(text), err
}
