// Command testsummary reads the output of go test -json and writes a summary for people: a line per package while the
// tests run, the output of failed tests, and at the end its arguments, a line each, and the counts. With -require it
// fails where a test that a file names did not run and pass. Of all else it decides nothing: scripts/test.sh exits with
// go test's own status.
package main

import (
	"bufio"
	"cmp"
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
	passedTests             map[string]bool // tests that passed, by name
	engines                 map[string]int  // passed tests per engine
	reasons                 map[string]int  // of skipped tests
	output                  map[string]*strings.Builder
	broken                  map[string]bool // packages with a failed test
	failures                []failure       // in the order they ended
	unbuilt                 []string        // why builds failed, each reason once
	took                    []timing        // of tests and subtests; a test does not count subtests side by side
}

// timing is how long a test took, in seconds.
type timing struct {
	test    string // with its package
	seconds float64
}

// maxSlowest is how many of the slowest tests are named, and minSlow how long the fastest of them takes, in seconds.
const (
	maxSlowest = 12
	minSlow    = 20
)

// failure is a test or package that failed, with its output until then: the same test may run again later, with the
// race detector.
type failure struct{ key, output string }

// main reads the events from the standard input and prints the summary. The exit status is 1 if the input cannot be
// read or a required test did not pass.
func main() {
	var required []string
	flag.Func("require", "a file, or a pattern of files, whose tests must run and pass", func(pattern string) error {
		names, err := testsOf(pattern)
		required = append(required, names...)
		return err
	})
	flag.Parse()
	s := newSummary()
	if err := s.readEvents(os.Stdin, os.Stdout); err != nil {
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
	return &summary{passedTests: map[string]bool{}, engines: map[string]int{"sqlite": 0, "postgres": 0},
		reasons: map[string]int{}, output: map[string]*strings.Builder{}, broken: map[string]bool{}}
}

// readEvents reads the lines of go test -json to their end and counts them. It writes to out what is reported at once.
func (s *summary) readEvents(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil {
				s.addEvent(out, e)
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

// addEvent counts a test or package that has ended, and stores the output of those that have not. It writes to out what
// is reported at once: failures, and a line for each package that has ended.
func (s *summary) addEvent(out io.Writer, e event) {
	key := e.Package + e.ImportPath + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		if s.output[key] == nil {
			s.output[key] = &strings.Builder{}
		}
		s.output[key].WriteString(e.Output)
		return
	case "build-fail":
		s.addUnbuilt(s.outputOf(key))
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
	s.took = append(s.took, timing{key, e.Elapsed})
	switch e.Action {
	case "pass":
		s.passed++
		s.passedTests[e.Test] = true
		s.countEngine(e.Test)
	case "skip":
		s.skipped++
		s.reasons[skipReason(s.outputOf(key))]++
	case "fail":
		s.failed++
		s.broken[e.Package] = true
		s.fail(out, key)
		return
	}
	delete(s.output, key)
}

// endPackage reports a package that ended. If it failed without a failed test, it counts as a failed test.
func (s *summary) endPackage(out io.Writer, e event, key string) {
	if e.Action == "fail" && !s.broken[e.Package] {
		s.failed++
		s.fail(out, key)
	}
	if e.Action != "skip" { // skip: the package has no tests
		fmt.Fprintf(out, "%-4s %s %.1fs\n", map[string]string{"pass": "ok", "fail": "FAIL"}[e.Action], e.Package, e.Elapsed)
	}
}

// fail reports a failure at once and stores its output, which write prints at the end.
func (s *summary) fail(out io.Writer, key string) {
	s.failures = append(s.failures, failure{key, s.outputOf(key)})
	delete(s.output, key)
	fmt.Fprintln(out, "FAIL", strings.TrimSpace(key))
}

// addUnbuilt adds the first line of a failed build's output that says why. A full disk fails a hundred builds, and one
// line is enough.
func (s *summary) addUnbuilt(output string) {
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if len(s.unbuilt) < maxSlowest && !slices.Contains(s.unbuilt, line) {
			s.unbuilt = append(s.unbuilt, line)
		}
		return
	}
}

// countEngine counts a passed test for the engine that its name has as a part, if there is one.
func (s *summary) countEngine(test string) {
	for part := range strings.SplitSeq(test, "/") {
		if _, ok := s.engines[part]; ok {
			s.engines[part]++
		}
	}
}

// outputOf returns the stored output of a test or package; "" if there is none.
func (s *summary) outputOf(key string) string {
	if s.output[key] == nil {
		return ""
	}
	return s.output[key].String()
}

// skipReason returns the message of t.Skip from the output of a test: the last line that go test did not frame with ===
// or ---.
func skipReason(output string) string {
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

// slowest returns the tests that took longest, the longest first, so that who makes the run slower sees it.
func (s *summary) slowest() []timing {
	slow := slices.DeleteFunc(slices.Clone(s.took), func(t timing) bool { return t.seconds < minSlow })
	slices.SortStableFunc(slow, func(a, b timing) int { return cmp.Compare(b.seconds, a.seconds) })
	return slow[:min(len(slow), maxSlowest)]
}

// write prints the output of failures, the slowest tests, why builds failed, the reasons of skipped tests, the notes,
// and at last the line with the counts that callers look for.
func (s *summary) write(out io.Writer, notes []string) {
	for _, f := range s.failures {
		fmt.Fprintf(out, "\n==== %s\n%s", strings.TrimSpace(f.key), f.output)
	}
	fmt.Fprintln(out)
	for _, t := range s.slowest() {
		fmt.Fprintf(out, "slow %s %.1fs\n", t.test, t.seconds)
	}
	for _, why := range s.unbuilt {
		fmt.Fprintf(out, "not built: %s\n", why)
	}
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
