package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// shownFindings bounds what one round prints: one fault often shows in a hundred places.
const shownFindings = 10

// tally counts rounds and prints a line for each.
type tally struct {
	out    io.Writer
	rounds int
	red    []string // lines of the rounds that failed
}

// round prints a round's line; findings make it red.
func (t *tally) round(name, story string, took time.Duration, findings []string) {
	t.rounds++
	verdict := "ok"
	if len(findings) > 0 {
		verdict = "RED"
	}
	line := fmt.Sprintf("%-3s  %s: %s, %.1f s", verdict, name, story, took.Seconds())
	fmt.Fprintln(t.out, line)
	if len(findings) == 0 {
		return
	}
	for i, f := range findings {
		if i == shownFindings {
			f = fmt.Sprintf("and %d more", len(findings)-shownFindings)
		}
		f = "       " + f
		fmt.Fprintln(t.out, f)
		line += "\n" + f
		if i == shownFindings {
			break
		}
	}
	t.red = append(t.red, line)
}

// summary prints the end and reports whether everything was well; then the folder of the logs is removed.
func (t *tally) summary(o options, took time.Duration) bool {
	seeds := strings.Trim(strings.ReplaceAll(fmt.Sprint(o.seeds), " ", ","), "[]")
	fmt.Fprintf(
		t.out,
		"\ntorture: %d rounds, %d red, seeds %s, %s, %.0f s\n",
		t.rounds,
		len(t.red),
		seeds,
		strings.Join(o.engines, " and "),
		took.Seconds(),
	)
	if len(t.red) == 0 && t.rounds > 0 {
		if o.passing {
			_ = os.RemoveAll(o.dir)
		}
		return true
	}
	for _, line := range t.red {
		fmt.Fprintln(t.out, line)
	}
	fmt.Fprintf(t.out, "the logs of the servers are in %s; replay with SEED=%s make torture\n", o.dir, seeds)
	return false
}
