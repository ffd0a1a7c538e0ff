package sandbox

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	comments = regexp.MustCompile("(?s)\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'|`(?:\\\\.|[^`\\\\])*`|//[^\n]*|/\\*.*?\\*/")
	settles  = regexp.MustCompile(`\b(?:setResult|fail)\s*(?:\?\.)?\(`)
	builds   = regexp.MustCompile(`\bbuildOutput\s*(?:\?\.)?\(`)
)

// shapeOf returns what the text of a function lacks, as far as it can be seen without running it: names in comments and
// texts do not count.
func shapeOf(code string) string {
	plain := comments.ReplaceAllString(code, " ")
	switch {
	case strings.TrimSpace(code) == "":
		return "there is none"
	case len(code) > MaxCode:
		return fmt.Sprintf("it must be at most %d bytes", MaxCode)
	case !settles.MatchString(plain):
		return "it must call output.setResult or output.fail"
	case !builds.MatchString(plain):
		return "it must return output.buildOutput()"
	}
	return ""
}
