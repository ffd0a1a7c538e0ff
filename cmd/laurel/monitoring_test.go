package main_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

const monitoringFolder = "../../packaging/monitoring/"

var (
	metricsLine = regexp.MustCompile(`(?m)^Metrics: (http://\S+)$`)
	typeLine    = regexp.MustCompile(`(?m)^# TYPE (\S+) \S+$`)
	sampleLine  = regexp.MustCompile(`(?m)^([a-z]\w*)[{ ]`)
	metricName  = regexp.MustCompile(`\b(?:laurel|process|go)_[a-z0-9_]+`)
	exprLine    = regexp.MustCompile(`(?m)^\s+expr: >-\n\s+(.*)$`)
	alertLine   = regexp.MustCompile(`(?m)^\s+- alert: (\w+)$`)
	runbookLine = regexp.MustCompile(`(?m)^\s+runbook_url: (\S+)$`)
)

// fileText returns a file of the repository, by its path from this package.
func fileText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// dashboardQueries returns the queries of all panels of the Grafana dashboard.
func dashboardQueries(t *testing.T) (out []string) {
	t.Helper()
	var dashboard struct {
		Panels []struct {
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(fileText(t, monitoringFolder+"grafana-dashboard.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			out = append(out, target.Expr)
		}
	}
	return out
}

// alertQueries returns the expressions of all alerts.
func alertQueries(t *testing.T) (out []string) {
	t.Helper()
	for _, found := range exprLine.FindAllStringSubmatch(fileText(t, monitoringFolder+"alerts.yml"), -1) {
		out = append(out, found[1])
	}
	return out
}

// TestWhatTheDashboardAndTheAlertsAskForIsThere holds the files to a running server, and the server's metrics to the
// pages.
func TestWhatTheDashboardAndTheAlertsAskForIsThere(t *testing.T) {
	t.Parallel()
	s := start(t, showing, nil, "demo", "--chain", "recorded", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0")
	wait.Until(t, "the demo shows where its metrics are", func() bool { return metricsLine.MatchString(s.out.String()) })
	address := metricsLine.FindStringSubmatch(s.out.String())[1]
	metrics := caller{t: t, address: strings.TrimSuffix(address, "/metrics"), client: http.DefaultClient}
	s.caller("").get("/api/loyalty/rules") // so that there is a request
	var asked []string
	for _, query := range append(dashboardQueries(t), alertQueries(t)...) {
		asked = append(asked, metricName.FindAllString(query, -1)...)
	}
	slices.Sort(asked)
	if asked = slices.Compact(asked); len(asked) < 40 {
		t.Fatalf("only %d metrics are asked for: %v", len(asked), asked)
	}
	text, missing := "", asked
	wait.Until(t, "the server has the metrics "+strings.Join(asked, " "), func() bool {
		text, missing = metrics.get("/metrics").body, nil
		var samples []string
		for _, found := range sampleLine.FindAllStringSubmatch(text, -1) {
			samples = append(samples, found[1])
		}
		for _, name := range asked {
			if !slices.Contains(samples, name) {
				missing = append(missing, name)
			}
		}
		return len(missing) == 0
	})
	pages := fileText(t, "../../docs/operations.md") + fileText(t, "../../docs/networks.md")
	for _, found := range typeLine.FindAllStringSubmatch(text, -1) {
		if name := found[1]; strings.HasPrefix(name, "laurel_") && !strings.Contains(pages, "`"+name+"`") {
			t.Errorf("no page describes %s", name)
		}
	}
}

func TestEachAlertHasATestAndASectionThatSaysWhatToDo(t *testing.T) {
	t.Parallel()
	rules, tests := fileText(t, monitoringFolder+"alerts.yml"), fileText(t, monitoringFolder+"alerts_test.yml")
	page := fileText(t, "../../docs/operations.md")
	alerts := alertLine.FindAllStringSubmatch(rules, -1)
	runbooks := runbookLine.FindAllStringSubmatch(rules, -1)
	if len(alerts) < 20 || len(alerts) != len(runbooks) || len(alerts) != len(alertQueries(t)) {
		t.Fatalf("%d alerts, %d runbooks", len(alerts), len(runbooks))
	}
	for i, found := range alerts {
		name := found[1]
		if !strings.Contains(tests, `alertname="`+name+`"`) {
			t.Errorf("%s has no test", name)
		}
		if !strings.Contains(page, "\n#### "+name+"\n") {
			t.Errorf("docs/operations.md has no section %s", name)
		}
		if want := "docs/operations.md#" + strings.ToLower(name); runbooks[i][1] != want {
			t.Errorf("%s: the runbook is %s, want %s", name, runbooks[i][1], want)
		}
	}
}

func TestMetricsHaveAListenerOfTheirOwnIfTheOperatorWants(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		s := serve(t, database, "--metrics-listen", "127.0.0.1:0")
		own := regexp.MustCompile(`metrics=(http://\S+)/metrics`).FindStringSubmatch(s.out.String())
		if own == nil {
			t.Fatalf("the log does not say where the metrics are:\n%s", s.out)
		}
		metrics := caller{t: t, address: own[1], client: http.DefaultClient}
		if got := metrics.get("/metrics"); got.status != 200 || !strings.Contains(got.body, "laurel_points_total") {
			t.Errorf("the metrics: %d %.200s", got.status, got.body)
		}
		if got := s.caller("").get("/metrics"); got.status != http.StatusNotFound {
			t.Errorf("the public listener: %d", got.status)
		}
		taken := strings.TrimPrefix(own[1], "http://")
		other := filepath.Join(t.TempDir(), "other.db")
		run(t, "serve", "--listen", "127.0.0.1:0", "--metrics-listen", taken, "--database", "sqlite:"+other).
			fails("is taken", "--metrics-listen (LAUREL_METRICS_LISTEN)")
		run(t, "serve", "--listen", "127.0.0.1:0", "--metrics-listen", "here", "--database", "sqlite:"+other).
			fails("--metrics-listen here must be an address and a port")
		if _, err := os.Stat(other); err == nil {
			t.Error("an address that is taken leaves a database behind")
		}
		if status := s.stop(syscall.SIGTERM); status != 0 {
			t.Errorf("exit status %d", status)
		}
	})
}

func TestALogForPrograms(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + filepath.Join(t.TempDir(), "laurel.db")
	pattern := regexp.MustCompile(`"msg":"serving","address":"(http://[^"]+)"`)
	env := []string{"LAUREL_LOG_FORMAT=json", "LAUREL_DRAIN=0s"}
	s := start(t, pattern, env, "serve", "--listen", "127.0.0.1:0", "--database", database, "--log-level", "debug")
	s.caller("").get("/api/loyalty/rules?apiKey=hidden-in-the-query")
	if status := s.stop(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
	requests := 0
	for line := range strings.Lines(s.out.String()) {
		if !strings.HasPrefix(line, "{") {
			continue // the link for the first admin stands on stdout
		}
		entry := decode[map[string]any](t, line)
		if entry["msg"] == "request" && entry["route"] == "/api/loyalty/rules" && entry["status"] == 403.0 {
			requests++
		}
	}
	if requests != 1 || strings.Contains(s.out.String(), "hidden-in-the-query") {
		t.Errorf("%d requests in the log:\n%s", requests, s.out)
	}
	failed := runWith(t, env, "migrate", "status", "--database", "sqlite:"+filepath.Join(t.TempDir(), "none.db"))
	entry := decode[map[string]any](t, failed.stderr)
	if failed.status != 1 || entry["level"] != "ERROR" || !strings.Contains(entry["error"].(string), "does not exist") {
		t.Errorf("status %d: %s", failed.status, failed.stderr)
	}
}
