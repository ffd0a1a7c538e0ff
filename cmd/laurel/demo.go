package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"laurel/internal/app"
	"laurel/internal/demo"
)

type demoCommand struct {
	serverFlags
	Dir string `help:"Folder that keeps the database; none: a temporary folder, removed at the end." type:"path"`
}

// Run makes the demo program, prints how to try it and serves until interrupted.
func (c demoCommand) Run(e environment) error {
	listener, err := c.listen(e)
	if err != nil {
		return err
	}
	dir, remove, err := c.folder()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer remove()
	clock := demo.NewClock(app.SystemClock)
	config := c.config(e)
	config.Database, config.Now = "sqlite:"+filepath.Join(dir, "demo.db"), clock.Now
	a, err := app.Open(e.ctx, config)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	a.Warn()
	program, story, err := tell(e, a, clock)
	if err != nil {
		return errors.Join(err, listener.Close(), a.Close())
	}
	printDemo(c.address(listener), program, story)
	return a.Run(e.ctx, listener)
}

// folder answers where the database goes and what to do at the end.
func (c demoCommand) folder() (string, func(), error) {
	if c.Dir != "" {
		return c.Dir, func() {}, os.MkdirAll(c.Dir, 0o700)
	}
	temporary, err := os.MkdirTemp("", "laurel-demo-")
	return temporary, func() { _ = os.RemoveAll(temporary) }, err
}

func tell(e environment, a *app.App, clock *demo.Clock) (app.Program, demo.Story, error) {
	program, err := a.CreateProgram(e.ctx, app.ProgramInput{Organization: "Demo organization", Website: "Demo website", Currency: demo.Currency, Symbol: "PTS"})
	if err != nil {
		return app.Program{}, demo.Story{}, err
	}
	scope, err := a.ScopeOf(e.ctx, program.WebsiteAPIKey)
	if err != nil {
		return app.Program{}, demo.Story{}, err
	}
	story, err := demo.Tell(e.ctx, demo.Services{Ledger: a.Ledger, Rules: a.Rules, Completions: a.Completions,
		Engagement: a.Engagement, Referrals: a.Referrals, Identity: a.Identity, Clock: clock}, demo.Program{
		Scope: scope, CurrencyID: program.LoyaltyCurrencyID})
	return program, story, err
}

func printDemo(address string, p app.Program, s demo.Story) {
	fmt.Printf(`Laurel demo: %d members, %d completions, %d days of history

address            %s   (API explorer: %s/docs)
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

  # a member buys something: 25 points
  curl -s -X POST %s/api/loyalty/rules/%s/complete -H 'X-API-KEY: %s' -H 'Content-Type: application/json' -d '{"walletAddress":"%s","amount":25}'

  # its newest entries
  curl -s -H 'X-API-KEY: %s' '%s/api/loyalty/transaction_entries?walletAddress=%s&limit=3'

  # the leaderboard
  curl -s -H 'X-API-KEY: %s' '%s/api/loyalty/accounts?loyaltyCurrencyId=%s&limit=5'

  # how many days in a row a member has checked in
  curl -s -H 'X-API-KEY: %s' '%s/api/loyalty/account_streaks?loyaltyRuleId=%s&walletAddress=%s'

  # what a completion would come to, and what is missing: this member is half-way
  curl -s -X POST %s/api/loyalty/rules/%s/simulate -H 'X-API-KEY: %s' -H 'Content-Type: application/json' -d '{"walletAddress":"%s"}'

Stop with Ctrl-C.
`, s.Members, s.Completions, s.Days, address, address, p.OrganizationID, p.WebsiteID, p.LoyaltyCurrencyID, s.GemsID, s.CheckInID, s.PurchaseID,
		s.QuizID, s.PollID, s.ReferralID, s.TutorialID,
		p.OrganizationAPIKey, p.WebsiteAPIKey, p.ReadOnlyAPIKey, p.ClientAPIKey, p.FunctionAPIKey,
		address, s.PurchaseID, p.WebsiteAPIKey, s.Wallet, p.ReadOnlyAPIKey, address, s.Wallet, p.ReadOnlyAPIKey, address, p.LoyaltyCurrencyID,
		p.ReadOnlyAPIKey, address, s.CheckInID, s.Wallet, address, s.TutorialID, p.WebsiteAPIKey, s.HalfWay)
}
