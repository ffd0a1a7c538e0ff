package bench

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

const (
	pgbenchDatabase = "laurel_bench_pgbench"
	mostTries       = 3   // of a run whose two figures of pgbench differ
	mostApart       = 0.3 // of the larger one
)

// yardstick holds the transactions per second of pgbench before and after a run.
type yardstick struct {
	before, after float64 // transactions per second
	try           int
}

func (s yardstick) mean() float64 { return (s.before + s.after) / 2 }

func (s yardstick) isSteady() bool { return relativeDifference(s.before, s.after) <= mostApart }

// String returns both figures, and whether the run was repeated.
func (s yardstick) String() string {
	text := fmt.Sprintf("pgbench -N: %.0f/s before, %.0f/s after", s.before, s.after)
	if s.try > 1 {
		text += fmt.Sprintf("; repeated, run %d of at most %d", s.try, mostTries)
	}
	if !s.isSteady() {
		text += fmt.Sprintf("; still more than %.0f %% apart", 100*mostApart)
	}
	return text
}

// withPgbench runs pgbench before and after a run, which is repeated where the two figures differ too much: the machine
// did something else.
func (b *bench) withPgbench(
	ctx context.Context, name string, run func() (measured, error),
) (measured, yardstick, error) {
	c, err := b.postgres(ctx)
	if err != nil {
		return measured{}, yardstick{}, err
	}
	if err := b.preparePgbench(ctx, c); err != nil {
		return measured{}, yardstick{}, err
	}
	for try := 1; ; try++ {
		s := yardstick{try: try}
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
		if s.isSteady() || try == mostTries {
			return m, s, nil
		}
	}
}

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

func pgbenchPath() (string, error) {
	if bin, err := postgresBin(); err == nil {
		if path, err := exec.LookPath(filepath.Join(bin, "pgbench")); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath("pgbench")
	if err != nil {
		return "", missing("pgbench", "PostgreSQL", "postgresql")
	}
	return path, nil
}

var tps = regexp.MustCompile(`(?m)^tps = ([0-9.]+)`)

// pgbench returns transactions per second: the everyday price of one committed update on this server.
func (b *bench) pgbench(ctx context.Context, c *cluster) (float64, error) {
	path, err := pgbenchPath()
	if err != nil {
		return 0, err
	}
	if err := c.checkpoint(ctx); err != nil { // no run pays for what an earlier one wrote
		return 0, err
	}
	seconds := strconv.Itoa(int(b.Time.Seconds()))
	out, err := run(
		ctx,
		path,
		"-N",
		"-n",
		"-M",
		"prepared",
		"-c",
		"16",
		"-j",
		"2",
		"-T",
		seconds,
		c.database(pgbenchDatabase),
	)
	if err != nil {
		return 0, err
	}
	found := tps.FindStringSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("pgbench did not tell its figure: %s", lastLines(out, 3))
	}
	return strconv.ParseFloat(found[1], 64)
}
