package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/demo"
)

type demoCommand struct {
	serverFlags
	Chain string `help:"The blockchain that the demo reads: anvil (a node that it starts), recorded (one that it plays back), or auto: anvil where it is found." enum:"auto,anvil,recorded" default:"auto"`
	Dir   string `help:"Folder for the database and its keys, which the next run uses again. Default: a temporary folder that is removed at the end." type:"path"`
}

const (
	demoDatabase = "demo.db"
	demoKeys     = "demo.json"
	demoIdentity = "identity.json"
	demoNetworks = "networks.json"
)

// partAgain is the time after which blocks leave the demo's blockchain after an error.
const partAgain = 2 * time.Second

// The owner of the demo's organization, whom the printed link signs in to the dashboard.
const (
	demoAdmin     = "demo@example.com"
	demoAdminName = "Demo owner"
)

// demoRecord is what the demo prints at each start. It is stored in a file beside the database, since the database
// holds no key that could be shown again.
type demoRecord struct {
	Program  app.Program `json:"program"`
	Result   demo.Result `json:"story"`
	Password string      `json:"password"` // of the owner, until it is changed in the dashboard
}

// Run creates the demo program or finds that of an earlier run, prints how to try it and serves it until interrupted.
func (c demoCommand) Run(e environment) error {
	clock := demo.NewClock(app.SystemClock)
	config := c.config(e)
	config.Outbox = true // so that codes and links can be tried without a gateway
	// Check runs before the folder is made. The address of the database is set again when its folder is known.
	config.Database, config.Now = "sqlite:"+filepath.Join(c.Dir, demoDatabase), clock.Now
	if err := config.Check(); err != nil {
		return err
	}
	if e.database != defaultDatabase {
		fmt.Fprintln(
			os.Stderr,
			"the demo uses its own database: --database and LAUREL_DATABASE_URL only work with other commands",
		)
	}
	listener, err := c.listen(e)
	if err != nil {
		return err
	}
	dir, remove, err := c.folder()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer remove()
	config.Database = "sqlite:" + filepath.Join(dir, demoDatabase)
	config.Address, config.MetricsListener = c.address(listener), listener.metrics
	var page memberPage
	config.DemoPage = page.render
	elsewhere, chain, err := c.openDoubles(e, &config, dir)
	if elsewhere != nil {
		defer func() { _ = elsewhere.Close() }()
	}
	if chain != nil {
		defer func() { _ = chain.Close() }()
	}
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	a, err := app.Open(e.ctx, config)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	a.Warn()
	record, err := createOrLoadDemo(e, a, demo.Services{Clock: clock, Elsewhere: elsewhere, Chain: chain}, dir)
	if err != nil {
		return errors.Join(err, listener.Close(), a.Close())
	}
	if record.Password == "" { // an earlier version wrote the folder, and set no password
		if record, err = setOwnerPassword(e, a, record, dir); err != nil {
			return errors.Join(err, listener.Close(), a.Close())
		}
	}
	page.set(a, config.Prefix, record)
	path, err := a.SignInLink(e.ctx, record.Program.OrganizationID, demoAdmin, demoAdminName)
	if err != nil {
		return errors.Join(err, listener.Close(), a.Close())
	}
	printDemo(c.address(listener), path, titleOf(chain), record)
	c.printEnd(dir, listener)
	return runDemo(e, a, chain, record, listener.Listener)
}

// printEnd says where the demo keeps what it needs to start again, and how it is stopped.
func (c demoCommand) printEnd(dir string, listener listeners) {
	if c.Dir != "" {
		fmt.Printf("Run the same command to start this demo again. Its keys and the password are in %s.\n", filepath.Join(dir, demoKeys))
	}
	if listener.metrics != nil {
		fmt.Printf("Metrics: http://%s/metrics\n", listener.metrics.Addr())
	}
	fmt.Println("Stop with Ctrl-C.")
}

// runDemo serves the demo until it is interrupted. Meanwhile blocks leave its blockchain.
func runDemo(e environment, a *app.App, chain *demo.Chain, record demoRecord, listener net.Listener) error {
	if chain == nil {
		return a.Run(e.ctx, listener)
	}
	scope, err := a.ScopeOf(e.ctx, record.Program.WebsiteAPIKey)
	if err != nil {
		return errors.Join(err, listener.Close(), a.Close())
	}
	ctx, cancel := context.WithCancel(e.ctx)
	var parting sync.WaitGroup
	defer parting.Wait() // before the chain is closed
	defer cancel()
	parting.Go(func() {
		for isFirst := true; ; isFirst = false {
			err := chain.Part(ctx, a.Report, scope, record.Result.PotteryRuleID)
			if err == nil || ctx.Err() != nil {
				return
			}
			if isFirst {
				fmt.Fprintln(os.Stderr, "the demo's blockchain does not go on, which is tried again:", err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(partAgain):
			}
		}
	})
	return a.Run(e.ctx, listener)
}

// openDoubles starts what the demo has in place of systems outside: platforms, and a blockchain.
func (c demoCommand) openDoubles(
	e environment, config *app.Config, dir string,
) (elsewhere *demo.Elsewhere, chain *demo.Chain, err error) {
	if elsewhere, err = openElsewhere(e, config, dir); err == nil {
		chain, err = c.openChain(e, config, dir)
	}
	return elsewhere, chain, err
}

// titleOf says in a line what blockchain the demo reads.
func titleOf(chain *demo.Chain) string {
	if chain == nil {
		return "none of the demo's own, as --networks is set"
	}
	return demo.Network + ": " + chain.Title
}

// setOwnerPassword sets a random password for the demo's owner, stores it in the record's file, and returns the record
// with it. Without a password no one could create keys in the dashboard, or sign in once the link is used.
func setOwnerPassword(e environment, a *app.App, record demoRecord, dir string) (demoRecord, error) {
	var err error
	if record.Password, err = a.ResetPassword(e.ctx, demoAdmin); err != nil {
		return record, err
	}
	return record, saveDemoRecord(filepath.Join(dir, demoKeys), record)
}

// folder returns the folder of the database, which it creates if it is missing, and a function to call at the end,
// which removes a temporary one.
func (c demoCommand) folder() (string, func(), error) {
	if c.Dir != "" {
		return c.Dir, func() {}, os.MkdirAll(c.Dir, 0o700)
	}
	temporary, err := os.MkdirTemp("", "laurel-demo-")
	return temporary, func() { _ = os.RemoveAll(temporary) }, err
}

// openElsewhere starts the platforms on which the demo's members have accounts, and has the server use them, unless the
// operator names providers. They are reached at another port at each start.
func openElsewhere(e environment, config *app.Config, dir string) (*demo.Elsewhere, error) {
	if config.Identity != "" {
		return nil, nil
	}
	elsewhere, err := demo.OpenElsewhere(e.ctx)
	if err != nil {
		return nil, err
	}
	text, err := elsewhere.Config()
	if err == nil {
		config.Identity = filepath.Join(dir, demoIdentity)
		err = os.WriteFile(config.Identity, text, 0o600)
	}
	if err != nil {
		return nil, errors.Join(err, elsewhere.Close())
	}
	return elsewhere, nil
}

// openChain starts the blockchain of the demo, and has the server read it, unless the operator names networks. It is
// reached at another port at each start.
func (c demoCommand) openChain(e environment, config *app.Config, dir string) (*demo.Chain, error) {
	if config.Networks != "" {
		return nil, nil
	}
	chain, err := demo.OpenChain(e.ctx, c.Chain, dir, app.SystemClock())
	if err != nil {
		return nil, err
	}
	text, err := chain.Config()
	if err == nil {
		config.Networks = filepath.Join(dir, demoNetworks)
		err = os.WriteFile(config.Networks, text, 0o600)
	}
	if err != nil {
		return nil, errors.Join(err, chain.Close())
	}
	return chain, nil
}

// createOrLoadDemo creates the demo in an empty database and stores its record. For a database that has an organization
// it reads the record that an earlier run has stored.
func createOrLoadDemo(e environment, a *app.App, with demo.Services, dir string) (demoRecord, error) {
	path := filepath.Join(dir, demoKeys)
	organizations, err := a.ListOrganizations(e.ctx)
	if err != nil {
		return demoRecord{}, err
	}
	if len(organizations) == 0 {
		var record demoRecord
		if record.Program, record.Result, err = createDemo(e, a, with); err != nil {
			return demoRecord{}, err
		}
		return record, saveDemoRecord(path, record)
	}
	record, err := loadDemoRecord(e, a, path)
	if err != nil {
		return demoRecord{}, fmt.Errorf("the demo in %s cannot start without its keys: %w; remove %s or choose another folder with --dir",
			filepath.Join(dir, demoDatabase), err, dir)
	}
	return record, nil
}

// loadDemoRecord reads the record that an earlier run has stored. It fails if the keys in it are not of this database.
func loadDemoRecord(e environment, a *app.App, path string) (record demoRecord, err error) {
	text, err := os.ReadFile(path) //nolint:gosec // the operator's own choice
	if err != nil {
		return record, err
	}
	if err := json.Unmarshal(text, &record); err != nil {
		return record, fmt.Errorf("%s: %w", path, err)
	}
	if _, err := a.ScopeOf(e.ctx, record.Program.WebsiteAPIKey); err != nil {
		return record, fmt.Errorf("%s: %w", path, err)
	}
	return record, nil
}

// saveDemoRecord writes the file of the record whole or not at all, readable by its owner only.
func saveDemoRecord(path string, record demoRecord) error {
	text, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), ".demo-")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }()
	_, writing := draft.Write(text)
	if err := errors.Join(writing, draft.Close()); err != nil {
		return err
	}
	return os.Rename(draft.Name(), path)
}

// createDemo creates the organization, website and keys of the demo, and fills the website with a month of history.
func createDemo(e environment, a *app.App, with demo.Services) (app.Program, demo.Result, error) {
	program, err := a.CreateProgram(
		e.ctx,
		app.ProgramInput{Organization: "Demo organization", Website: "Demo website", Currency: demo.Currency, Symbol: "PTS"},
	)
	if err != nil {
		return app.Program{}, demo.Result{}, err
	}
	scope, err := a.ScopeOf(e.ctx, program.WebsiteAPIKey)
	if err != nil {
		return app.Program{}, demo.Result{}, err
	}
	result, err := demo.Create(e.ctx, demo.Services{Ledger: a.Ledger, Transactions: a.Transactions, Rules: a.Rules,
		Completions: a.Completions, Engagement: a.Engagement, Badges: a.Badges, Awards: a.Awards,
		Referrals: a.Referrals, Identity: a.Identity, Admins: a.Admins, Chains: a.Chains, Clearing: a.Reset,
		Content: a.Content, Lists: a.Lists, Attributes: a.Attributes, Delegations: a.Delegations, Devices: a.Devices,
		Reversals: a.Reversals, Imports: a.MemberImports,
		Contracts: a.Contracts, Claims: a.Claims, Pages: a.Pages, Collections: a.Collections,
		Schedule: a.Schedule, Webhooks: a.Webhooks, Functions: a.Functions, Clock: with.Clock,
		Minting: a.Minting, Auctions: a.Auctions, Phones: a.Phones, Emails: a.Emails, Messages: a.Messages,
		Flows: a.Flows, Elsewhere: with.Elsewhere, Chain: with.Chain,
	}, demo.Program{
		Scope: scope, CurrencyID: program.LoyaltyCurrencyID, AdminEmail: demoAdmin, AdminName: demoAdminName,
	})
	return program, result, err
}

// printDemo prints the demo's ids and keys, and calls to try. dashboard is the path of the link that signs in, chain
// says what blockchain is read.
func printDemo(address, dashboard, chain string, record demoRecord) {
	p, s := record.Program, record.Result
	fmt.Printf(
		`Laurel demo: %d members, %d completions, %d days of history

dashboard          %s%s   (works once, within a day)
                   %s/admin
e-mail             %s
password           %s   (to sign in at any time, and to create keys)
address            %s   (documentation: %s/docs)
member page        %s/demo   (a shop that shows the widget)
blockchain         %s
organization       %s
website            %s
currencies         %s (points), %s (gems)
rules              %s (check-in, daily)
                   %s (purchase, external)
                   %s (quiz)
                   %s (poll)
                   %s (referral)
                   %s (tutorial, with progress)
organization key   %s
website key        %s
read-only key      %s
client key         %s
function key       %s

Try:

  # a member buys something for 25 euros: a point for each
  curl -s -X POST %s/api/loyalty/rules/%s/complete -H 'X-API-KEY: %s' -H 'Content-Type: application/json' -d '{"walletAddress":"%s","rangeValue":25}'

  # the member's newest entries
  curl -s -H 'X-API-KEY: %s' '%s/api/loyalty/transaction_entries?walletAddress=%s&limit=3'

  # the leaderboard
  curl -s -H 'X-API-KEY: %s' '%s/api/loyalty/accounts?loyaltyCurrencyId=%s&limit=5'

  # a member's check-in streak, in days
  curl -s -H 'X-API-KEY: %s' '%s/api/loyalty/account_streaks?loyaltyRuleId=%s&walletAddress=%s'

  # what a completion would pay and what is missing: this member is halfway
  curl -s -X POST %s/api/loyalty/rules/%s/simulate -H 'X-API-KEY: %s' -H 'Content-Type: application/json' -d '{"walletAddress":"%s"}'

  # the member's badges, and progress toward the others
  curl -s -H 'X-API-KEY: %s' '%s/api/loyalty/badges?walletAddress=%s'

`,
		s.Members,
		s.Completions,
		s.Days,
		address,
		dashboard,
		address,
		demoAdmin,
		record.Password,
		address,
		address,
		address,
		chain,
		p.OrganizationID,
		p.WebsiteID,
		p.LoyaltyCurrencyID,
		s.GemsID,
		s.CheckInID,
		s.PurchaseID,
		s.QuizID,
		s.PollID,
		s.ReferralID,
		s.TutorialID,
		p.OrganizationAPIKey,
		p.WebsiteAPIKey,
		p.ReadOnlyAPIKey,
		p.ClientAPIKey,
		p.FunctionAPIKey,
		address,
		s.PurchaseID,
		p.WebsiteAPIKey,
		s.HalfWay,
		p.ReadOnlyAPIKey,
		address,
		s.HalfWay,
		p.ReadOnlyAPIKey,
		address,
		p.LoyaltyCurrencyID,
		p.ReadOnlyAPIKey,
		address,
		s.CheckInID,
		s.HalfWay,
		address,
		s.TutorialID,
		p.WebsiteAPIKey,
		s.HalfWay,
		p.ReadOnlyAPIKey,
		address,
		s.HalfWay,
	)
}
