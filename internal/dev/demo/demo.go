// Package demo creates a believable month of a loyalty program through the real services, for laurel demo. It owns no
// table.
package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/commerce/auctions"
	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/commerce/contracts"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/content/collections"
	"laurel.example/laurel/internal/content/pages"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/functions"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/attributes"
	"laurel.example/laurel/internal/identity/connect"
	"laurel.example/laurel/internal/identity/delegations"
	"laurel.example/laurel/internal/identity/devices"
	"laurel.example/laurel/internal/memberimports"
	"laurel.example/laurel/internal/messages"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/reversals"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/rules/awards"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/chains"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/referrals"
	"laurel.example/laurel/internal/rules/reset"
	"laurel.example/laurel/internal/rules/schedule"
	"laurel.example/laurel/internal/webhooks"
)

// Currency is the name of the demo's first currency.
const Currency = "Points"

const (
	members           = 200
	days              = 30
	seed              = 20260115 // the same people and the same habits every time
	concurrentActions = 32       // most actions that run at once
	gemsEvery         = 5        // members find part of a gem on one of so many days
	maxPurchase       = 120
)

// Clock is the clock of the services. It is set back while the past month is created, and runs with the system's clock
// afterwards.
type Clock struct {
	present func() time.Time
	behind  atomic.Int64 // nanoseconds
}

// NewClock returns a clock that shows the present.
func NewClock(present func() time.Time) *Clock { return &Clock{present: present} }

// Now returns the moment that the history has reached.
func (c *Clock) Now() time.Time { return c.present().Add(-time.Duration(c.behind.Load())) }

// set makes the clock show a moment, from which it runs on.
func (c *Clock) set(at time.Time) { c.behind.Store(int64(c.present().Sub(at))) }

// catchUp makes the clock show the present again.
func (c *Clock) catchUp() { c.behind.Store(0) }

// Services are the services that the demo calls.
type Services struct {
	Ledger       *ledger.Service
	Transactions *transactions.Service
	Rules        *catalog.Service
	Completions  *completion.Service
	Engagement   *engagement.Service
	Badges       *badges.Service
	Awards       *awards.Service
	Referrals    *referrals.Service
	Identity     *identity.Service
	Attributes   *attributes.Service
	Delegations  *delegations.Service
	Devices      *devices.Service
	Flows        *connect.Flows
	Elsewhere    *Elsewhere // on which members have accounts; nil: the operator has providers
	Chain        *Chain     // that the service reads; nil: the operator has networks
	Phones       *connect.Phones
	Emails       *connect.Emails
	Messages     *messages.Service // with an outbox
	Admins       *admins.Service
	Chains       *chains.Service
	Clearing     *reset.Service
	Reversals    *reversals.Service
	Imports      *memberimports.Service
	Content      *content.Service
	Contracts    *contracts.Service
	Claims       *claims.Service
	Pages        *pages.Service
	Collections  *collections.Service
	Lists        *lists.Service
	Schedule     *schedule.Service
	Webhooks     *webhooks.Service
	Functions    *functions.Service
	Minting      *minting.Service
	Auctions     *auctions.Service
	Clock        *Clock
}

// Program is the website that the demo fills, and the key that it acts with.
type Program struct {
	Scope      laurel.Scope // of a secret key, narrowed to the website
	CurrencyID laurel.ID
	AdminEmail string // of the owner, who is created if nobody has the address
	AdminName  string
}

// Result has what the demo created, for the texts of the command.
type Result struct {
	Members, Completions, Days    int
	GemsID, CheckInID, PurchaseID laurel.ID
	QuizID, PollID                laurel.ID
	ReferralID, TutorialID        laurel.ID
	PotteryRuleID                 laurel.ID // pays for events of the chain
	HalfWay                       string    // of a member who is half-way through the tutorial and to a badge
}

// Create fills a new website: a second currency, rules, badges, a store and members, with the history of their last
// month, day by day. It sets the clock back to the first day, and moves it to the present before it returns.
func Create(ctx context.Context, s Services, p Program) (Result, error) {
	b := builder{Services: s, scope: p.Scope,
		random: rand.New(rand.NewPCG(seed, seed))}
	now := s.Clock.present().UTC().Truncate(24 * time.Hour)
	begin := now.AddDate(0, 0, -days)
	defer s.Clock.catchUp()
	s.Clock.set(begin)
	if err := b.setUp(ctx, p); err != nil {
		return Result{}, err
	}
	for day := range days {
		s.Clock.set(begin.AddDate(0, 0, day).Add(9 * time.Hour))
		if err := b.makeAdminsChanges(ctx, day); err != nil {
			return Result{}, fmt.Errorf("day %d: %w", day, err)
		}
		if err := b.makeStoreChanges(ctx, day); err != nil {
			return Result{}, fmt.Errorf("store on day %d: %w", day, err)
		}
		if err := b.runMembersActions(ctx, day); err != nil {
			return Result{}, err
		}
	}
	s.Clock.set(now)
	if err := b.checkInEarlyToday(ctx); err != nil {
		return Result{}, err
	}
	if err := b.placeLastBids(ctx, now); err != nil {
		return Result{}, err
	}
	s.Clock.catchUp() // the outbox keeps messages for a day
	if err := b.verifyPhones(ctx); err != nil {
		return Result{}, err
	}
	if err := b.confirmEmailAddresses(ctx); err != nil {
		return Result{}, err
	}
	b.result.Members, b.result.Days = members, days
	b.result.HalfWay = memberID(halfWay)
	b.result.Completions = int(b.completions.Load())
	return b.result, nil
}
