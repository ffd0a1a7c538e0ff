package main

import (
	"strings"
	"testing"
)

func summarize(t *testing.T, lines ...string) string {
	t.Helper()
	s := newSummary()
	var out strings.Builder
	if err := s.read(strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
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
	if want := "skipped 1: no PostgreSQL: install it\npassed on sqlite: 1, on postgres: 0 (tests that run on each engine)\nengines: SQLite\n2 passed, 0 failed, 1 skipped\n"; !strings.HasSuffix(out, want) {
		t.Errorf("got %q, want it to end with %q", out, want)
	}
	if !strings.Contains(out, "ok   p 1.5s\n") || strings.Contains(out, "untested") {
		t.Errorf("got %q, want a line for p and none for untested", out)
	}
}

func TestFailuresShowTheirOutputOnce(t *testing.T) {
	t.Parallel()
	out := summarize(t,
		`{"Action":"output","Package":"p","Test":"TestA","Output":"    x_test.go:7: it broke\n"}`,
		`{"Action":"fail","Package":"p","Test":"TestA"}`,
		`{"Action":"output","Package":"p","Test":"TestB","Output":"all is well\n"}`,
		`{"Action":"pass","Package":"p","Test":"TestB"}`,
		`{"Action":"fail","Package":"p","Elapsed":0.1}`)
	if strings.Count(out, "it broke") != 1 || strings.Contains(out, "all is well") || !strings.HasSuffix(out, "1 passed, 1 failed, 0 skipped\n") {
		t.Errorf("got %q", out)
	}
}

func TestAPackageThatBreaksWithoutATestCountsAsFailed(t *testing.T) {
	t.Parallel()
	out := summarize(t,
		`{"ImportPath":"p [p.test]","Action":"build-output","Output":"a.go:3: undefined: x\n"}`,
		`{"ImportPath":"p [p.test]","Action":"build-fail"}`,
		`{"Action":"fail","Package":"p","Elapsed":0,"FailedBuild":"p [p.test]"}`,
		`{"Action":"output","Package":"q","Output":"panic: oh\n"}`,
		`{"Action":"fail","Package":"q","Elapsed":0}`,
		`flag provided but not defined: -x`)
	for _, want := range []string{"undefined: x", "panic: oh", "flag provided but not defined", "\n0 passed, 2 failed, 0 skipped\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("got %q, want it to contain %q", out, want)
		}
	}
}
