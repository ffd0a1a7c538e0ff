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

// Heading tells the build and the machine that figures are of.
func Heading(ctx context.Context) string { return "commit " + commit(ctx) + "\nmachine " + machine() }

// commit returns what the binary was built from.
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

// Print writes a table, each line followed by its name and what it is measured against.
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
			number(&r.Ratio),
			r.bound(r.Floor),
			r.bound(r.Goal),
			number(r.PerSecond),
			number(r.P50Ms),
			number(r.P99Ms),
			r.verdict(),
		)
	}
	_ = table.Flush()
	i := -1
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

func (r Result) bound(value float64) string {
	if r.atMost {
		return "<= " + number(&value)
	}
	return number(&value)
}

func (r Result) verdict() string {
	switch {
	case r.Met:
		return "yes"
	case r.BelowFloor():
		return "no, worse than the floor"
	}
	return "no"
}

func number(x *float64) string {
	if x == nil {
		return "-"
	}
	return strconv.FormatFloat(*x, 'f', -1, 64)
}
