package audit_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"laurel.example/laurel/internal/points/audit"
	"laurel.example/laurel/internal/store"
)

// BenchmarkSealing tells what an entry costs in CPU time: of this process, and of PostgreSQL where it runs on the same
// machine. Each posting makes two entries, a user's and the main account's.
//
//	go test ./internal/points/audit -run '^$' -bench Sealing -benchtime 5x
func BenchmarkSealing(b *testing.B) {
	eachBench(b, func(b *testing.B, w *world) {
		b.Helper()
		const postings = 20_000
		w.post(1)
		w.sealSeldomAsking()
		var posting, sealing spending
		for range b.N {
			posting.add(w.spent(func() { w.postConcurrently(postings) }))
			sealing.add(w.spent(w.sealSeldomAsking))
		}
		verifying := w.spent(func() {
			if report := w.verify(audit.Trust{}); len(report.Discrepancies) > 0 || report.Seal.Unsealed > 0 {
				b.Errorf("%+v", report)
			}
		})
		b.ReportMetric(0, "ns/op")
		posting.report(b, "posting", 2*postings*b.N)
		sealing.report(b, "sealing", 2*postings*b.N)
		verifying.report(b, "verifying", 2*postings*b.N)
	})
}

// postConcurrently posts from 64 callers at once.
func (w *world) postConcurrently(postings int) {
	var callers sync.WaitGroup
	for c := range 64 {
		callers.Go(func() {
			for i := c; i < postings; i += 64 {
				if _, err := w.try(i); err != nil {
					w.t.Error(err)
				}
			}
		})
	}
	callers.Wait()
}

// sealSeldomAsking is seal where asking must not be what is measured.
func (w *world) sealSeldomAsking() {
	n := w.node()
	stop := n.run(w.t, key(1))
	defer stop()
	for s := n.state(w.t); !s.Started || s.Entries > 0; s = n.state(w.t) {
		time.Sleep(time.Second / 10)
	}
}

// spending is CPU time.
type spending struct{ server, postgres time.Duration }

func (s *spending) add(more spending) {
	s.server, s.postgres = s.server+more.server, s.postgres+more.postgres
}

func (s spending) report(b *testing.B, what string, entries int) {
	b.Helper()
	each := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 / float64(entries) }
	b.ReportMetric(each(s.server), what+"-server-µs")
	if s.postgres > 0 {
		b.ReportMetric(each(s.postgres), what+"-postgres-µs")
	}
}

// spent tells what the function costs, with what it leaves behind to be collected.
func (w *world) spent(f func()) spending {
	w.t.Helper()
	runtime.GC()
	server, postgres := w.serverTime(), w.postgresTime()
	f()
	runtime.GC()
	return spending{w.serverTime() - server, w.postgresTime() - postgres}
}

func (w *world) serverTime() time.Duration {
	w.t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		w.t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// postgresTime adds up the processes of the server.
func (w *world) postgresTime() (total time.Duration) {
	w.t.Helper()
	if w.db.Engine() != store.Postgres {
		return 0
	}
	var pids []int
	if err := w.db.Select(ctx, &pids, "SELECT pid FROM pg_stat_activity"); err != nil {
		w.t.Fatal(err)
	}
	for _, pid := range pids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		for _, field := range strings.Fields(rest)[11:13] { // user and system time, in hundredths of a second
			n, err := strconv.Atoi(field)
			if err != nil {
				w.t.Fatal(err)
			}
			total += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return total
}
