package bench

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel/internal/dev/freeport"
)

const (
	coldStarts  = 10
	coldTimeout = 30 * time.Second
	idleTime    = 5 * time.Second // after it the garbage of the start is collected
)

var (
	coldLimit   = limit{floor: 500, goal: 300, lowerIsBetter: true}
	memoryLimit = limit{floor: 120, goal: 80, lowerIsBetter: true}
	binaryLimit = limit{floor: 100, goal: 80, lowerIsBetter: true}
)

// measureColdStart measures the time from the start of the process on a new database, schema included, to the first
// response; the memory of an idle server; and the size of the binary.
func (b *bench) measureColdStart(ctx context.Context) ([]Result, error) {
	var times []time.Duration
	var resident int64
	for i := range coldStarts {
		isLast := i == coldStarts-1 // only its memory is measured, as that takes a while
		took, memory, err := b.coldStart(ctx, isLast)
		if err != nil {
			return nil, err
		}
		times, resident = append(times, took), memory
	}
	slices.Sort(times)
	size, how, err := b.binarySize(ctx)
	if err != nil {
		return nil, err
	}
	median := percentile(times, 50)
	start := coldLimit.newResult("cold start to first answer, SQLite, no file yet", milliseconds(median), measured{})
	p50, p99 := milliseconds(median), milliseconds(percentile(times, 99))
	start.P50Ms, start.P99Ms = &p50, &p99
	const mebi, mega = 1 << 20, 1_000_000
	return []Result{
		b.result(start, fmt.Sprintf("ms, the median of %d starts", coldStarts)),
		b.result(
			memoryLimit.newResult("resident memory of an idle server", float64(resident)/mebi, measured{}),
			fmt.Sprintf("MiB, %v after the first answer", idleTime),
		),
		b.result(binaryLimit.newResult("size of the binary", float64(size)/mega, measured{}), "MB, "+how),
	}, nil
}

// coldStart starts a server on a new SQLite database and returns the time until it was ready. With measureMemory it
// also returns the bytes of its memory after it has been idle for a while.
func (b *bench) coldStart(ctx context.Context, measureMemory bool) (took time.Duration, memory int64, err error) {
	path := filepath.Join(b.dir, "laurel_bench_cold.db")
	if err := b.removeSQLite(path); err != nil {
		return 0, 0, err
	}
	port, err := freeport.Find(ctx)
	if err != nil {
		return 0, 0, err
	}
	host := fmt.Sprintf("127.0.0.1:%d", port)
	ready := make(chan error, 1)
	begun := time.Now()
	go func() { ready <- waitUntilReady(ctx, host) }()
	s, err := b.start(ctx, []string{"serve", "--listen", host, "--database", "sqlite:" + path})
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, s.stop(), b.removeSQLite(path)) }()
	if err := <-ready; err != nil {
		return 0, 0, err
	}
	took = time.Since(begun)
	if measureMemory {
		time.Sleep(idleTime)
		memory, err = residentMemory(ctx, s.command.Process.Pid)
	}
	return took, memory, err
}

// waitUntilReady waits until the server reports that it is ready. While the server cannot be reached or is not ready,
// it tries again. It fails after coldTimeout, and at once if a request fails for another reason.
func waitUntilReady(ctx context.Context, host string) error {
	ctx, cancel := context.WithTimeout(ctx, coldTimeout)
	defer cancel()
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+"/readyz", http.NoBody)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(r)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		var refused *net.OpError
		if ctx.Err() != nil || err != nil && !errors.As(err, &refused) {
			return errors.Join(fmt.Errorf("the server did not answer within %v", coldTimeout), err)
		}
		time.Sleep(time.Millisecond)
	}
}

// residentMemory returns the bytes of memory that a process has, as the system says.
func residentMemory(ctx context.Context, pid int) (int64, error) {
	if n := kilobytes(fmt.Sprintf("/proc/%d/status", pid), "VmRSS"); n > 0 {
		return n, nil
	}
	out, err := run(ctx, "ps", "-o", "rss=", "-p", fmt.Sprint(pid))
	if err != nil {
		return 0, err
	}
	var n int64
	_, err = fmt.Sscan(out, &n)
	return n << 10, err
}

// binarySize returns the bytes of the program and how they were found: it is built as the README says if its source is
// in the current folder; else the measured program itself counts.
func (b *bench) binarySize(ctx context.Context) (int64, string, error) {
	path, how := b.Program, "the measured program"
	module, err := exec.CommandContext(ctx, "go", "list", "-m").Output()
	if err == nil && strings.TrimSpace(string(module)) == "laurel.example/laurel" {
		path, how = filepath.Join(b.dir, "laurel_bench_binary"), "go build ./cmd/laurel"
		build := exec.CommandContext(ctx, "go", "build", "-o", path, "laurel.example/laurel/cmd/laurel") //nolint:gosec // our own program
		if out, err := build.CombinedOutput(); err != nil {
			return 0, "", fmt.Errorf("go build: %w: %s", err, lastLines(string(out), 3))
		}
		defer func() { _ = os.Remove(path) }()
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, "", err
	}
	return info.Size(), how, nil
}
