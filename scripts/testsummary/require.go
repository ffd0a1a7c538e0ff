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

// testsOf returns the tests that files declare, if they are Go files, or else mention. A pattern without files, and a
// file without tests, are errors: a requirement that requires nothing must not pass.
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

// require counts each of the tests that did not pass as failed, and reports whether all passed. It prints those that
// did not run; those that failed are printed already.
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
