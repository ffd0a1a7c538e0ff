package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const planted = `package a

// Sum adds.
func Sum(a, b int) int { return a + b }

// Half divides.
func Half(a int) int { return a / 2 }
`

const plantedTest = `package a

import "testing"

func TestSum(t *testing.T) {
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			if Sum(2, 1) != 3 {
				t.Error("wrong")
			}
			if engine == "sqlite" && Sum(0, 1) != 1 {
				t.Error("wrong")
			}
		})
	}
}

func TestHalf(t *testing.T) {
	if Half(4) != 2 {
		t.Error("wrong")
	}
}

func TestRed(t *testing.T) { t.Error("always") }

func TestPartly(t *testing.T) {
	t.Run("sqlite", func(*testing.T) {})
	t.Run("postgres", func(t *testing.T) { t.Skip() })
}
`

// diff replaces a line of the planted package.
func diff(from, to string) string {
	lines := strings.SplitAfter(planted, "\n")
	text := "diff --git a/a/a.go b/a/a.go\n--- a/a/a.go\n+++ b/a/a.go\n@@ -1,7 +1,7 @@\n"
	for _, line := range lines[:7] {
		if strings.HasPrefix(line, from) {
			text += "-" + line + "+" + to + "\n"
		} else {
			text += " " + line
		}
	}
	return text
}

func TestAFaultIsFoundOnlyByATestThatFailsWithItAlone(t *testing.T) {
	t.Parallel()
	sum, half := diff("func Sum", "func Sum(a, b int) int { return a - b }"), diff("func Half", "func Half(a int) int { return a }")
	root := t.TempDir()
	files := map[string]string{"go.mod": "module planted\n\ngo 1.26\n", "a/a.go": planted, "a/a_test.go": plantedTest}
	for name, text := range map[string]string{
		"01-sum":      "Sums were wrong.\n\nTest: ./a TestSum\n\n" + sum,
		"02-half":     "Test: ./a TestHalf\nTest: ./a TestHalf\n\n" + half,
		"03-harmless": "Test: ./a TestSum\n\n" + diff("// Sum", "// Sum adds well."),
		"04-unbuilt":  "Test: ./a TestSum\n\n" + diff("func Sum", "func Sum(a, b int) int { return c }"),
		"05-old":      "Test: ./a TestSum\n\n" + strings.ReplaceAll(sum, " package a", " package b"),
		"06-red":      "Test: ./a TestRed\n\n" + sum,
		"07-partly":   "Test: ./a TestPartly\n\n" + sum,
		"08-unknown":  "Test: ./a TestNothing\n\n" + sum,
		"09-unnamed":  "Sums were wrong.\n\n" + sum,
		"10-on-one":   "Test: ./a TestSum\n\n" + diff("func Sum", "func Sum(a, b int) int { return a + b*min(a, 1) }"),
	} {
		files["scripts/faults/"+name+".patch"] = text
	}
	for _, script := range []string{"faults.sh", "postgres.sh"} {
		text, err := os.ReadFile(filepath.Join("..", script))
		if err != nil {
			t.Fatal(err)
		}
		files["scripts/"+script] = string(text)
	}
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil { //nolint:gosec // scripts are run
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) (string, bool) {
		c := exec.CommandContext(t.Context(), name, args...)
		c.Dir = root
		c.Env = append(os.Environ(), "LAUREL_TEST_POSTGRES=unused", "TMPDIR="+t.TempDir())
		out, err := c.CombinedOutput()
		return string(out), err == nil
	}
	if out, ok := run("git", "init", "--quiet"); !ok {
		t.Fatal(out)
	}
	out, ok := run("scripts/faults.sh")
	for _, want := range []string{
		"found: 01 sum by TestSum on sqlite and postgres\n",
		"found: 02 half by TestHalf, TestHalf\n",
		"NOT FOUND: 03 harmless: TestSum passes with it on sqlite\n",
		"NOT FOUND: 04 unbuilt: ./a does not build with it, so no test has failed\n",
		"NOT FOUND: 05 old: the patch applies no more\n",
		"NOT FOUND: 06 red: TestRed fails without it\n",
		"NOT FOUND: 07 partly: TestPartly skips a part of it\n",
		"NOT FOUND: 08 unknown: ./a has no test TestNothing, or skips it\n",
		"NOT FOUND: 09 unnamed: the patch names no test\n",
		"NOT FOUND: 10 on-one: TestSum passes with it on postgres\n",
		"2 of 10 planted faults found\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if ok || t.Failed() {
		t.Errorf("succeeded: %v\n%s", ok, out)
	}
	if out, ok := run("scripts/faults.sh", "1", "half"); !ok || !strings.HasSuffix(out, "\n2 of 2 planted faults found\n") {
		t.Errorf("of two: %v, %s", ok, out)
	}
	if out, ok := run("scripts/faults.sh", "nothing"); ok || !strings.Contains(out, "no fault nothing") {
		t.Errorf("of nothing: %v, %s", ok, out)
	}
	if text, err := os.ReadFile(filepath.Join(root, "a", "a.go")); err != nil || string(text) != planted { //nolint:gosec // a file of this test
		t.Errorf("the checkout has changed: %v %s", err, text)
	}
}
