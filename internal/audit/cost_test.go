package audit_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"laurel/internal/audit"
	"laurel/internal/store"
)

// BenchmarkSealing tells what an entry costs in CPU time: of this process, and of PostgreSQL where it runs on the same machine. Each posting makes two
// entries, a user's and the main account's. The first figures are of posting, the others of sealing what was posted.
//
//	go test ./internal/audit -run '^$' -bench Sealing -benchtime 1x
func BenchmarkSealing(b *testing.B) {
	eachBench(b, func(b *testing.B, w *world) {
		const postings = 20_000
		for range b.N {
			began := w.spent()
			w.crowd(postings)
			posted := w.spent()
			began.report(b, posted, "posting", 2*postings)
			w.seal()
			posted.report(b, w.spent(), "sealing", 2*postings)
		}
		b.StopTimer()
		at := time.Now()
		if report := w.verify(audit.Trust{}); len(report.Discrepancies) > 0 || report.Seal.Unsealed > 0 {
			b.Errorf("%+v", report)
		}
		b.ReportMetric(float64(time.Since(at).Microseconds())/float64(2*postings*b.N), "µs/verified")
	})
}

// crowd posts from 64 callers at once.
func (w *world) crowd(postings int) {
	var callers sync.WaitGroup
	for c := range 64 {
		callers.Go(func() {
			for i := range postings / 64 {
				if _, err := w.try(i*64 + c); err != nil {
					w.t.Error(err)
				}
			}
		})
	}
	for i := range postings % 64 {
		w.post(i)
	}
	callers.Wait()
}

// spending is CPU and other time so far.
type spending struct {
	at               time.Time
	server, postgres time.Duration
}

func (w *world) spent() spending {
	w.t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		w.t.Fatal(err)
	}
	now := spending{at: time.Now(), server: time.Duration(used.Utime.Nano() + used.Stime.Nano())}
	if w.db.Engine() != store.Postgres {
		return now
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
		fields := strings.Fields(rest)
		for _, f := range fields[11:13] { // user and system time, in hundredths of a second
			n, _ := strconv.Atoi(f)
			now.postgres += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return now
}

func (s spending) report(b *testing.B, to spending, what string, entries int) {
	b.ReportMetric(float64(entries)/to.at.Sub(s.at).Seconds(), what+"/s")
	b.ReportMetric(float64((to.server-s.server).Nanoseconds())/1000/float64(entries), what+"-server-µs")
	if to.postgres > 0 {
		b.ReportMetric(float64((to.postgres-s.postgres).Nanoseconds())/1000/float64(entries), what+"-postgres-µs")
	}
}
