package main_test

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
)

// No figure is judged here: what else the machine does while tests run decides it.
func TestBenchMeasuresOnADataSetThatVerifies(t *testing.T) {
	t.Parallel()
	server := os.Getenv(storetest.PostgresEnv)
	if server == "" {
		t.Skipf("no PostgreSQL: run scripts/test.sh, or set %s", storetest.PostgresEnv)
	}
	profile := filepath.Join(t.TempDir(), "cpu.pprof")
	measuring := command(
		t,
		nil,
		"bench",
		"--row",
		"8",
		"--seconds",
		"1",
		"--scale",
		"1",
		"--members",
		"1000",
		"--accounts",
		"1000",
		"--entries",
		"3001",
		"--postgres",
		server,
		"--cpuprofile",
		profile,
		"--json",
	)
	var output bytes.Buffer
	measuring.Stderr = &output
	printed, err := measuring.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &output)
	}
	results := decode[[]struct {
		Row                           int
		Name, Engine, Against         string
		Ratio, Floor, Goal, PerSecond float64
		P50Ms, P99Ms                  float64
		Met                           *bool
	}](t, string(printed))
	if len(results) != 2 {
		t.Fatalf("%+v", results)
	}
	for _, r := range results {
		if r.Row != 8 || r.Engine != "postgres" || r.Ratio <= 0 || r.Floor != 0.6 || r.Goal != 0.8 || r.PerSecond <= 0 || r.P99Ms < r.P50Ms || r.Met == nil ||
			!strings.Contains(r.Against, "pgbench -N: ") ||
			!strings.Contains(r.Against, "synchronous_commit") {
			t.Errorf("%+v", r)
		}
	}
	if info, err := os.Stat(profile); err != nil || info.Size() == 0 {
		t.Errorf("profile: %v", err)
	}
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/laurel_bench_data_1000_3001"
	green(t, u.String())
}

func TestBenchRefusesWhatItCannotMeasure(t *testing.T) {
	t.Parallel()
	for line, says := range map[string]string{
		"--row 99":                   "there is no row 99",
		"--row=":                     "--row: must be numbers of rows such as 1,2", // of a script whose variable is not set
		"--row 1,x":                  "--row: must be numbers of rows such as 1,2",
		"--row 3 --engine postgres":  "row 3 is not measured on postgres",
		"--growth x --sizes=":        "--sizes must be numbers of entries",
		"--entries 10":               "--entries must be at least",
		"--row 1 --engine something": "--engine must be one of",
	} {
		e := run(t, append([]string{"bench", "--json"}, strings.Fields(line)...)...).fails(says)
		if e.status != 2 || e.stdout != "" {
			t.Errorf("%s: status %d\n%s", line, e.status, e.stdout)
		}
	}
}
