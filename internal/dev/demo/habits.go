package demo

import (
	"context"
	"fmt"
	"sync"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/points/transactions"
	"laurel/internal/rules/completion"
)

// wallet returns the address of a member by number.
func wallet(i int) string { return fmt.Sprintf("0x%040x", 0x1a_0000+i*7919) }

// action is one call that a member makes on a day.
type action func(ctx context.Context) error

// runMembersDay runs the actions of all members on a day: the first members come nearly every day, the last ones
// seldom.
func (b *builder) runMembersDay(ctx context.Context, runMembersDay int) error {
	var acts []action
	for i := range members {
		if joined := i * days / members; runMembersDay < joined {
			continue // members join over the month
		} else if runMembersDay == joined {
			acts = append(acts, b.join(i))
		} else {
			acts = append(acts, b.oneTimeActions(i, runMembersDay-joined)...)
		}
		zeal := 0.9 - 0.8*float64(i)/members
		if b.random.Float64() < zeal {
			acts = append(acts, b.complete(i, b.story.CheckInID, nil))
		}
		if b.random.Float64() < zeal/4 {
			spent := laurel.Amount(5+b.random.IntN(maxPurchase)) * laurel.One
			acts = append(acts, b.complete(i, b.story.PurchaseID, &spent))
		}
		if runMembersDay%7 == i%7 && b.random.Float64() < zeal/3 {
			acts = append(acts, b.complete(i, b.review, nil))
		}
		if b.random.Float64() < zeal/20 {
			acts = append(acts, b.spend(i, laurel.Amount(20+b.random.IntN(60))*laurel.One))
		}
		if b.random.Float64() < zeal/gemsEvery {
			acts = append(acts, b.spendGem(i))
		}
	}
	return runConcurrently(ctx, acts)
}

// checkInEarlyToday checks some members in at the beginning of today, so that their streaks are a day ahead.
func (b *builder) checkInEarlyToday(ctx context.Context) error {
	var acts []action
	for i := halfWay + 1; i < members/20; i++ {
		acts = append(acts, b.complete(i, b.story.CheckInID, nil))
	}
	return runConcurrently(ctx, acts)
}

// runConcurrently runs the actions of a day, many at once, as visitors would. It returns the first error.
func runConcurrently(ctx context.Context, acts []action) error {
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

func (b *builder) join(i int) action {
	return func(ctx context.Context) error {
		_, err := b.Identity.WriteMetadata(ctx, b.scope, identity.MetadataInput{Ref: identity.Ref{Wallet: wallet(i)},
			DisplayName: laurel.Some(name(i)), ExternalIdentifier: laurel.Some(fmt.Sprintf("member-%03d", i))})
		if err != nil {
			return err
		}
		return b.complete(i, b.welcome, nil)(ctx)
	}
}

// name returns a display name of two syllables and a number.
func name(i int) string {
	first := []string{"Al", "Bo", "Cy", "Do", "El", "Fi", "Gu", "Hy", "Io", "Ju"}
	last := []string{"ra", "nn", "mo", "li", "sa", "to", "ve", "ki", "da", "ne"}
	return fmt.Sprintf("%s%s %d", first[i%len(first)], last[i/len(first)%len(last)], i)
}

func (b *builder) complete(i int, rule laurel.ID, amount *laurel.Amount) action {
	return b.call(completion.CompleteInput{RuleID: rule, User: identity.Ref{Wallet: wallet(i)}, Amount: amount})
}

func (b *builder) call(in completion.CompleteInput) action {
	return func(ctx context.Context) error {
		_, err := b.Completions.Complete(ctx, b.scope, in)
		if err == nil {
			b.completions.Add(1)
		}
		return ignoreRefusal(err)
	}
}

func (b *builder) spend(i int, amount laurel.Amount) action {
	return b.post(
		transactions.Input{
			Description: "Order",
			Type:        ledger.TypeOrder,
			Entries: []transactions.Entry{{Member: transactions.MemberRef{Wallet: wallet(i)},
				Amount: amount, Direction: ledger.Debit}},
		},
		&b.points,
	)
}

func (b *builder) spendGem(i int) action {
	return b.post(
		transactions.Input{
			Description: "Gem found",
			Entries:     []transactions.Entry{{Member: transactions.MemberRef{Wallet: wallet(i)}, Amount: laurel.One / 4}},
		},
		&b.story.GemsID,
	)
}

func (b *builder) post(in transactions.Input, currency *laurel.ID) action {
	return func(ctx context.Context) error {
		in.CurrencyID = *currency
		_, err := b.Transactions.Post(ctx, b.scope, in)
		return ignoreRefusal(err)
	}
}

// ignoreRefusal drops refusals of the services: members also try what they cannot have.
func ignoreRefusal(err error) error {
	if laurel.CodeOf(err) == laurel.Refused {
		return nil
	}
	return err
}
