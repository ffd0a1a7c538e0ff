package bench

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

const (
	pgbenchDatabase = "laurel_bench_pgbench"
	maxTries        = 3   // of a run whose two rates of pgbench differ too much
	maxDifference   = 0.3 // of the two rates, as a part of the larger one
)

// pgbenchRates has the transactions per second of pgbench before and after a run. try is the number of the run's
// attempt.
type pgbenchRates struct {
	before, after float64 // transactions per second
	try           int
}

func (s pgbenchRates) mean() float64 { return (s.before + s.after) / 2 }

func (s pgbenchRates) isSteady() bool { return relativeDifference(s.before, s.after) <= maxDifference }

// String returns both rates, whether the run was repeated, and whether the rates still differ too much.
func (s pgbenchRates) String() string {
	text := fmt.Sprintf("pgbench -N: %.0f/s before, %.0f/s after", s.before, s.after)
	if s.try > 1 {
		text += fmt.Sprintf("; repeated, run %d of at most %d", s.try, maxTries)
	}
	if !s.isSteady() {
		text += fmt.Sprintf("; still more than %.0f %% apart", 100*maxDifference)
	}
	return text
}

// withPgbench calls run between two runs of pgbench. If their rates differ too much, the machine did other work
// meanwhile, and all three are repeated, at most maxTries times in total. It returns the figures of the last run, and
// the rates before and after it. name is for the log.
func (b *bench) withPgbench(
	ctx context.Context, name string, run func() (measured, error),
) (measured, pgbenchRates, error) {
	c, err := b.postgres(ctx)
	if err != nil {
		return measured{}, pgbenchRates{}, err
	}
	if err := b.preparePgbench(ctx, c); err != nil {
		return measured{}, pgbenchRates{}, err
	}
	for try := 1; ; try++ {
		s := pgbenchRates{try: try}
		if s.before, err = b.pgbench(ctx, c); err != nil {
			return measured{}, s, err
		}
		m, err := run()
		if err != nil {
			return measured{}, s, err
		}
		if s.after, err = b.pgbench(ctx, c); err != nil {
			return measured{}, s, err
		}
		b.logf("%s: %.0f/s, p50 %v, p99 %v; %s", name, m.perSecond, m.p50, m.p99, s)
		if s.isSteady() || try == maxTries {
			return m, s, nil
		}
	}
}

// preparePgbench fills the database of pgbench, unless it is filled at the scale already.
func (b *bench) preparePgbench(ctx context.Context, c *cluster) error {
	path, err := pgbenchPath()
	if err != nil {
		return err
	}
	scale, err := c.pgbenchScale(ctx)
	if err != nil || scale == b.Scale {
		return err
	}
	b.logf("filling pgbench at scale %d", b.Scale)
	if err := c.recreate(ctx, pgbenchDatabase); err != nil {
		return err
	}
	_, err = run(ctx, path, "-i", "-q", "-s", strconv.Itoa(b.Scale), c.database(pgbenchDatabase))
	return err
}

// pgbenchPath returns the path of pgbench: beside the other programs of PostgreSQL, or that of PATH.
func pgbenchPath() (string, error) {
	if bin, err := postgresBin(); err == nil {
		if path, err := exec.LookPath(filepath.Join(bin, "pgbench")); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath("pgbench")
	if err != nil {
		return "", missingProgram("pgbench", "PostgreSQL", "postgresql")
	}
	return path, nil
}

var transactionsPerSecond = regexp.MustCompile(`(?m)^tps = ([0-9.]+)`)

// pgbench runs pgbench and returns its transactions per second: what one committed update costs on this server.
func (b *bench) pgbench(ctx context.Context, c *cluster) (float64, error) {
	path, err := pgbenchPath()
	if err != nil {
		return 0, err
	}
	if err := c.checkpoint(ctx); err != nil { // so that no run pays for writes of an earlier one
		return 0, err
	}
	const longer = 8 // times: a busy server may commit nothing in the shortest runs, and pgbench then prints no figure
	for _, seconds := range []float64{b.Time.Seconds(), longer * b.Time.Seconds()} {
		// -N updates one row per transaction, without rows that all clients share; -n does not vacuum first
		out, err := run(ctx, path, "-N", "-n", "-M", "prepared", "-c", "16", "-j", "2", "-T", strconv.Itoa(int(seconds)),
			c.database(pgbenchDatabase))
		if err != nil {
			return 0, err
		}
		if found := transactionsPerSecond.FindStringSubmatch(out); found != nil {
			return strconv.ParseFloat(found[1], 64)
		}
		b.logf("pgbench did not print its figure: %s", lastLines(out, 3))
	}
	return 0, errors.New("pgbench prints no figure: the server commits nothing")
}
