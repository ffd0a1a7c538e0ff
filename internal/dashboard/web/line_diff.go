package web

import (
	"slices"
	"strings"
)

// ChangedLine is a line of a comparison of two texts.
type ChangedLine struct {
	Mark string // "+", "-", or " " for one that stays; "…": some that stay are left out
	Text string
}

const (
	contextLines = 3         // shown before and after a change
	maxDiffCells = 4_000_000 // bounds the table of the longest common subsequence
)

// DiffLines returns the difference of two texts, line by line. Lines at the start and the end that both texts share are
// not compared again. Unchanged lines far from changes are folded.
func DiffLines(before, after string) []ChangedLine {
	oldLines := strings.Split(strings.TrimSuffix(before, "\n"), "\n")
	newLines := strings.Split(strings.TrimSuffix(after, "\n"), "\n")
	shorter := min(len(oldLines), len(newLines))
	atStart := 0 // how many lines both share there
	for atStart < shorter && oldLines[atStart] == newLines[atStart] {
		atStart++
	}
	atEnd := 0
	for atEnd < shorter-atStart && oldLines[len(oldLines)-1-atEnd] == newLines[len(newLines)-1-atEnd] {
		atEnd++
	}
	oldEnd, newEnd := len(oldLines)-atEnd, len(newLines)-atEnd
	lines := markLines(" ", oldLines[:atStart])
	lines = append(lines, diffBySubsequence(oldLines[atStart:oldEnd], newLines[atStart:newEnd])...)
	return foldUnchanged(append(lines, markLines(" ", oldLines[oldEnd:])...))
}

// markLines returns the lines, each with the mark.
func markLines(mark string, lines []string) []ChangedLine {
	return Map(lines, func(text string) ChangedLine { return ChangedLine{mark, text} })
}

// diffBySubsequence compares lines by their longest common subsequence: lines of it stay, other old lines are removed
// and other new lines added. Texts that would need too large a table are replaced as a whole.
func diffBySubsequence(oldLines, newLines []string) []ChangedLine {
	if len(oldLines)*len(newLines) > maxDiffCells {
		return slices.Concat(markLines("-", oldLines), markLines("+", newLines))
	}
	width := len(newLines) + 1
	// common[i*width+j] is how many lines oldLines[i:] and newLines[j:] share, in their order.
	common := make([]int32, (len(oldLines)+1)*width)
	for i := len(oldLines) - 1; i >= 0; i-- {
		for j := len(newLines) - 1; j >= 0; j-- {
			if oldLines[i] == newLines[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	var out []ChangedLine
	i, j := 0, 0
	for i < len(oldLines) && j < len(newLines) {
		switch {
		case oldLines[i] == newLines[j]:
			out = append(out, ChangedLine{" ", oldLines[i]})
			i, j = i+1, j+1
		case common[(i+1)*width+j] >= common[i*width+j+1]:
			out = append(out, ChangedLine{"-", oldLines[i]})
			i++
		default:
			out = append(out, ChangedLine{"+", newLines[j]})
			j++
		}
	}
	return slices.Concat(out, markLines("-", oldLines[i:]), markLines("+", newLines[j:]))
}

// foldUnchanged replaces each run of unchanged lines that are more than contextLines away from every change by one "…"
// line.
func foldUnchanged(lines []ChangedLine) []ChangedLine {
	isNear := make([]bool, len(lines))
	for i, line := range lines {
		if line.Mark == " " {
			continue
		}
		for k := max(0, i-contextLines); k < min(len(lines), i+contextLines+1); k++ {
			isNear[k] = true
		}
	}
	var out []ChangedLine
	for i, line := range lines {
		if isNear[i] {
			out = append(out, line)
		} else if len(out) == 0 || out[len(out)-1].Mark != "…" {
			out = append(out, ChangedLine{Mark: "…"})
		}
	}
	return out
}
