package dashboard

import (
	"slices"
	"strings"
)

// changedLine is a line of a comparison of two texts.
type changedLine struct {
	Mark string // "+", "-", or " " for one that stays; "…": some that stay are left out
	Text string
}

const (
	contextLines = 3         // shown before and after a change
	maxDiffCells = 4_000_000 // bounds the table of the longest common subsequence
)

// diffLines returns the difference of two texts, line by line. Unchanged lines far from changes are folded.
func diffLines(before, after string) []changedLine {
	a, b := strings.Split(strings.TrimSuffix(before, "\n"), "\n"), strings.Split(strings.TrimSuffix(after, "\n"), "\n")
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	end := 0
	for end < min(len(a), len(b))-same && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	all := markLines(" ", a[:same])
	all = append(all, diffBySubsequence(a[same:len(a)-end], b[same:len(b)-end])...)
	return foldUnchanged(append(all, markLines(" ", a[len(a)-end:])...))
}

func markLines(mark string, lines []string) []changedLine {
	return mapSlice(lines, func(text string) changedLine { return changedLine{mark, text} })
}

// diffBySubsequence compares lines by their longest common subsequence. Texts that would need too large a table are
// replaced as a whole.
func diffBySubsequence(a, b []string) []changedLine {
	if len(a)*len(b) > maxDiffCells {
		return slices.Concat(markLines("-", a), markLines("+", b))
	}
	wide := len(b) + 1
	common := make([]int32, (len(a)+1)*wide) // how many lines the texts share from a pair of lines on
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*wide+j] = common[(i+1)*wide+j+1] + 1
			} else {
				common[i*wide+j] = max(common[(i+1)*wide+j], common[i*wide+j+1])
			}
		}
	}
	var out []changedLine
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			out = append(out, changedLine{" ", a[i]})
			i, j = i+1, j+1
		case common[(i+1)*wide+j] >= common[i*wide+j+1]:
			out = append(out, changedLine{"-", a[i]})
			i++
		default:
			out = append(out, changedLine{"+", b[j]})
			j++
		}
	}
	return slices.Concat(out, markLines("-", a[i:]), markLines("+", b[j:]))
}

// foldUnchanged replaces unchanged lines that are far from every change by one "…" line.
func foldUnchanged(all []changedLine) []changedLine {
	near := make([]bool, len(all))
	for i, line := range all {
		if line.Mark == " " {
			continue
		}
		for k := max(0, i-contextLines); k < min(len(all), i+contextLines+1); k++ {
			near[k] = true
		}
	}
	var out []changedLine
	for i, line := range all {
		if near[i] {
			out = append(out, line)
		} else if len(out) == 0 || out[len(out)-1].Mark != "…" {
			out = append(out, changedLine{Mark: "…"})
		}
	}
	return out
}
