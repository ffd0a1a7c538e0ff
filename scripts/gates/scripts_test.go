package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// runScript runs a script of the folder above, and reports its output and whether it succeeded.
func runScript(t *testing.T, script string, environment []string, args ...string) (output string, ok bool) {
	t.Helper()
	c := exec.Command(filepath.Join("..", script), args...)
	c.Env = append(os.Environ(), environment...)
	out, err := c.CombinedOutput()
	return string(out), err == nil
}

// program writes a shell script that stands for another program, and returns its name.
func program(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestLintThatDidNotRunFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		linter, want string
		ok           bool
	}{
		"cannot be built":      {"echo no such module >&2; exit 1", "nothing was linted", false},
		"finds something":      {`[ "$1" = version ] || { echo "a.go:1: bad"; exit 1; }`, "a.go:1: bad", false},
		"leaves a linter out":  {`echo 'level=warning msg="x is disabled"'; echo "0 issues."`, "left something out", false},
		"says nothing":         {"exit 0", "left something out", false},
		"finds something late": {`case "$*" in *tags*) echo "b.go:1: bad"; exit 1;; esac; echo "0 issues."`, "bad", false},
		"finds nothing":        {`echo "0 issues."`, "0 issues, also with the tags doublepay,", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, ok := runScript(t, "lint.sh", []string{"LINTER=" + program(t, c.linter)})
			if ok != c.ok || !strings.Contains(out, c.want) {
				t.Errorf("succeeded: %v, want %v, and %q in %q", ok, c.ok, c.want, out)
			}
		})
	}
}

func TestAScanThatDidNotRunIsNoCleanScan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		scanner, want string
		ok            bool
	}{
		"finds something": {"echo GO-2026-0001; exit 3", "GO-2026-0001", false},
		"cannot be built": {"echo no such module >&2; exit 1", "the scan did not run", false},
		"finds nothing":   {"exit 0", "none known", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, ok := runScript(t, "vulnerabilities.sh", []string{"SCANNER=" + program(t, c.scanner)})
			if ok != c.ok || !strings.Contains(out, c.want) {
				t.Errorf("succeeded: %v, want %v, and %q in %q", ok, c.ok, c.want, out)
			}
		})
	}
}

func TestEveryFuzzTargetRuns(t *testing.T) {
	t.Parallel()
	const good = "package p\n\nimport \"testing\"\n\nfunc FuzzGood(f *testing.F) { f.Fuzz(func(*testing.T, []byte) {}) }\n"
	other := strings.ReplaceAll(good, "Good", "Other")
	hidden := "//go:build never\n\n" + other
	bad := strings.Replace(other, "(*testing.T, []byte) {}", "(t *testing.T, _ []byte) { t.Fatal() }", 1)
	for name, c := range map[string]struct {
		files map[string]string
		want  string
		ok    bool
	}{
		"all pass":       {map[string]string{"a_test.go": good, "b/b_test.go": other}, "2 passed, 0 failed", true},
		"one fails":      {map[string]string{"a_test.go": good, "b/b_test.go": bad}, "1 passed, 1 failed", false},
		"one is hidden":  {map[string]string{"a_test.go": good, "b/b_test.go": hidden}, "FAIL FuzzOther", false},
		"there are none": {map[string]string{"a.go": "package p\n"}, "0 passed, 0 failed", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c.files["go.mod"] = "module planted\n\ngo 1.26\n"
			for file, text := range c.files {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o750); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, coverage := range []string{"FUZZ_COVERAGE=on", "FUZZ_COVERAGE=off"} {
				out, ok := runScript(t, "fuzz.sh", []string{"FUZZ_TIME=10x", coverage}, dir)
				if ok != c.ok || !strings.Contains(out, c.want) {
					t.Errorf("%s: succeeded: %v, want %v, and %q in %q", coverage, ok, c.ok, c.want, out)
				}
			}
		})
	}
}

// What make check asks of a change is asked of every submission, too.
func TestEveryGateOfMakeCheckRunsInCI(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	ci := read(".ci/run")
	gates := regexp.MustCompile(`(?m)^check:(.*)##`).FindStringSubmatch(read("Makefile"))
	if gates == nil {
		t.Fatal("the Makefile has no target check")
	}
	for gate := range strings.FieldsSeq(gates[1]) {
		step := "make -s " + gate
		if gate == "arch" || gate == "test" { // the rules of the house are tests
			step = "scripts/test.sh"
		}
		if !regexp.MustCompile(`(?m)(^|&& )` + regexp.QuoteMeta(step) + `( |$)`).MatchString(ci) {
			t.Errorf(".ci/run has no step %q", step)
		}
	}
}
