package bench_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // fills the database

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/bulk"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
)

// BenchmarkRun carries out runs over many members, LAUREL_BENCH_MEMBERS of them (200,000), on the PostgreSQL of
// scripts/postgres.sh. Each line tells how many members a run evaluates in a second and how far the heap grew.
//
//	bash -c '. scripts/postgres.sh; PG_OPTIONS=" " start_postgres; LAUREL_BENCH_MEMBERS=1000000 go test ./internal/dev/bench -run - -bench Run -benchtime 1x -timeout 60m'
func BenchmarkRun(b *testing.B) {
	members := 200_000
	if text := os.Getenv("LAUREL_BENCH_MEMBERS"); text != "" {
		var err error
		if members, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	f := newField(b, members)
	like := schema.Input{Type: laurel.Some("microblog_like")}
	airdrop := schema.Input{Type: laurel.Some("points_airdrop"), UserAllotmentCSVURL: laurel.Some(f.list)}
	shares := schema.Input{
		Type:     laurel.Some("referred_user"),
		Metadata: laurel.Some(json.RawMessage(`{"firstReferralReward":10,"secondReferralReward":5}`)),
	}
	for _, c := range []struct {
		name  string
		every int // so many members have one who fulfils the rule
		in    schema.Input
	}{
		{"profiles of all, nobody fulfils the rule", 0, like}, {"profiles of all, one of 20 is paid", 20, like}, {"profiles of all, everybody is paid", 1, like},
		{"a list, everybody is paid", 0, airdrop}, {"referees, one of 20 has earned", 20, shares}, {"referees, everybody has earned", 1, shares},
	} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				f.run(b, c.in, c.every)
			}
		})
	}
}

// headerValue is a program with many members in a database of its own.
type headerValue struct {
	app.Program
	app     *app.App
	db      *sql.DB
	scope   laurel.Scope
	members int
	now     time.Time
	list    string
}

func newField(b *testing.B, members int) *headerValue {
	b.Helper()
	ctx, address := context.Background(), ""
	for _, e := range storetest.Engines() {
		if e.Name == "postgres" {
			address = e.URL(b)
		}
	}
	f := &headerValue{members: members, now: time.Now().UTC(), list: "https://lists.example/list.csv"}
	var err error
	if f.app, err = app.Open(
		ctx,
		app.Config{
			Database: address,
			Logger:   slog.New(slog.NewTextHandler(os.Stderr, nil)),
			Now:      func() time.Time { return f.now },
		},
	); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = f.app.Close() })
	if f.Program, err = f.app.CreateProgram(
		ctx,
		app.ProgramInput{Organization: "Bench", Website: "Bench", Currency: "Points"},
	); err != nil {
		b.Fatal(err)
	}
	if f.scope, err = f.app.ScopeOf(ctx, f.WebsiteAPIKey); err != nil {
		b.Fatal(err)
	}
	target := bulk.Target{
		Database: address,
		Site:     bulk.Site{OrganizationID: f.OrganizationID, WebsiteID: f.WebsiteID, CurrencyID: f.LoyaltyCurrencyID},
	}
	if err := target.InsertMembers(ctx, members); err != nil {
		b.Fatal(err)
	}
	if f.db, err = sql.Open("pgx", address); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = f.db.Close() })
	return f
}

func (f *headerValue) exec(b *testing.B, query string, args ...any) {
	b.Helper()
	if _, err := f.db.Exec(query, args...); err != nil {
		b.Fatal(err)
	}
}

// run makes a rule that runs once, and carries its run out.
func (f *headerValue) run(b *testing.B, in schema.Input, every int) {
	b.Helper()
	b.StopTimer()
	ctx := context.Background()
	in.Name, in.Amount, in.Frequency = laurel.Some("Bench"), laurel.Some(10*laurel.One), laurel.Some("daily")
	list := in.UserAllotmentCSVURL.Set
	in.UserAllotmentCSVURL = laurel.Optional[string]{}
	rule, err := f.app.Rules.Create(ctx, f.scope, in)
	if err != nil {
		b.Fatal(err)
	}
	f.facts(b, rule.ID.String(), in.Type.Value, every, list)
	f.exec(b, "VACUUM (ANALYZE)")
	f.exec(b, "CHECKPOINT")
	// also for the second run of a rule that pays by what was since the first
	f.now = f.now.Add(24*time.Hour + time.Minute)
	runtime.GC()
	var before, peak, now runtime.MemStats
	runtime.ReadMemStats(&before)
	b.StartTimer()
	began := time.Now()
	for busy := true; busy; {
		if busy, err = f.app.Schedule.RunOnce(ctx); err != nil {
			b.Fatal(err)
		}
		runtime.ReadMemStats(&now)
		peak.HeapInuse = max(peak.HeapInuse, now.HeapInuse)
	}
	took := time.Since(began)
	b.StopTimer()
	var evaluated, rewarded, other int
	if err := f.db.QueryRow("SELECT SUM(evaluated), SUM(rewarded), SUM(CASE WHEN status = 'complete' THEN failed ELSE 1 END) FROM rule_runs WHERE loyalty_rule_id = $1",
		rule.ID.String()).
		Scan(&evaluated, &rewarded, &other); err != nil {
		b.Fatal(err)
	}
	if evaluated < f.members || other > 0 {
		b.Fatalf("evaluated %d of %d members, %d are left over", evaluated, f.members, other)
	}
	b.ReportMetric(float64(evaluated)/took.Seconds(), "evaluated/s")
	b.ReportMetric(float64(rewarded)/took.Seconds(), "rewarded/s")
	b.ReportMetric(float64(peak.HeapInuse)/(1<<20), "MiB-heap")
	if _, err := f.app.Rules.Delete(ctx, f.scope, rule.ID, catalog.Deletion{}); err != nil {
		b.Fatal(err)
	}
}

// facts writes what the rule's runs go by.
func (f *headerValue) facts(b *testing.B, rule, kind string, every int, list bool) {
	b.Helper()
	org, site := f.OrganizationID.String(), f.WebsiteID.String()
	micros := f.now.UnixMicro()
	switch {
	case kind == "microblog_like":
		f.exec(b, "DELETE FROM user_metadata")
		f.exec(
			b,
			fmt.Sprintf(`INSERT INTO user_metadata (id, organization_id, website_id, user_id, record, created_at, updated_at)
			SELECT gen_random_uuid(), organization_id, website_id, user_id, '{"displayName":"Somebody","bio":"Likes to walk","microblogUserId":' ||
			CASE WHEN %d > 0 AND n %% greatest(%d, 1) = 0 THEN '"' || n || '"' ELSE 'null' END || '}', %d, %d
			FROM (SELECT m.*, row_number() OVER (ORDER BY user_id) AS n FROM members m) m`, every, every, micros, micros),
		)
	case list:
		f.exec(
			b,
			"UPDATE loyalty_rules SET record = jsonb_set(record::jsonb, '{loyaltyUserAllotmentCsvUrl}', to_jsonb($2::text))::text, version = version + 1 WHERE id = $1",
			rule,
			f.list,
		)
		f.exec(
			b,
			`INSERT INTO list_sources (owner_id, owner, kind, organization_id, website_id, url, current_import_id, created_at, updated_at)
			VALUES ($1, 'rule', 'allotment', $2, $3, $4, $1, $5, $5)`,
			rule,
			org,
			site,
			f.list,
			micros,
		)
		f.exec(
			b,
			`INSERT INTO allotments (import_id, wallet_address, amount, line) SELECT $1::uuid, u.wallet_address, 5000000, 1 FROM members m JOIN users u ON u.id = m.user_id`,
			rule,
		)
	default: // everybody was brought by its neighbour
		f.exec(
			b,
			`INSERT INTO referral_codes (id, organization_id, website_id, loyalty_rule_id, user_id, code, code_key, created_at, updated_at)
			SELECT gen_random_uuid(), organization_id, website_id, $1::uuid, user_id, $1::text || user_id, $1::text || user_id, $2::bigint, $2::bigint FROM members`,
			rule,
			micros,
		)
		f.exec(
			b,
			`INSERT INTO referrals (id, organization_id, website_id, loyalty_rule_id, referral_code_id, referrer_id, referee_id, eligible_at, settled_at,
			lump_amount, tier1_amount, tier2_amount, created_at, updated_at) SELECT gen_random_uuid(), organization_id, website_id, $1::uuid, c, lag, user_id, $2::bigint, $2::bigint, 0, 0, 0, $2::bigint, $2::bigint
			FROM (SELECT m.*, lag(m.user_id) OVER (ORDER BY m.user_id) AS lag, lag(r.id) OVER (ORDER BY m.user_id) AS c FROM members m JOIN referral_codes r ON r.user_id = m.user_id
			AND r.loyalty_rule_id = $1::uuid) m WHERE lag IS NOT NULL`,
			rule,
			micros,
		)
		f.exec(
			b,
			fmt.Sprintf(
				`INSERT INTO loyalty_transaction_entries (id, organization_id, website_id, loyalty_transaction_id, loyalty_account_id, loyalty_currency_id, user_id, direction, type,
			amount, start_amount, end_amount, lock_version, created_at) SELECT gen_random_uuid(), organization_id, website_id, gen_random_uuid(), id, loyalty_currency_id, user_id, 'credit', 'loyalty_rule',
			3000000, 0, 3000000, 1, %d FROM (SELECT a.*, row_number() OVER (ORDER BY user_id) AS n FROM loyalty_accounts a WHERE user_id IS NOT NULL AND loyalty_currency_id = '%s') a WHERE n %% %d = 0`,
				micros+1,
				f.LoyaltyCurrencyID,
				every,
			),
		)
	}
}
