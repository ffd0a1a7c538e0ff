package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"laurel"
	"laurel/internal/app"
	"laurel/internal/dev/bulk"
)

// dataset is the large database.
type dataset struct {
	site     site
	shape    bulk.Shape
	database string // its address
	rules    []laurel.ID
	groups   []laurel.ID
}

func (d *dataset) target() bulk.Target { return d.site.target(d.database) }

// withActiveMembers returns the site with the first members only, so that a run differs from one on a small database by
// the rows that are there, and not by the number of callers.
func (d *dataset) withActiveMembers(members int) site {
	s := d.site
	s.members = min(members, s.members)
	return s
}

// openDataset returns the large database of so many accounts and entries. It is loaded once and kept with the cluster;
// the measurements add to it.
func (b *bench) openDataset(ctx context.Context, accounts, entries int) (*dataset, error) {
	shape := bulk.ShapeOf(accounts, entries)
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
		if err := b.loadDataset(ctx, c, name, shape); err != nil {
			return nil, err
		}
	}
	return d, b.resumeDataset(ctx, d)
}

// loadDataset fills a database under another name, so that one which is there under its own is whole.
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
		func(_ *app.App, host string) error { return d.makeRules(ctx, host) },
	); err != nil {
		return err
	}
	if err := d.target().Load(ctx, shape, d.rules, b.logf); err != nil {
		return err
	}
	b.logf("sealing")
	// sealing rests as long as it works, by the service's clock: here that stands still, so it does not rest
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

// finishBackgroundWork lets the service seal entries and take rank snapshots of loaded rows, so that no measured server
// does.
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

// makeRules makes the rules of the completions, in groups of ten.
func (d *dataset) makeRules(ctx context.Context, host string) error {
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
				"name":               bulk.Rule,
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

// resumeDataset reads what there is in a loaded database, finishes what an earlier run left, and makes a key for this
// run: keys of earlier runs cannot be read any more.
func (b *bench) resumeDataset(ctx context.Context, d *dataset) error {
	if err := app.Migrate(ctx, d.database, b.warningsOnly()); err != nil {
		return err
	}
	if err := b.finishBackgroundWork(ctx, app.Config{Database: d.database}); err != nil {
		return err
	}
	loaded, err := d.target().Read(ctx)
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
		app.APIKeyInput{Organization: d.site.OrganizationID, Website: d.site.WebsiteID, Role: "WEBSITE_API_KEY", Name: "Bench"},
	)
	d.site.WebsiteAPIKey = key.Key
	return errors.Join(err, a.Close())
}
