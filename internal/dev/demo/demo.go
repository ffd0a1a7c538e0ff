// Package demo tells a believable history of a loyalty program through the real services: it owns no data and no table.
package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/commerce/auctions"
	"laurel/internal/commerce/claims"
	"laurel/internal/commerce/contracts"
	"laurel/internal/commerce/minting"
	"laurel/internal/content"
	"laurel/internal/content/collections"
	"laurel/internal/content/pages"
	"laurel/internal/engagement"
	"laurel/internal/engagement/badges"
	"laurel/internal/functions"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/points/transactions"
	"laurel/internal/rules/awards"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/chains"
	"laurel/internal/rules/completion"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/referrals"
	"laurel/internal/rules/reset"
	"laurel/internal/rules/schedule"
	"laurel/internal/webhooks"
)

// Currency is the name of the demo's first currency.
const Currency = "Points"

const (
	members     = 200
	days        = 30
	seed        = 20260115 // the same people and the same habits every time
	atOnce      = 32       // members who act at the same moment
	gemsEvery   = 5        // a gem for every so many purchases
	maxPurchase = 120
)

// Clock is the service's clock while the past is told, and the system's afterwards.
type Clock struct {
	present func() time.Time
	behind  atomic.Int64 // nanoseconds
}

// NewClock makes a clock that tells the present.
func NewClock(present func() time.Time) *Clock { return &Clock{present: present} }

// Now returns the moment that the story has reached.
func (c *Clock) Now() time.Time { return c.present().Add(-time.Duration(c.behind.Load())) }

func (c *Clock) goTo(at time.Time) { c.behind.Store(int64(c.present().Sub(at))) }

func (c *Clock) catchUp() { c.behind.Store(0) }

// Services are what the demo is told through.
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
	Admins       *admins.Service
	Chains       *chains.Service
	Clearing     *reset.Service
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

// Program is the website that the story is about, and who tells it.
type Program struct {
	Scope      laurel.Scope // of a secret key, narrowed to the website
	CurrencyID laurel.ID
	AdminEmail string // of the owner, who is made where nobody has the address
	AdminName  string
}

// Story is what came of it.
type Story struct {
	Members, Completions, Days    int
	GemsID, CheckInID, PurchaseID laurel.ID
	QuizID, PollID                laurel.ID
	ReferralID, TutorialID        laurel.ID
	Wallet                        string // of one member
	HalfWay                       string // of one that is half-way through the tutorial, and to a badge
}

// Create makes a second currency, rules, members and their last month.
func Create(ctx context.Context, s Services, p Program) (Story, error) {
	t := teller{Services: s, scope: p.Scope,
		random: rand.New(rand.NewPCG(seed, seed))}
	now := s.Clock.present().UTC().Truncate(24 * time.Hour)
	begin := now.AddDate(0, 0, -days)
	defer s.Clock.catchUp()
	s.Clock.goTo(begin)
	if err := t.setUp(ctx, p); err != nil {
		return Story{}, err
	}
	for day := range days {
		s.Clock.goTo(begin.AddDate(0, 0, day).Add(9 * time.Hour))
		if err := t.work(ctx, day); err != nil {
			return Story{}, fmt.Errorf("day %d: %w", day, err)
		}
		if err := t.trade(ctx, day); err != nil {
			return Story{}, fmt.Errorf("store on day %d: %w", day, err)
		}
		if err := t.day(ctx, day); err != nil {
			return Story{}, err
		}
	}
	s.Clock.goTo(now)
	if err := t.early(ctx); err != nil {
		return Story{}, err
	}
	if err := t.lastBids(ctx, now); err != nil {
		return Story{}, err
	}
	t.story.Members, t.story.Days, t.story.Wallet = members, days, wallet(0)
	t.story.HalfWay = wallet(halfWay)
	t.story.Completions = int(t.completions.Load())
	return t.story, nil
}
