package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"laurel.example/laurel/internal/dev/bulk"
	"laurel.example/laurel/internal/dev/freeport"
)

// The data set that pages are measured on, unless the options have a smaller one.
const (
	pageMembers = 1_000_000
	pageEntries = 3_000_000
	minRequests = 15 // fewest requests of each page
)

var (
	demoPageLimit = limit{floor: 60, goal: 30, lowerIsBetter: true}
	bigPageLimit  = limit{floor: 300, goal: 150, lowerIsBetter: true}
	transferLimit = limit{floor: 250, goal: 150, lowerIsBetter: true}
)

// visitor is an admin who is signed in to a server's dashboard.
type visitor struct {
	*server
	wire   *wire
	cookie string
	site   string // the path of the overview
	member string // the path of a member's page
	rule   string // the path of a rule's page
}

// measurePages measures the main pages of the dashboard, one after the other, on the demo and with many members; the
// slowest page counts. It also measures the bytes that a browser loads at its first visit of a page; the heaviest page
// on the demo counts.
func (b *bench) measurePages(ctx context.Context) ([]Result, error) {
	demo, weight, err := b.measureDemoPages(ctx)
	if err != nil {
		return nil, err
	}
	accounts, entries := min(b.Accounts, pageMembers), min(b.Entries, pageEntries)
	d, err := b.openDataset(ctx, accounts, entries)
	if err != nil {
		return nil, err
	}
	if err := d.target().InsertFigures(ctx); err != nil {
		return nil, err
	}
	large, _, err := b.measurePagesOf(ctx, d.database, b.profile(), d)
	if err != nil {
		return nil, err
	}
	with := fmt.Sprintf("with %d members", accounts)
	return []Result{
		b.result(demoPageLimit.newResult("dashboard page on the demo, slowest p50", milliseconds(demo.p50), demo.measured),
			"ms; SQLite; slowest: "+demo.name),
		b.result(bigPageLimit.newResult("dashboard page "+with+", slowest p50", milliseconds(large.p50), large.measured),
			"ms; slowest: "+large.name),
		b.result(transferLimit.newResult("dashboard, first visit of a page", float64(weight.bytes)/1000, measured{}),
			"kB compressed, page and assets; heaviest: "+weight.name),
	}, nil
}

// slowestPage is the page with the largest p50, and its figures.
type slowestPage struct {
	measured
	name string
}

// heaviestPage is the page with the most bytes.
type heaviestPage struct {
	bytes int
	name  string
}

// measureDemoPages creates the demo, by running its command, and measures the pages of a server on its database.
func (b *bench) measureDemoPages(ctx context.Context) (slow slowestPage, heavy heaviestPage, err error) {
	dir := filepath.Join(b.dir, "laurel_bench_demo")
	if err := os.RemoveAll(dir); err != nil {
		return slow, heavy, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	port, err := freeport.Find(ctx)
	if err != nil {
		return slow, heavy, err
	}
	host := fmt.Sprintf("127.0.0.1:%d", port)
	command := exec.Command(b.Program, "demo", "--listen", host, "--dir", dir) //nolint:gosec,noctx // ended below
	command.Env = ownEnvironment()
	if err := command.Start(); err != nil {
		return slow, heavy, err
	}
	err = waitUntilReady(ctx, host)
	_ = command.Process.Signal(syscall.SIGTERM)
	if err = errors.Join(err, command.Wait()); err != nil {
		return slow, heavy, fmt.Errorf("the demo: %w", err)
	}
	return b.measurePagesOf(ctx, "sqlite:"+filepath.Join(dir, "demo.db"), "", nil)
}

// measurePagesOf measures the pages of a server on a database, and returns the slowest and the heaviest one. On a data
// set the page of a member is that of a busy one. d is nil for the demo.
func (b *bench) measurePagesOf(
	ctx context.Context,
	database, profile string,
	d *dataset,
) (slow slowestPage, heavy heaviestPage, err error) {
	s, err := b.serve(ctx, database, profile)
	if err != nil {
		return slow, heavy, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	v, err := b.signIn(ctx, s, database)
	if err != nil {
		return slow, heavy, err
	}
	defer v.wire.close()
	if d != nil {
		v.member = v.site + "/members/" + bulk.IDOf(bulk.KindUser, 0)
	}
	for _, p := range v.pages() {
		m, err := v.measurePage(p.path, b.Time/10)
		if err != nil {
			return slow, heavy, fmt.Errorf("%s: %w", p.name, err)
		}
		size, err := v.pageWeight(p.path)
		if err != nil {
			return slow, heavy, fmt.Errorf("%s: %w", p.name, err)
		}
		b.logf("%-24s p50 %6.1f ms, p99 %6.1f ms, first visit %.1f kB", p.name, milliseconds(m.p50), milliseconds(m.p99),
			float64(size)/1000)
		if m.p50 > slow.p50 {
			slow = slowestPage{m, p.name}
		}
		if size > heavy.bytes {
			heavy = heaviestPage{size, p.name}
		}
	}
	return slow, heavy, nil
}

// signIn signs a new admin in, by an invitation of the command line, and finds a member and a rule for the pages to
// measure.
func (b *bench) signIn(ctx context.Context, s *server, database string) (*visitor, error) {
	email := fmt.Sprintf("bench-%d@laurel.example", time.Now().UnixNano())
	output, err := run(
		ctx, b.Program, "--database", database, "admin", "invite", "--email", email, "--public-url", "http://"+s.host,
	)
	if err != nil {
		return nil, err
	}
	link := regexp.MustCompile(`http://\S+/admin/link/\S+`).FindString(output)
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Jar: jar}
	form := url.Values{"email": {email}, "name": {"Bench"}, "password": {"a password for the bench"}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, link, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	_ = response.Body.Close()
	v := &visitor{server: s, site: response.Request.URL.Path}
	for _, c := range jar.Cookies(&url.URL{Scheme: "http", Host: s.host, Path: "/admin"}) {
		v.cookie = c.Name + "=" + c.Value
	}
	if v.wire, err = dial(ctx, s.host); err != nil {
		return nil, err
	}
	if !regexp.MustCompile(`^/admin/[0-9a-f-]{36}$`).MatchString(v.site) {
		return nil, fmt.Errorf("signing in led to %q with status %d", v.site, response.StatusCode)
	}
	if v.member, err = v.firstItem("/members"); err != nil {
		return nil, err
	}
	v.rule, err = v.firstItem("/rules")
	return v, err
}

// firstItem returns the path of the first item of a list.
func (v *visitor) firstItem(list string) (string, error) {
	if err := v.get(v.site+list, ""); err != nil { // "": not compressed
		return "", err
	}
	found := regexp.MustCompile(regexp.QuoteMeta(v.site+list) + `/[0-9a-f-]{36}`).Find(v.wire.body)
	if found == nil {
		return "", fmt.Errorf("%s%s has no item", v.site, list)
	}
	return string(found), nil
}

// page is a page to measure.
type page struct{ name, path string }

// pages lists the pages to measure.
func (v *visitor) pages() []page {
	return []page{
		{"overview", v.site}, {"overview, 90 days", v.site + "?days=90"}, {"members", v.site + "/members"},
		{"members, blocked", v.site + "/members?state=blocked"},
		{"members, found by wallet", v.site + "/members?q=0x00000000000000000000000000000000001a0000"},
		{"members, found by name", v.site + "/members?q=nobody"},
		{"member", v.member}, {"rules", v.site + "/rules"}, {"rule", v.rule}, {"rule, performance", v.rule + "/performance"},
		{"ledger", v.site + "/ledger"}, {"leaderboard", v.site + "/leaderboard"}, {"API keys", v.site + "/keys"},
		{"currencies", v.site + "/currencies"}, {"jobs", v.site + "/jobs"},
	}
}

// get requests a page; its body is that of the wire. encoding is what the visitor accepts, such as gzip; "" for none.
func (v *visitor) get(path, encoding string) error {
	head := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n", path, v.host, v.cookie)
	if encoding != "" {
		head += "Accept-Encoding: " + encoding + "\r\n"
	}
	return v.wire.sendOK([]byte(head + "\r\n"))
}

// measurePage requests a page one time after the other for the given time, and at least minRequests times. Three
// requests before that are not counted.
func (v *visitor) measurePage(path string, duration time.Duration) (measured, error) {
	for range 3 {
		if err := v.get(path, "gzip"); err != nil {
			return measured{}, err
		}
	}
	var times []time.Duration
	begun := time.Now()
	for len(times) < minRequests || time.Since(begun) < duration {
		sent := time.Now()
		if err := v.get(path, "gzip"); err != nil {
			return measured{}, err
		}
		times = append(times, time.Since(sent))
	}
	return measure(times, time.Since(begun)), nil
}

var assetReference = regexp.MustCompile(`(?:href|src)="([^"#]*/assets/[^"#]+)`)

// pageWeight returns the compressed bytes of a page with all assets that it refers to.
func (v *visitor) pageWeight(path string) (int, error) {
	if err := v.get(path, ""); err != nil {
		return 0, err
	}
	var assets []string
	for _, found := range assetReference.FindAllSubmatch(v.wire.body, -1) {
		assets = append(assets, string(found[1]))
	}
	slices.Sort(assets)
	sum := 0
	for _, p := range append(slices.Compact(assets), path) {
		if err := v.get(p, "gzip"); err != nil {
			return 0, err
		}
		sum += len(v.wire.body)
	}
	return sum, nil
}
