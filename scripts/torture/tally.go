package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// maxShownFindings is how many findings of a round are printed: one fault often shows in a hundred places.
const maxShownFindings = 10

// reporter counts rounds and prints a line for each.
type reporter struct {
	out          io.Writer
	rounds       int
	failedRounds []string // lines of the rounds that failed
}

// addRound prints the line of a round: its name, its story, which says what happened, and how long it took. It also
// prints the findings, at most maxShownFindings. A round with findings counts as failed.
func (t *reporter) addRound(name, story string, took time.Duration, findings []string) {
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
		if i == maxShownFindings {
			f = fmt.Sprintf("and %d more", len(findings)-maxShownFindings)
		}
		f = "       " + f
		fmt.Fprintln(t.out, f)
		line += "\n" + f
		if i == maxShownFindings {
			break
		}
	}
	t.failedRounds = append(t.failedRounds, line)
}

// printSummary prints the totals and the failed rounds, and reports whether all went well: there were rounds, and none
// failed. If so, it removes the folder of the logs if that is temporary.
func (t *reporter) printSummary(o options, took time.Duration) bool {
	seeds := strings.Trim(strings.ReplaceAll(fmt.Sprint(o.seeds), " ", ","), "[]")
	fmt.Fprintf(
		t.out,
		"\ntorture: %d rounds, %d red, seeds %s, %s, %.0f s\n",
		t.rounds,
		len(t.failedRounds),
		seeds,
		strings.Join(o.engines, " and "),
		took.Seconds(),
	)
	if len(t.failedRounds) == 0 && t.rounds > 0 {
		if o.isTemporaryDir {
			_ = os.RemoveAll(o.dir)
		}
		return true
	}
	for _, line := range t.failedRounds {
		fmt.Fprintln(t.out, line)
	}
	fmt.Fprintf(t.out, "the logs of the servers are in %s; replay with SEED=%s make torture\n", o.dir, seeds)
	return false
}
