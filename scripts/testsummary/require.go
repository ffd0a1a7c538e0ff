package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	declaredTest  = regexp.MustCompile(`(?m)^func (Test[A-Z]\w*)\(`)
	mentionedTest = regexp.MustCompile(`\bTest[A-Z]\w*`)
)

// testsOf returns the names of tests in the files that match the pattern, sorted: the tests that a Go file declares,
// and those that any other file mentions. It fails if no file matches, or if a file names no test, since a requirement
// that requires nothing must not pass.
func testsOf(pattern string) ([]string, error) {
	files, err := filepath.Glob(pattern)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no file is %s", pattern)
	}
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found := mentionedTest.FindAllString(string(text), -1)
		if strings.HasSuffix(file, ".go") {
			found = nil
			for _, match := range declaredTest.FindAllStringSubmatch(string(text), -1) {
				found = append(found, match[1])
			}
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s names no test", file)
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

// require reports whether all of the named tests passed. Those that did not run it prints and counts as failed; those
// that failed are printed and counted already.
func (s *summary) require(out io.Writer, names []string) bool {
	complete := true
	for _, name := range names {
		if s.passedTests[name] {
			continue
		}
		complete = false
		if !slices.ContainsFunc(s.failures, func(f failure) bool { return strings.HasSuffix(f.key, " "+name) }) {
			s.failed++
			fmt.Fprintln(out, "FAIL "+name+": it is required, and did not run")
		}
	}
	return complete
}
