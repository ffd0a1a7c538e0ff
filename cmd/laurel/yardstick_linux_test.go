package main_test

import (
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Seconds of CPU time say more about a machine than about the server. Tests of cost compare the server with a yardstick
// instead: a fixed piece of the same kind of work, which the test does itself, on the same machine and in the same run.

// decoding is the yardstick for reading: encoding/json decodes 1 MiB of small objects.
var decoding = yardstick{name: "decoding 1 MiB of JSON", work: func() {
	var into any
	if err := json.Unmarshal(mebibyteOfObjects(), &into); err != nil {
		panic(err)
	}
}}

var mebibyteOfObjects = sync.OnceValue(func() []byte {
	const item = `{"walletAddress":"0x00000000000000000000000000000000000000a1","amount":12.5},`
	return []byte("[" + strings.Repeat(item, mebibyte/len(item)) + "null]")
})

// yardstick is a piece of work, and the longest CPU time that it has taken so far.
type yardstick struct {
	name string
	work func()

	mu      sync.Mutex
	longest time.Duration
}

// measured returns the CPU time of the work: the median of five, and the longest that was measured so far.
func (y *yardstick) measured() time.Duration {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.longest == 0 {
		y.longest = y.median()
	}
	return y.longest
}

// again measures the work once more: the machine may have become slower meanwhile.
func (y *yardstick) again() time.Duration {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.longest = max(y.longest, y.median())
	return y.longest
}

func (y *yardstick) median() time.Duration {
	runtime.LockOSThread() // the accounting is by thread
	defer runtime.UnlockOSThread()
	var took []time.Duration
	for range 5 {
		begun := threadCPU()
		y.work()
		took = append(took, threadCPU()-begun)
	}
	slices.Sort(took)
	return took[len(took)/2]
}

// threadCPU returns the CPU time of the calling thread, in user and kernel mode (getrusage(2), RUSAGE_THREAD).
func threadCPU() time.Duration {
	var usage syscall.Rusage
	const thread = 1
	if err := syscall.Getrusage(thread, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// takesAtMost fails the test where the CPU time is more than so many times that of the yardstick.
func (y *yardstick) takesAtMost(t testing.TB, what string, cpu time.Duration, times int) {
	t.Helper()
	if cpu <= time.Duration(times)*y.measured() {
		return
	}
	if one := y.again(); cpu > time.Duration(times)*one {
		t.Errorf("%s took %v of CPU time, want at most %d times that of %s, which is %v", what, cpu, times, y.name, one)
	}
}

func TestAYardstickTellsWorkOfOtherSizes(t *testing.T) {
	t.Parallel()
	one := decoding.again()
	t.Logf("%s: %v", decoding.name, one)
	if one <= 0 {
		t.Fatal("the yardstick takes no time")
	}
	verdict := &recorded{TB: t}
	decoding.takesAtMost(verdict, "as much again", 2*one, 1)
	if !verdict.failed {
		t.Error("twice the work passes as once")
	}
}

// recorded is a test that only records that it failed.
type recorded struct {
	testing.TB
	failed bool
}

func (r *recorded) Errorf(string, ...any) { r.failed = true }
