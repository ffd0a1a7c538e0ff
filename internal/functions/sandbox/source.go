package sandbox

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	commentsAndStrings = regexp.MustCompile("(?s)\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'|`(?:\\\\.|[^`\\\\])*`|//[^\n]*|/\\*.*?\\*/")
	resultCalls        = regexp.MustCompile(`\b(?:setResult|fail)\s*(?:\?\.)?\(`)
	buildCalls         = regexp.MustCompile(`\bbuildOutput\s*(?:\?\.)?\(`)
)

// checkSource returns what is missing in the code of a function, as far as its text shows, or "". Comments and strings
// do not count.
func checkSource(code string) string {
	plain := commentsAndStrings.ReplaceAllString(code, " ")
	switch {
	case strings.TrimSpace(code) == "":
		return "there is none"
	case len(code) > MaxCode:
		return fmt.Sprintf("it must be at most %d bytes", MaxCode)
	case !resultCalls.MatchString(plain):
		return "it must call output.setResult or output.fail"
	case !buildCalls.MatchString(plain):
		return "it must return output.buildOutput()"
	}
	return ""
}
