package bench_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/bench"
)

func TestAPercentileIsTheSmallestTimeThatSoManyDoNotExceed(t *testing.T) {
	t.Parallel()
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(i + 1)
	}
	for _, c := range []struct {
		times []time.Duration
		p     float64
		want  time.Duration
	}{
		{nil, 50, 0}, {hundred[:1], 99, 1}, {hundred, 50, 50}, {hundred, 99, 99}, {hundred, 100, 100}, {hundred[:3], 50, 2}, {hundred[:3], 99, 3}, {hundred, 0, 1},
	} {
		if got := bench.Percentile(c.times, c.p); got != c.want {
			t.Errorf("p%v of %d times is %d, want %d", c.p, len(c.times), got, c.want)
		}
	}
}

func TestAGoalIsMetOnTheRightSideAndWithItsP99(t *testing.T) {
	t.Parallel()
	fast, slow := 60*time.Millisecond, 61*time.Millisecond
	for _, c := range []struct {
		name           string
		got            bench.Result
		met, belowNorm bool
	}{
		{"exactly the goal", bench.Judge(0.8, 1.5, false, 0, 1.5), true, false},
		{"between floor and goal", bench.Judge(0.8, 1.5, false, 0, 1.4994), false, false},
		{"below the floor", bench.Judge(0.8, 1.5, false, 0, 0.799), false, true},
		{"at most, reached", bench.Judge(50, 15, true, 0, 15), true, false},
		{"at most, missed", bench.Judge(50, 15, true, 0, 15.001), false, false},
		{"at most, worse than the floor", bench.Judge(50, 15, true, 0, 51), false, true},
		{"p99 within", bench.Judge(0.8, 1.5, false, 60, 2, fast), true, false},
		{"p99 beyond", bench.Judge(0.8, 1.5, false, 60, 2, fast, slow), false, false},
		{"p99 asked for and not measured", bench.Judge(0.8, 1.5, false, 60, 2), false, false},
	} {
		if c.got.Met != c.met || c.got.BelowFloor() != c.belowNorm {
			t.Errorf("%s: met %v, below floor %v: %+v", c.name, c.got.Met, c.got.BelowFloor(), c.got)
		}
	}
}

func TestAResultHasTheDocumentedMembersOnly(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(
		[]bench.Result{
			bench.Judge(0.8, 1.5, false, 0, 1.23456, time.Millisecond, 2500*time.Microsecond),
			bench.Judge(500, 300, true, 0, 200),
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := []string{"against", "engine", "floor", "goal", "met", "name", "p50Ms", "p99Ms", "perSecond", "ratio", "row"}
	for _, r := range got {
		if keys := slices.Sorted(maps.Keys(r)); !slices.Equal(keys, want) {
			t.Errorf("members %v", keys)
		}
	}
	if r := got[0]; r["ratio"] != 1.235 || r["perSecond"] != 2.0 || r["p50Ms"] != 1.0 || r["p99Ms"] != 2.5 {
		t.Errorf("%v", r)
	}
	if r := got[1]; r["perSecond"] != nil || r["p50Ms"] != nil {
		t.Errorf("figures that were not measured: %v", r)
	}
}

func TestFiguresOfPgbenchThatDifferTooMuchAreTold(t *testing.T) {
	t.Parallel()
	if text, steady := bench.CompareYardstick(1000, 700, 1); !steady || text != "pgbench -N: 1000/s before, 700/s after" {
		t.Errorf("%v %s", steady, text)
	}
	text, steady := bench.CompareYardstick(699, 1000, 3)
	if steady || !strings.Contains(text, "repeated, run 3 of at most 3") ||
		!strings.Contains(text, "still more than 30 % apart") {
		t.Errorf("%v %s", steady, text)
	}
}

func TestTheTableTellsBoundsAndVerdicts(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := bench.Judge(50, 15, true, 0, 60, time.Millisecond)
	r.Row, r.Engine, r.Against = 7, bench.Postgres, "ms"
	if err := bench.Print(&out, []bench.Result{r, bench.Judge(0.8, 1.5, false, 0, 2)}); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"row engine ratio floor goal", "7 postgres 60 <= 50 <= 15 1 1 1 no, worse than the floor", "a line", "against ms", "0.8 1.5 - - - yes"} {
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), words) {
			t.Errorf("%q is not in\n%s", words, &out)
		}
	}
}

func TestTheMeasuredTimeLeavesOutTheWarmUpAndAnEndingFails(t *testing.T) {
	t.Parallel()
	done, perSecond, p99, err := bench.Closed(
		t.Context(),
		100*time.Millisecond,
		func() error { time.Sleep(time.Millisecond); return nil },
	)
	if err != nil || done < 2 || done > 100 || perSecond != float64(10*done) || p99 < time.Millisecond {
		t.Errorf("%d done, %v/s, p99 %v, %v", done, perSecond, p99, err)
	}
	done, _, p99, err = bench.Closed(
		t.Context(),
		10*time.Millisecond,
		func() error { time.Sleep(50 * time.Millisecond); return nil },
	)
	if err != nil || done != 1 || p99 < 50*time.Millisecond {
		t.Errorf("a step longer than the measured time: %d done, p99 %v, %v", done, p99, err)
	}
	broken := errors.New("broken")
	if _, _, _, err := bench.Closed(t.Context(), time.Minute, func() error { return broken }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func TestRowsAndEnginesThatDoNotGoTogetherAreRefused(t *testing.T) {
	t.Parallel()
	good := bench.Options{
		Rows:     []int{1},
		Engine:   bench.SQLite,
		Time:     time.Second,
		Scale:    1,
		Members:  1000,
		Accounts: 1000,
		Entries:  3000,
	}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for says, change := range map[string]func(*bench.Options){
		"there is no row 99":              func(o *bench.Options) { o.Rows = []int{1, 99} },
		"row 7 is not measured on sqlite": func(o *bench.Options) { o.Rows = []int{7} },
		"--seconds":                       func(o *bench.Options) { o.Time = 0 },
		"--scale":                         func(o *bench.Options) { o.Scale = 0 },
		"--members":                       func(o *bench.Options) { o.Members = 999 },
		"--accounts":                      func(o *bench.Options) { o.Accounts = 1 },
		"--entries must be at least 1001": func(o *bench.Options) { o.Entries = 1000 },
		"--entries are too many":          func(o *bench.Options) { o.Entries = 1_000_000 },
	} {
		o := good
		change(&o)
		if err := o.Validate(); laurel.CodeOf(err) != laurel.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func TestGrowthIsDrawnAsSVG(t *testing.T) {
	t.Parallel()
	at := func(entries int, rate float64, p50 int) bench.SizeResults {
		completions, reads := bench.Judge(
			0.8,
			1.5,
			false,
			0,
			rate,
		), bench.Judge(
			50,
			15,
			true,
			0,
			20,
			time.Duration(p50)*time.Millisecond,
		)
		completions.Name, reads.Name = "completions & more, at 1000000 entries", "reads, p99, at 1000000 entries"
		return bench.SizeResults{Entries: entries, Results: []bench.Result{completions, reads}}
	}
	var out bytes.Buffer
	if err := bench.PlotGrowth(
		&out,
		[]bench.SizeResults{at(1_000_000, 1, 4), at(5_000_000, 0.8, 4), at(20_000_000, 0.5, 12)},
	); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(out.Bytes())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, words := range []string{"row 0: completions &amp; more (2.00)", "row 0: reads (3.00)", "1 M", "5 M", "20 M"} {
		if !strings.Contains(out.String(), words) {
			t.Errorf("%q is not in\n%s", words, &out)
		}
	}
}
