package main_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// What one page of a feed (8 MiB) or one file (50 MiB, read twice) may cost at most, whatever stands in it.
const (
	pageDecodings = 20 * 8       // of 1 MiB each
	fileDecodings = 10 * 2 * 50  // likewise
	listMemory    = 128 << 20    // the collector lets the heap grow by what the server holds anyway
	listWait      = 5 * patience // bounds hanging, where many such tests share the machine
)

// hostileFeed serves one text at every address.
func hostileFeed(t *testing.T, text string) string {
	t.Helper()
	site := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }),
	)
	t.Cleanup(site.Close)
	return site.URL
}

// costOfList returns what the server uses from the saving of a rule until the list that it names has been read, and how
// that ended.
func (p *process) costOfList(made program, rule object) (used cost, got object) {
	p.t.Helper()
	site := p.site(made)
	used = p.costOf(func() {
		id := site.post("/api/loyalty/rules", rule).ok(p.t)["id"].(string)
		for limit := time.Now().Add(listWait); got["finishedAt"] == nil && time.Now().Before(limit); time.Sleep(50 * time.Millisecond) {
			got = imported(site, id)
		}
	})
	if got["finishedAt"] == nil {
		p.t.Errorf("not over after %v: %v", listWait, got)
	}
	return used, got
}

func TestPagesOfFeedsCostLittleWhateverStandsInThem(t *testing.T) {
	t.Parallel()
	const size = 8<<20 - 1000
	digits := strings.Repeat("7", size)
	for what, c := range map[string]struct{ page, status, message string }{
		"a token of 8 MiB of digits":          {`{"results":[{"tokenId":` + digits + `,"reward":1},{"tokenId":1,"reward":1}]}`, "complete", ""},
		"a token of 8 MiB of digits in text":  {`{"results":[{"tokenId":"` + digits + `","reward":1},{"tokenId":1,"reward":1}]}`, "complete", ""},
		"a token of 8 MiB of digits in hex":   {`{"results":[{"tokenId":"0x` + digits + `","reward":1},{"tokenId":1,"reward":1}]}`, "complete", ""},
		"a token of 8 MiB of zeros":           {`{"results":[{"tokenId":"` + strings.Repeat("0", size) + `","reward":1},{"tokenId":1,"reward":1}]}`, "complete", ""},
		"a reward of 8 MiB of digits":         {`{"results":[{"tokenId":2,"reward":` + digits + `},{"tokenId":1,"reward":1}]}`, "complete", ""},
		"a reward with a large exponent":      {`{"results":[{"tokenId":2,"reward":1e999999999},{"tokenId":3e999999999,"reward":1},{"tokenId":1,"reward":1}]}`, "complete", ""},
		"an address of 8 MiB":                 {`{"next":"/` + digits + `","results":[]}`, "failed", "The address of the feed's next page is longer than 8192 characters"},
		"8 MiB of open brackets":              {`{"x":` + strings.Repeat("[", size), "failed", "The feed did not answer with {next, results}"},
		"8 MiB of open brackets in a result":  {`{"results":[{"x":` + strings.Repeat("[", size), "failed", "The feed did not answer with {next, results}"},
		"2.7 million results of nothing":      {`{"results":[` + strings.Repeat(`{},`, size/3) + `{}]}`, "failed", "The feed has more than 1000000 results"},
		"2.7 million results of null":         {`{"results":[` + strings.Repeat(`null,`, size/5) + `null]}`, "failed", "The feed has more than 1000000 results"},
		"8 MiB of properties that it has not": {`{` + strings.Repeat(`"a":1,`, size/6) + `"results":[{"tokenId":1,"reward":1}]}`, "complete", ""},
		"8 MiB of spaces":                     {`{"results":[` + strings.Repeat(" ", size) + `{"tokenId":1,"reward":1}]}`, "complete", ""},
		"more than 8 MiB":                     {`{"results":["` + digits + digits, "failed", "A page of the feed is larger than 8388608 bytes"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s, made := hostileServer(t, "--dev")
			used, got := s.costOfList(
				made,
				object{"name": "R", "type": "token_hold", "amount": 1, "customRewardsApiUrl": hostileFeed(t, c.page)},
			)
			if message, _ := got["message"].(string); got["status"] != c.status || message != c.message {
				t.Errorf("%v %v", got["status"], got["message"])
			}
			used.mustBeAtMost(t, what, pageDecodings, listMemory)
		})
	}
}

func TestFilesOfListsCostLittleWhateverStandsInThem(t *testing.T) {
	t.Parallel()
	const size = 50<<20 - 1000
	for what, c := range map[string]struct{ file, status string }{
		"50 MiB of empty lines":    {strings.Repeat("\n", size), "failed"},
		"50 MiB of commas":         {strings.Repeat(",", size), "failed"},
		"50 MiB of commas in rows": {strings.Repeat(strings.Repeat(",", 60)+"\n", size/61), "failed"},
		"50 MiB of quotes":         {strings.Repeat(`"`, size), "failed"},
		"50 MiB of quotes in rows": {strings.Repeat("\"\n", size/2), "failed"},
		"50 MiB of open quotes":    {strings.Repeat("\"a\n", size/3), "failed"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s, made := hostileServer(t, "--dev")
			used, got := s.costOfList(
				made,
				object{"name": "R", "type": "points_airdrop", "amount": 1, "loyaltyUserAllotmentCsvUrl": hostileFeed(t, c.file)},
			)
			if got["status"] != c.status {
				t.Errorf("%v %v", got["status"], got["message"])
			}
			used.mustBeAtMost(t, what, fileDecodings, listMemory)
		})
	}
}
