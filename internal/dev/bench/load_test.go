package bench_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/bench"
)

func TestTheClientReadsAnswersOfEveryForm(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789", 10_000)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/short":
			_, _ = w.Write([]byte(r.URL.Query().Get("a") + " " + r.Header.Get("X-Api-Key")))
		case "/long":
			_, _ = w.Write([]byte(long))
			w.(http.Flusher).Flush()
			_, _ = w.Write([]byte("end"))
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(s.Close)
	for _, c := range []struct {
		path   string
		status int
		body   string
	}{{"/short", 200, "b c k"}, {"/long", 200, long + "end"}, {"/none", 404, ""}} {
		status, body, err := bench.Ask(t.Context(), strings.TrimPrefix(s.URL, "http://"), c.path)
		if err != nil || status != c.status || body != c.body {
			t.Errorf("%s: %d, %d bytes, %v", c.path, status, len(body), err)
		}
	}
}

func TestNoPairOfRuleAndMemberComesTwice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rules, members int }{{1, 1000}, {7, 1000}, {10, 1000}, {5, 1013}, {12, 2000}} {
		seen := map[[2]int]bool{}
		last := [2]int{-1, -1}
		for _, pair := range bench.Pairs(c.rules, c.members, false) {
			if seen[pair] || pair[1] == last[1] {
				t.Fatalf("%d rules, %d members: %v again", c.rules, c.members, pair)
			}
			seen[pair], last = true, pair
		}
	}
	first := 0
	for _, pair := range bench.Pairs(4, 1000, true)[:1000] {
		if pair == [2]int{} {
			first++
		}
	}
	if first < 500 || first > 510 {
		t.Errorf("%d of 1000 completions are of the busy account", first)
	}
}

func TestRedisIsSpokenToInItsProtocol(t *testing.T) {
	t.Parallel()
	if got := bench.Order("ZREVRANK", "rank", "é"); got != "*3\r\n$8\r\nZREVRANK\r\n$4\r\nrank\r\n$2\r\né\r\n" {
		t.Errorf("%q", got)
	}
}
