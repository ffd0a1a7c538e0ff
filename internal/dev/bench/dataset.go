package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/bulk"
)

// dataset is the large database, with the ids of its records.
type dataset struct {
	site     site
	shape    bulk.Shape
	database string // its address
	rules    []laurel.ID
	groups   []laurel.ID
}

func (d *dataset) target() bulk.Target { return d.site.target(d.database) }

// withActiveMembers returns the site with its first members only. So a run differs from one on a small database by the
// stored rows, and not by the number of members who complete.
func (d *dataset) withActiveMembers(members int) site {
	s := d.site
	s.members = min(members, s.members)
	return s
}

// openDataset returns the large database of so many accounts and entries. It is loaded once and stored with the cluster
// for later runs, although measurements add to it.
func (b *bench) openDataset(ctx context.Context, accounts, entries int) (*dataset, error) {
	shape := bulk.ShapeOf(accounts, entries)
	c, err := b.postgres(ctx)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("laurel_bench_data_%d_%d", accounts, entries)
	d := &dataset{shape: shape, database: c.database(name), site: site{members: accounts}}
	exists, err := c.exists(ctx, name)
	if err != nil {
		return nil, err
	}
	if !exists {
		if err := b.loadDataset(ctx, c, name, shape); err != nil {
			return nil, err
		}
	}
	return d, b.resumeDataset(ctx, d)
}

// loadDataset creates the database of a data set and fills it under a temporary name, so that a database of the final
// name is always complete.
func (b *bench) loadDataset(ctx context.Context, c *cluster, name string, shape bulk.Shape) error {
	loading := name + "_loading"
	if err := c.recreate(ctx, loading); err != nil {
		return err
	}
	begun := time.Now()
	d := &dataset{shape: shape, database: c.database(loading), site: site{members: shape.Accounts}}
	var err error
	if d.site.Program, err = b.createProgram(ctx, d.database); err != nil {
		return err
	}
	if err := b.runInProcess(
		ctx,
		app.Config{Database: d.database},
		func(_ *app.App, host string) error { return d.createRules(ctx, host) },
	); err != nil {
		return err
	}
	if err := d.target().Load(ctx, shape, d.rules, b.logf); err != nil {
		return err
	}
	b.logf("sealing")
	// By the service's clock, the sealer pauses as long as it has worked. Here the clock stands still, so it never pauses.
	now := time.Now()
	config := app.Config{Database: d.database, Now: func() time.Time { return now }}
	if err := b.finishBackgroundWork(ctx, config); err != nil {
		return err
	}
	if err := d.target().Analyze(ctx); err != nil {
		return err
	}
	b.logf(
		"loaded %d accounts and %d completions in %v",
		shape.Accounts,
		shape.Completions,
		time.Since(begun).Round(time.Second),
	)
	return c.execute(ctx, fmt.Sprintf("ALTER DATABASE %s RENAME TO %s", loading, name))
}

// finishBackgroundWork runs the service on a database until all entries are sealed, and takes rank snapshots, so that
// no measured server does that work.
func (b *bench) finishBackgroundWork(ctx context.Context, c app.Config) error {
	return b.runInProcess(ctx, c, func(a *app.App, _ string) error {
		for {
			state, err := a.Sealer.State(ctx)
			if err != nil {
				return err
			}
			if state.Started && state.Entries == 0 {
				return a.Ledger.SnapshotDueRanks(ctx)
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(100 * time.Millisecond):
			}
		}
	})
}

// createRules creates the rules of the completions over HTTP, in groups of ten.
func (d *dataset) createRules(ctx context.Context, host string) error {
	w, err := dial(ctx, host)
	if err != nil {
		return err
	}
	defer w.close()
	a, p := &api{w, host, d.site.WebsiteAPIKey}, d.site.Program
	for i := range bulk.Rules {
		if i%(bulk.Rules/bulk.Groups) == 0 {
			var made struct{ ID laurel.ID }
			if err := a.post(
				"/api/loyalty/rule_groups/create",
				object{"name": "Data", "websiteId": p.WebsiteID, "organizationId": p.OrganizationID},
				&made,
			); err != nil {
				return err
			}
			d.groups = append(d.groups, made.ID)
		}
		var made struct{ ID laurel.ID }
		err := a.post(
			"/api/loyalty/rules",
			object{
				"name":               bulk.RuleName,
				"type":               "external_rule",
				"amount":             bulk.Reward,
				"interval":           "daily",
				"websiteId":          p.WebsiteID,
				"organizationId":     p.OrganizationID,
				"loyaltyCurrencyId":  p.LoyaltyCurrencyID,
				"loyaltyRuleGroupId": d.groups[len(d.groups)-1],
			},
			&made,
		)
		if err != nil {
			return err
		}
		d.rules = append(d.rules, made.ID)
	}
	return nil
}

// resumeDataset migrates a loaded database, finishes what an earlier run left, reads the ids of its records, and
// creates a key for this run: keys of earlier runs cannot be read any more.
func (b *bench) resumeDataset(ctx context.Context, d *dataset) error {
	if err := app.Migrate(ctx, d.database, b.warningsOnly()); err != nil {
		return err
	}
	if err := b.finishBackgroundWork(ctx, app.Config{Database: d.database}); err != nil {
		return err
	}
	loaded, err := d.target().ReadContents(ctx)
	if err != nil {
		return err
	}
	d.rules, d.groups = loaded.Rules, loaded.Groups
	d.site.OrganizationID, d.site.WebsiteID, d.site.LoyaltyCurrencyID =
		loaded.Site.OrganizationID, loaded.Site.WebsiteID, loaded.Site.CurrencyID
	a, err := app.Open(ctx, app.Config{Database: d.database, Logger: b.warningsOnly(), NoMigrate: true})
	if err != nil {
		return err
	}
	key, err := a.CreateKey(
		ctx,
		app.APIKeyInput{
			Organization: d.site.OrganizationID, Website: d.site.WebsiteID, Role: "WEBSITE_API_KEY", Name: "Bench",
		},
	)
	d.site.WebsiteAPIKey = key.Key
	return errors.Join(err, a.Close())
}
