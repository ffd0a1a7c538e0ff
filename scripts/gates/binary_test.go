package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestAReleaseHoldsNoPlantedFault(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	build := func(name, target string, flags ...string) string {
		file := filepath.Join(dir, name)
		args := append(append([]string{"build", "-buildvcs=false", "-o", file}, flags...), target)
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return file
	}
	if problems, err := checkBinary(build("released", "laurel.example/laurel/cmd/laurel")); err != nil || len(problems) > 0 {
		t.Errorf("a build as it is released: got %q (%v), want nothing", problems, err)
	}
	for _, c := range []struct {
		name, target string
		flags, want  []string
	}{
		{"with the tag, stripped", "laurel.example/laurel/cmd/laurel", []string{"-tags", "doublepay", "-ldflags", "-s -w"},
			[]string{"built with -tags=doublepay", "holds the planted fault"}},
		{"another program", "laurel.example/laurel/scripts/testsummary", nil, []string{"a build of laurel.example/laurel/scripts/testsummary"}},
	} {
		problems, err := checkBinary(build(strings.ReplaceAll(c.name, " ", "-"), c.target, c.flags...))
		if err != nil || len(problems) != len(c.want) {
			t.Errorf("%s: got %q (%v), want %q", c.name, problems, err, c.want)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(problems[i], want) {
				t.Errorf("%s: got %q, want it to say %q", c.name, problems[i], want)
			}
		}
	}
	if _, err := checkBinary("binary_test.go"); err == nil {
		t.Error("a file that is no binary passes")
	}
}
