package web

import (
	"strings"
	"testing"
)

func TestTextsAreComparedLineByLine(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("x\n", 3000)
	for _, c := range []struct{ before, after, want string }{
		{"a\nb\nc\n", "a\nB\nc\n", " a|-b|+B| c"},
		{"a\nb", "a\nb\n", "…"},
		{"a\nb\nc\nd\n", "b\nc\nx\nd\n", "-a| b| c|+x| d"},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\nnine\n", "…| 6| 7| 8|-9|+nine"},
	} {
		if got := joinLines(DiffLines(c.before, c.after)); got != c.want {
			t.Errorf("%q to %q: %s, want %s", c.before, c.after, got, c.want)
		}
	}
	long := joinLines(DiffLines("a\n"+many+"b\n", "c\n"+strings.ReplaceAll(many, "x", "y")+"d\n"))
	if strings.Count(long, "-") != 3002 || strings.Count(long, "+") != 3002 {
		t.Error("long texts are not compared as a whole")
	}
}

func joinLines(lines []ChangedLine) string {
	return strings.Join(Map(lines, func(l ChangedLine) string { return l.Mark + l.Text }), "|")
}
