// Command testsummary reads the output of go test -json and writes a summary for people: a line per package while the
// tests run, the output of failed tests, and at the end its arguments, a line each, and the counts. With -require it
// fails where a test that a file names did not run and pass. Of all else it decides nothing: scripts/test.sh exits with
// go test's own status.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// event is one line of go test -json (go doc test2json; build events carry ImportPath in place of Package).
type event struct {
	Action     string
	Package    string
	ImportPath string
	Test       string
	Elapsed    float64
	Output     string
}

// summary counts tests with their subtests. A package that fails without a failed test counts as one: it did not build,
// or broke off.
type summary struct {
	passed, failed, skipped int
	ran                     map[string]bool // tests that passed, by name
	engines                 map[string]int  // passed tests per engine
	reasons                 map[string]int  // of skipped tests
	output                  map[string]*strings.Builder
	broken                  map[string]bool // packages with a failed test
	failures                []failure       // in the order they ended
}

// failure is what failed, and its output until then: the same test may run once more, with the race detector.
type failure struct{ key, output string }

func main() {
	var required []string
	flag.Func("require", "a file, or a pattern of files, whose tests must run and pass", func(pattern string) error {
		names, err := testsOf(pattern)
		required = append(required, names...)
		return err
	})
	flag.Parse()
	s := newSummary()
	if err := s.read(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "testsummary:", err)
		os.Exit(1)
	}
	complete := s.require(os.Stdout, required)
	s.write(os.Stdout, flag.Args())
	if !complete {
		os.Exit(1)
	}
}

func newSummary() *summary {
	return &summary{ran: map[string]bool{}, engines: map[string]int{"sqlite": 0, "postgres": 0},
		reasons: map[string]int{}, output: map[string]*strings.Builder{}, broken: map[string]bool{}}
}

func (s *summary) read(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil {
				s.add(out, e)
			} else {
				_, _ = out.Write(line) // go itself complained, for example of a flag it does not know
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *summary) add(out io.Writer, e event) {
	key := e.Package + e.ImportPath + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		if s.output[key] == nil {
			s.output[key] = &strings.Builder{}
		}
		s.output[key].WriteString(e.Output)
		return
	case "build-fail":
		s.fail(out, key)
		return
	case "pass", "fail", "skip":
	default:
		return
	}
	if e.Test == "" {
		s.endPackage(out, e, key)
		return
	}
	switch e.Action {
	case "pass":
		s.passed++
		s.ran[e.Test] = true
		s.countEngine(e.Test)
	case "skip":
		s.skipped++
		s.reasons[reason(s.text(key))]++
	case "fail":
		s.failed++
		s.broken[e.Package] = true
		s.fail(out, key)
		return
	}
	delete(s.output, key)
}

func (s *summary) endPackage(out io.Writer, e event, key string) {
	if e.Action == "fail" && !s.broken[e.Package] {
		s.failed++
		s.fail(out, key)
	}
	if e.Action != "skip" { // a package without tests
		fmt.Fprintf(out, "%-4s %s %.1fs\n", map[string]string{"pass": "ok", "fail": "FAIL"}[e.Action], e.Package, e.Elapsed)
	}
}

// fail names the failure at once and keeps its output for the end.
func (s *summary) fail(out io.Writer, key string) {
	s.failures = append(s.failures, failure{key, s.text(key)})
	delete(s.output, key)
	fmt.Fprintln(out, "FAIL", strings.TrimSpace(key))
}

func (s *summary) countEngine(test string) {
	for part := range strings.SplitSeq(test, "/") {
		if _, ok := s.engines[part]; ok {
			s.engines[part]++
		}
	}
}

func (s *summary) text(key string) string {
	if s.output[key] == nil {
		return ""
	}
	return s.output[key].String()
}

// reason finds the message of t.Skip: the last line that go test did not frame with === or ---.
func reason(output string) string {
	for _, line := range slices.Backward(strings.Split(strings.TrimSpace(output), "\n")) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "===") && !strings.HasPrefix(line, "---") {
			if _, message, ok := strings.Cut(line, ".go:"); ok {
				if _, message, ok = strings.Cut(message, ": "); ok {
					return message
				}
			}
			return line
		}
	}
	return "no reason given"
}

// write ends with the one line that callers look for.
func (s *summary) write(out io.Writer, notes []string) {
	for _, f := range s.failures {
		fmt.Fprintf(out, "\n==== %s\n%s", strings.TrimSpace(f.key), f.output)
	}
	fmt.Fprintln(out)
	for _, why := range slices.Sorted(maps.Keys(s.reasons)) {
		fmt.Fprintf(out, "skipped %d: %s\n", s.reasons[why], why)
	}
	fmt.Fprintf(
		out,
		"passed on sqlite: %d, on postgres: %d (tests that run on each engine)\n",
		s.engines["sqlite"],
		s.engines["postgres"],
	)
	for _, note := range notes {
		fmt.Fprintln(out, note)
	}
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", s.passed, s.failed, s.skipped)
}
