package sandbox_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"laurel.example/laurel/internal/functions/sandbox"
)

// TestAChildHasGivenUpWhatItDoesNotNeed reads what the system says of the children of this process.
func TestAChildHasGivenUpWhatItDoesNotNeed(t *testing.T) {
	s := open(t, sandbox.Options{})
	runState(t, s, handler(`output.setResult(1)`), `{}`)
	names, err := filepath.Glob("/proc/[0-9]*/status")
	if err != nil {
		t.Fatal(err)
	}
	children := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), "\nPPid:\t"+strconv.Itoa(os.Getpid())+"\n") {
			continue
		}
		children++
		none := ":\t0000000000000000\n"
		lines := []string{
			"\nNoNewPrivs:\t1\n", "\nSeccomp:\t2\n", "\nCapInh" + none, "\nCapPrm" + none, "\nCapEff" + none, "\nCapAmb" + none,
		}
		if os.Geteuid() == 0 { // others may not change the bounding set, and nothing in it is theirs
			lines = append(lines, "\nCapBnd"+none)
		}
		for _, line := range lines {
			if !strings.Contains(string(text), line) {
				t.Errorf("%q is not in the state of a child:\n%s", line, text)
			}
		}
		environment, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "environ"))
		if len(environment) > 0 {
			t.Errorf("a child has an environment: %q", environment)
		}
	}
	if children == 0 {
		t.Error("there is no child")
	}
}
