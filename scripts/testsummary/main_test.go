package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func summarize(t *testing.T, lines ...string) string {
	t.Helper()
	s := newSummary()
	var out strings.Builder
	if err := s.readEvents(strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	s.write(&out, []string{"engines: SQLite"})
	return out.String()
}

func TestTheLastLineCountsTestsAndSubtests(t *testing.T) {
	t.Parallel()
	out := summarize(t,
		`{"Action":"run","Package":"p","Test":"TestA"}`,
		`{"Action":"pass","Package":"p","Test":"TestA/sqlite"}`,
		`{"Action":"output","Package":"p","Test":"TestA/postgres","Output":"    x_test.go:7: no PostgreSQL: install it\n"}`,
		`{"Action":"output","Package":"p","Test":"TestA/postgres","Output":"    --- SKIP: TestA/postgres (0.00s)\n"}`,
		`{"Action":"skip","Package":"p","Test":"TestA/postgres"}`,
		`{"Action":"pass","Package":"p","Test":"TestA"}`,
		`{"Action":"pass","Package":"p","Elapsed":1.5}`,
		`{"Action":"skip","Package":"untested"}`)
	if want := "skipped 1: no PostgreSQL: install it\npassed on sqlite: 1, on postgres: 0 (tests that run on each engine)\nengines: SQLite\n2 passed, 0 failed, 1 skipped\n"; !strings.HasSuffix(
		out,
		want,
	) {
		t.Errorf("got %q, want it to end with %q", out, want)
	}
	if !strings.Contains(out, "ok   p 1.5s\n") || strings.Contains(out, "untested") {
		t.Errorf("got %q, want a line for p and none for untested", out)
	}
}

func TestTheSlowestTestsAreNamed(t *testing.T) {
	t.Parallel()
	out := summarize(t,
		`{"Action":"pass","Package":"p","Test":"TestQuick","Elapsed":19}`,
		`{"Action":"pass","Package":"p","Test":"TestSlow","Elapsed":21}`,
		`{"Action":"pass","Package":"q","Test":"TestEach/sqlite","Elapsed":80.25}`)
	if want := "\nslow q TestEach/sqlite 80.2s\nslow p TestSlow 21.0s\n"; !strings.Contains(out, want) ||
		strings.Contains(out, "TestQuick") {
		t.Errorf("got %q, want it to contain %q alone", out, want)
	}
}

func TestFailuresShowTheirOutputOnce(t *testing.T) {
	t.Parallel()
	out := summarize(t,
		`{"Action":"output","Package":"p","Test":"TestA","Output":"    x_test.go:7: it broke\n"}`,
		`{"Action":"fail","Package":"p","Test":"TestA"}`,
		`{"Action":"output","Package":"p","Test":"TestB","Output":"all is well\n"}`,
		`{"Action":"pass","Package":"p","Test":"TestB"}`,
		`{"Action":"fail","Package":"p","Elapsed":0.1}`,
		`{"Action":"output","Package":"p","Test":"TestA","Output":"all is well again\n"}`,
		`{"Action":"pass","Package":"p","Test":"TestA"}`)
	if strings.Count(out, "it broke") != 1 || strings.Contains(out, "all is well") ||
		!strings.HasSuffix(out, "2 passed, 1 failed, 0 skipped\n") {
		t.Errorf("got %q", out)
	}
}

func TestAPackageThatBreaksWithoutATestCountsAsFailed(t *testing.T) {
	t.Parallel()
	out := summarize(t,
		`{"ImportPath":"p [p.test]","Action":"build-output","Output":"# p [p.test]\na.go:3: undefined: x\n"}`,
		`{"ImportPath":"p [p.test]","Action":"build-fail"}`,
		`{"Action":"fail","Package":"p","Elapsed":0,"FailedBuild":"p [p.test]"}`,
		`{"Action":"output","Package":"q","Output":"panic: oh\n"}`,
		`{"Action":"fail","Package":"q","Elapsed":0}`,
		`flag provided but not defined: -x`)
	for _, want := range []string{"\nnot built: a.go:3: undefined: x\n", "panic: oh", "flag provided but not defined", "\n0 passed, 2 failed, 0 skipped\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("got %q, want it to contain %q", out, want)
		}
	}
}

func TestARequiredTestThatDidNotPassFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"hostile_a_test.go": "func TestRan(t *testing.T) {}\n// TestMentioned is none.\nfunc TestSkipped(t *testing.T) {}\n",
		"hostile_b_test.go": "package p\n\nfunc TestLeftOut(t *testing.T) {}\n",
		"PROMISES.md":       "A promise (`TestRan`), and another (`TestGone/sqlite`).\n",
		"EMPTY.md":          "Tests keep it.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	required, err := testsOf(filepath.Join(dir, "hostile_*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	promised, err := testsOf(filepath.Join(dir, "PROMISES.md"))
	if err != nil {
		t.Fatal(err)
	}
	s := newSummary()
	var out strings.Builder
	err = s.readEvents(strings.NewReader(`{"Action":"pass","Package":"p","Test":"TestRan"}
		{"Action":"skip","Package":"p","Test":"TestSkipped"}`), &out)
	if err != nil {
		t.Fatal(err)
	}
	if !s.require(&out, []string{"TestRan"}) || s.require(&out, append(required, promised...)) {
		t.Error("want what passed to be enough, and what did not run to be too little")
	}
	s.write(&out, nil)
	for _, want := range []string{"FAIL TestSkipped", "FAIL TestLeftOut", "FAIL TestGone",
		"\n1 passed, 3 failed, 1 skipped\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("got %q, want it to contain %q", out.String(), want)
		}
	}
	if strings.Contains(out.String(), "TestMentioned") {
		t.Errorf("got %q, want only what the files declare", out.String())
	}
	for _, pattern := range []string{"EMPTY.md", "gone_*_test.go"} {
		if _, err := testsOf(filepath.Join(dir, pattern)); err == nil {
			t.Errorf("%s requires nothing, and is accepted", pattern)
		}
	}
}
