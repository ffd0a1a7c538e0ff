// Package demo tells a believable history of a loyalty program through the real services: it owns no data and no table.
package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"laurel"
	"laurel/internal/completions"
	"laurel/internal/identity"
	"laurel/internal/ledger"
	"laurel/internal/rulebook"
	"laurel/internal/rules"
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

// Now answers the moment that the story has reached.
func (c *Clock) Now() time.Time { return c.present().Add(-time.Duration(c.behind.Load())) }

func (c *Clock) goTo(at time.Time) { c.behind.Store(int64(c.present().Sub(at))) }

func (c *Clock) catchUp() { c.behind.Store(0) }

// Services are what the demo is told through.
type Services struct {
	Ledger      *ledger.Service
	Rules       *rules.Service
	Completions *completions.Service
	Identity    *identity.Service
	Clock       *Clock
}

// Program is the website that the story is about, and who tells it.
type Program struct {
	Scope      laurel.Scope // of a secret key, narrowed to the website
	CurrencyID laurel.ID
}

// Story is what came of it.
type Story struct {
	Members, Completions, Days    int
	GemsID, CheckInID, PurchaseID laurel.ID
	Wallet                        string // of one member
}

// Tell makes a second currency, rules, members and their last month.
func Tell(ctx context.Context, s Services, p Program) (Story, error) {
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
		if err := t.day(ctx, day); err != nil {
			return Story{}, err
		}
	}
	t.story.Members, t.story.Days, t.story.Wallet = members, days, wallet(0)
	t.story.Completions = int(t.completions.Load())
	return t.story, nil
}

type teller struct {
	Services
	scope       laurel.Scope
	random      *rand.Rand
	story       Story
	points      laurel.ID
	welcome     laurel.ID
	review      laurel.ID
	completions atomic.Int64
}

func (t *teller) setUp(ctx context.Context, p Program) error {
	gems, err := t.Ledger.CreateCurrency(ctx, t.scope, ledger.CurrencyInput{Name: laurel.Some("Gems"), Symbol: laurel.Some("GEM"), Decimals: laurel.Some(int64(2))})
	if err != nil {
		return err
	}
	t.story.GemsID, t.points = gems.ID, p.CurrencyID
	cap500 := 500 * laurel.One
	for _, r := range []struct {
		id *laurel.ID
		in rulebook.Input
	}{
		{&t.welcome, rulebook.Input{Name: laurel.Some("Welcome"), Type: laurel.Some("external_rule"), Interval: laurel.Some("once"), Amount: laurel.Some(100 * laurel.One)}},
		{&t.story.CheckInID, rulebook.Input{Name: laurel.Some("Daily check-in"), Type: laurel.Some("check_in"), Interval: laurel.Some("daily"), Amount: laurel.Some(5 * laurel.One)}},
		{&t.story.PurchaseID, rulebook.Input{Name: laurel.Some("Purchase"), Type: laurel.Some("external_rule"), Interval: laurel.Some("unlimited"), Amount: laurel.Some(10 * laurel.One),
			MaxAmountInterval: laurel.Some("daily"), MaxAmountPerInterval: laurel.Some(cap500)}},
		{&t.review, rulebook.Input{Name: laurel.Some("Review of the week"), Type: laurel.Some("external_rule"), Interval: laurel.Some("weekly"), Amount: laurel.Some(20 * laurel.One)}},
	} {
		r.in.LoyaltyCurrencyID = laurel.Some(p.CurrencyID)
		made, err := t.Rules.Create(ctx, t.scope, r.in)
		if err != nil {
			return fmt.Errorf("rule %s: %w", r.in.Name.Value, err)
		}
		*r.id = made.ID
	}
	return nil
}

// wallet is the address of a member.
func wallet(i int) string { return fmt.Sprintf("0x%040x", 0x1a_0000+i*7919) }

// act is one thing that one member does on a day.
type act func(ctx context.Context) error

// day lets every member follow its habit: the first ones come nearly every day, the last ones seldom.
func (t *teller) day(ctx context.Context, day int) error {
	var acts []act
	for i := range members {
		if joined := i * days / members; day < joined {
			continue // members join over the month
		} else if day == joined {
			acts = append(acts, t.join(i))
		}
		zeal := 0.9 - 0.8*float64(i)/members
		if t.random.Float64() < zeal {
			acts = append(acts, t.complete(i, t.story.CheckInID, nil))
		}
		if t.random.Float64() < zeal/4 {
			spent := laurel.Amount(5+t.random.IntN(maxPurchase)) * laurel.One
			acts = append(acts, t.complete(i, t.story.PurchaseID, &spent))
		}
		if day%7 == i%7 && t.random.Float64() < zeal/3 {
			acts = append(acts, t.complete(i, t.review, nil))
		}
		if t.random.Float64() < zeal/20 {
			acts = append(acts, t.spend(i, laurel.Amount(20+t.random.IntN(60))*laurel.One))
		}
		if t.random.Float64() < zeal/gemsEvery {
			acts = append(acts, t.gem(i))
		}
	}
	return together(ctx, acts)
}

// together runs the acts of a day, many at once, as visitors would.
func together(ctx context.Context, acts []act) error {
	var wg sync.WaitGroup
	gate := make(chan struct{}, atOnce)
	failed := make(chan error, len(acts))
	for _, a := range acts {
		gate <- struct{}{}
		wg.Go(func() {
			defer func() { <-gate }()
			if err := a(ctx); err != nil {
				failed <- err
			}
		})
	}
	wg.Wait()
	close(failed)
	return <-failed // nil when nothing failed
}

func (t *teller) join(i int) act {
	return func(ctx context.Context) error {
		_, err := t.Identity.WriteMetadata(ctx, t.scope, identity.MetadataInput{Ref: identity.Ref{Wallet: wallet(i)},
			DisplayName: laurel.Some(name(i)), ExternalIdentifier: laurel.Some(fmt.Sprintf("member-%03d", i))})
		if err != nil {
			return err
		}
		return t.complete(i, t.welcome, nil)(ctx)
	}
}

// name makes a display name of two syllables and a number.
func name(i int) string {
	first := []string{"Al", "Bo", "Cy", "Do", "El", "Fi", "Gu", "Hy", "Io", "Ju"}
	last := []string{"ra", "nn", "mo", "li", "sa", "to", "ve", "ki", "da", "ne"}
	return fmt.Sprintf("%s%s %d", first[i%len(first)], last[i/len(first)%len(last)], i)
}

func (t *teller) complete(i int, rule laurel.ID, amount *laurel.Amount) act {
	return func(ctx context.Context) error {
		_, err := t.Completions.Complete(ctx, t.scope, completions.CompleteInput{RuleID: rule, User: identity.Ref{Wallet: wallet(i)}, Amount: amount})
		if err == nil {
			t.completions.Add(1)
		}
		return unlessRefused(err)
	}
}

func (t *teller) spend(i int, amount laurel.Amount) act {
	return t.post(ledger.PostInput{Description: "Order", Type: ledger.TypeOrder, Entries: []ledger.PostEntry{{Party: ledger.PartyRef{Wallet: wallet(i)},
		Amount: amount, Direction: ledger.Debit}}}, &t.points)
}

func (t *teller) gem(i int) act {
	return t.post(ledger.PostInput{Description: "Gem found", Entries: []ledger.PostEntry{{Party: ledger.PartyRef{Wallet: wallet(i)}, Amount: laurel.One / 4}}}, &t.story.GemsID)
}

func (t *teller) post(in ledger.PostInput, currency *laurel.ID) act {
	return func(ctx context.Context) error {
		in.CurrencyID = *currency
		_, err := t.Ledger.Post(ctx, t.scope, in)
		return unlessRefused(err)
	}
}

// unlessRefused forgets refusals: members try what they cannot have, as members do.
func unlessRefused(err error) error {
	if laurel.CodeOf(err) == laurel.Refused {
		return nil
	}
	return err
}
