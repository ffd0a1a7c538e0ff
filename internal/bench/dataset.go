package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"laurel"
	"laurel/internal/app"
)

// shape says how entries are spread over accounts. Every account begins with an opening balance, written 1,000 to a transaction as an import
// would; then come completions in the order of time: every fifth by one of a few busy accounts (one of 10,000), the others by one account in
// five. Everything follows from numbers, so that statements over a series of numbers make it, each row right by itself.
type shape struct {
	accounts, openings, completions int
	busy, others                    int // accounts with completions: first the busy ones, then the others
}

const (
	openingSize = 1000
	dataRules   = 50
	dataGroups  = 5
	dataDays    = 365
	reward      = 10 // points of each completion
	busyOne     = 5  // every so many completions is of a busy account
)

func shapeOf(accounts, entries int) shape {
	s := shape{accounts: accounts, openings: (accounts + openingSize - 1) / openingSize, busy: max(1, accounts/10_000), others: max(1, accounts/5)}
	s.completions = (entries - accounts - s.openings) / 2
	return s
}

// check notes numbers that no data set can have.
func (s shape) check(f *laurel.Faults, entries int) {
	switch least := s.accounts + s.openings; {
	case entries < least:
		f.Add("--entries", "must be at least %d: one for each account and one for each %d of them", least, openingSize)
	case s.busyCompletions()/s.busy >= dataRules*dataDays:
		f.Add("--entries", "are too many for so few --accounts: a rule pays a member once a day")
	}
}

// busyCompletions are the completions 0, 5, 10, …
func (s shape) busyCompletions() int { return (s.completions + busyOne - 1) / busyOne }

func (s shape) otherCompletions() int { return s.completions - s.busyCompletions() }

// first is the moment of the first completion, step the time from one to the next, in microseconds.
const first = early + int64(300*24*time.Hour/time.Microsecond)

func (s shape) step() int64 {
	return int64(dataDays*24*time.Hour/time.Microsecond) / int64(max(1, s.completions))
}

// dataset is the large database.
type dataset struct {
	site     site
	shape    shape
	database string // its address
	rules    []laurel.ID
	groups   []laurel.ID
}

// dataset answers the large database of so many accounts and entries. It is loaded once and kept with the cluster; the measurements add to it.
func (b *bench) dataset(ctx context.Context, accounts, entries int) (*dataset, error) {
	shape := shapeOf(accounts, entries)
	c, err := b.postgres(ctx)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("laurel_bench_data_%d_%d", accounts, entries)
	d := &dataset{shape: shape, database: c.database(name), site: site{members: accounts}}
	there, err := c.exists(ctx, name)
	if err != nil {
		return nil, err
	}
	if !there {
		if err := b.load(ctx, c, name, shape); err != nil {
			return nil, err
		}
	}
	return d, b.open(ctx, d)
}

// load fills a database under another name, so that one which is there under its own is whole.
func (b *bench) load(ctx context.Context, c *cluster, name string, shape shape) error {
	loading := name + "_loading"
	if err := c.recreate(ctx, loading); err != nil {
		return err
	}
	begun := time.Now()
	d := &dataset{shape: shape, database: c.database(loading), site: site{members: shape.accounts}}
	var err error
	if d.site.Program, err = b.create(ctx, d.database); err != nil {
		return err
	}
	if err := b.inProcess(ctx, app.Config{Database: d.database}, func(_ *app.App, host string) error { return d.makeRules(ctx, host) }); err != nil {
		return err
	}
	if err := b.loadRows(ctx, d); err != nil {
		return err
	}
	if err := b.sealRows(ctx, d); err != nil {
		return err
	}
	b.say("loaded %d accounts and %d completions in %v", shape.accounts, shape.completions, time.Since(begun).Round(time.Second))
	return c.execute(ctx, fmt.Sprintf("ALTER DATABASE %s RENAME TO %s", loading, name))
}

// sealRows lets the service seal what was loaded, so that no measured server does it. Sealing rests as long as it works, by the service's clock:
// here that stands still, so it does not rest.
func (b *bench) sealRows(ctx context.Context, d *dataset) error {
	b.say("sealing")
	now := time.Now()
	return b.inProcess(ctx, app.Config{Database: d.database, Now: func() time.Time { return now }}, func(a *app.App, _ string) error {
		for {
			state, err := a.Sealer.State(ctx)
			if err != nil || state.Started {
				return err
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(100 * time.Millisecond):
			}
		}
	})
}

// makeRules makes the rules of the completions, in groups of ten.
func (d *dataset) makeRules(ctx context.Context, host string) error {
	w, err := dial(ctx, host)
	if err != nil {
		return err
	}
	defer w.close()
	a, p := &api{w, host, d.site.WebsiteAPIKey}, d.site.Program
	for i := range dataRules {
		if i%(dataRules/dataGroups) == 0 {
			var made struct{ ID laurel.ID }
			if err := a.post("/api/loyalty/rule_groups/create", object{"name": "Data", "websiteId": p.WebsiteID, "organizationId": p.OrganizationID}, &made); err != nil {
				return err
			}
			d.groups = append(d.groups, made.ID)
		}
		var made struct{ ID laurel.ID }
		err := a.post("/api/loyalty/rules", object{"name": dataRule, "type": "external_rule", "amount": reward, "interval": "daily", "websiteId": p.WebsiteID,
			"organizationId": p.OrganizationID, "loyaltyCurrencyId": p.LoyaltyCurrencyID, "loyaltyRuleGroupId": d.groups[len(d.groups)-1]}, &made)
		if err != nil {
			return err
		}
		d.rules = append(d.rules, made.ID)
	}
	return nil
}

// dataRule is the name of the rules that the data set's completions are of.
const dataRule = "Of the data set"

// open reads what there is in a loaded database and makes a key for this run: keys of earlier runs cannot be read any more.
func (b *bench) open(ctx context.Context, d *dataset) error {
	if err := app.Migrate(ctx, d.database, b.quiet()); err != nil {
		return err
	}
	if err := d.read(ctx); err != nil {
		return err
	}
	a, err := app.Open(ctx, app.Config{Database: d.database, Logger: b.quiet(), NoMigrate: true})
	if err != nil {
		return err
	}
	key, err := a.CreateKey(ctx, app.KeyInput{Organization: d.site.OrganizationID, Website: d.site.WebsiteID, Role: "WEBSITE_API_KEY", Name: "Bench"})
	d.site.WebsiteAPIKey = key.Key
	return errors.Join(err, a.Close())
}
