package budget_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
)

func TestACacheHoldsNoMoreBytesThanItMay(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	c := budget.NewCache(most, func(_ int, v []byte) int { return len(v) })
	held := func() (n int) {
		for v := range c.Values() {
			n += len(v)
		}
		return n
	}
	for i := range 10_000 {
		c.Set(i, bytes.Repeat([]byte{1}, 1+(i%100)<<10))
		if i%100 == 0 && held() > most {
			t.Fatalf("%d bytes after %d values", held(), i+1)
		}
	}
	if n := held(); n > most || n < most/4 {
		t.Errorf("holds %d bytes of %d", n, most)
	}
	c.Set(-1, make([]byte, 2*most))
	if _, found := c.GetIfPresent(-1); found {
		t.Error("a value of twice the bound is held")
	}
	c.Set(-2, []byte("small"))
	c.Set(-2, make([]byte, most/2))
	if n := held(); n > most {
		t.Errorf("%d bytes after a value has grown", n)
	}
}

// BenchmarkLookup is what a completion pays for what the node remembers.
func BenchmarkLookup(b *testing.B) {
	c := budget.NewCache(64<<20, func(laurel.ID, int) int { return 1 << 10 })
	ids := make([]laurel.ID, 1<<14)
	for i := range ids {
		ids[i][0], ids[i][1] = byte(i), byte(i>>8)
		c.Set(ids[i], i)
	}
	b.RunParallel(func(p *testing.PB) {
		for i := 0; p.Next(); i++ {
			c.GetIfPresent(ids[i%len(ids)])
		}
	})
}

func TestTheFirstThatFitAreAtLeastOne(t *testing.T) {
	t.Parallel()
	ids := []laurel.ID{{1}, {2}, {3}, {2}}
	for _, c := range []struct {
		weights map[byte]int64
		want    int
	}{
		{nil, 4},
		{map[byte]int64{1: budget.MaxPageBytes}, 4},
		{map[byte]int64{1: budget.MaxPageBytes, 2: 1}, 1},
		{map[byte]int64{1: budget.MaxPageBytes + 1}, 1},
		{map[byte]int64{2: budget.MaxPageBytes/2 + 1}, 3}, // named twice, it counts twice
	} {
		var weights []budget.ByteSize
		for id, n := range c.weights {
			weights = append(weights, budget.ByteSize{ID: laurel.ID{id}, Bytes: n})
		}
		if got := budget.CountFitting(ids, weights); got != c.want {
			t.Errorf("%v: %d fit, want %d", c.weights, got, c.want)
		}
	}
	if got := budget.CountFitting(nil, nil); got != 0 {
		t.Errorf("%d of none fit", got)
	}
}

func TestFreeJSONIsMeasuredAsSent(t *testing.T) {
	t.Parallel()
	exact := `{"a":"` + strings.Repeat("x", 92) + `"}` // 100 bytes
	for in, want := range map[string]int{`{"a": 1}`: 0, exact: 0, strings.Replace(exact, ":", ": ", 1): 1, strings.Replace(exact, "x", "xx", 1): 1} {
		var f laurel.Faults
		budget.CheckJSON(&f, "metadata", json.RawMessage(in), 100)
		if len(f) != want || want > 0 && f[0].Message != "metadata must be at most 100 bytes" {
			t.Errorf("%s: %v", in, f)
		}
	}
}
