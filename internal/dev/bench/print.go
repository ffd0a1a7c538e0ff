package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Heading describes the build and the machine that figures come from.
func Heading(ctx context.Context) string { return "commit " + commit(ctx) + "\nmachine " + machine() }

// commit returns the commit that the binary was built from, or says that it is not known.
func commit(ctx context.Context) string {
	revision, changed := "", ""
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = " with changes"
		}
	}
	if revision != "" {
		return revision + changed
	}
	if out, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty").Output(); err == nil {
		return strings.TrimSpace(string(out)) + " (of the present folder: the binary was built without its version)"
	}
	return "unknown: the binary was built without its version"
}

// Print writes the results as a table. Each line is followed by the name of the result and what it is measured against.
func Print(out io.Writer, results []Result) error {
	var lines bytes.Buffer
	table := tabwriter.NewWriter(&lines, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "row\tengine\tratio\tfloor\tgoal\tper second\tp50 ms\tp99 ms\tmet") // a Buffer never fails
	for _, r := range results {
		_, _ = fmt.Fprintf(
			table,
			"%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			r.Row,
			r.Engine,
			formatNumber(&r.Ratio),
			r.formatBound(r.Floor),
			r.formatBound(r.Goal),
			formatNumber(r.PerSecond),
			formatNumber(r.P50Ms),
			formatNumber(r.P99Ms),
			r.verdict(),
		)
	}
	_ = table.Flush()
	i := -1 // of the line with the headings
	for line := range strings.Lines(lines.String()) {
		if i >= 0 {
			line += "     " + results[i].Name + "\n     against " + results[i].Against + "\n"
		}
		if _, err := io.WriteString(out, line); err != nil {
			return err
		}
		i++
	}
	return nil
}

// formatBound formats a floor or goal, with the direction in which the figure must lie below it.
func (r Result) formatBound(value float64) string {
	if r.lowerIsBetter {
		return "<= " + formatNumber(&value)
	}
	return formatNumber(&value)
}

// verdict says whether the goal is met, and whether the figure is worse than the floor.
func (r Result) verdict() string {
	switch {
	case r.Met:
		return "yes"
	case r.BelowFloor():
		return "no, worse than the floor"
	}
	return "no"
}

// formatNumber formats a figure; nil is a dash.
func formatNumber(x *float64) string {
	if x == nil {
		return "-"
	}
	return strconv.FormatFloat(*x, 'f', -1, 64)
}
