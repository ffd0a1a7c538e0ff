package demo

import (
	"context"
	"fmt"
	"sync"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/rules/completion"
)

// memberID returns the id by which the shop knows a member, by number: a customer number, or the wallet of a member who
// came with one.
func memberID(i int) string {
	if i%walletsEvery == 0 {
		return wallet(i / walletsEvery)
	}
	return fmt.Sprintf("cust_%d", customers+i)
}

// action is one call that a member, or an admin, makes.
type action func(ctx context.Context) error

// runMembersActions runs what all members do on a day of the month, counted from 0. Members join one after the other
// over the month, in the order of their numbers; from then on the first members come nearly every day, the last ones
// seldom.
func (b *builder) runMembersActions(ctx context.Context, day int) error {
	var acts []action
	for i := range members {
		if joined := i * days / members; day < joined {
			continue // members join over the month
		} else if day == joined {
			acts = append(acts, b.join(i))
		} else {
			acts = append(acts, b.oneTimeActions(i, day-joined)...)
		}
		zeal := 0.9 - 0.8*float64(i)/members // the chance of a check-in; other actions are less likely
		if b.random.Float64() < zeal {
			acts = append(acts, b.complete(i, b.result.CheckInID))
		}
		if b.random.Float64() < zeal/4 {
			spent := laurel.Amount(5+b.random.IntN(maxPurchase)) * laurel.One
			acts = append(acts, b.buy(i, spent))
		}
		if day%7 == i%7 && b.random.Float64() < zeal/3 {
			acts = append(acts, b.complete(i, b.reviewRule))
		}
		if b.random.Float64() < zeal/20 {
			acts = append(acts, b.spend(i, laurel.Amount(20+b.random.IntN(60))*laurel.One))
		}
		if b.random.Float64() < zeal/gemsEvery {
			acts = append(acts, b.earnGemFraction(i))
		}
	}
	return runConcurrently(ctx, acts)
}

// checkInEarlyToday checks some members in at the beginning of today, so that their streaks include today.
func (b *builder) checkInEarlyToday(ctx context.Context) error {
	var acts []action
	for i := halfWay + 1; i < members/20; i++ {
		acts = append(acts, b.complete(i, b.result.CheckInID))
	}
	return runConcurrently(ctx, acts)
}

// runConcurrently runs actions, up to 32 at once, and waits for all. It returns the first error.
func runConcurrently(ctx context.Context, acts []action) error {
	var wg sync.WaitGroup
	gate := make(chan struct{}, concurrentActions)
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

// join returns the action by which a member joins: it gets a name and an external identifier, and completes the welcome
// rule.
func (b *builder) join(i int) action {
	return func(ctx context.Context) error {
		_, err := b.Identity.WriteMetadata(ctx, b.scope, identity.MetadataInput{Ref: identity.Ref{Wallet: memberID(i)},
			DisplayName: laurel.Some(name(i)), ExternalIdentifier: laurel.Some(fmt.Sprintf("member-%03d", i))})
		if err != nil {
			return err
		}
		return b.complete(i, b.welcomeRule)(ctx)
	}
}

// name returns the display name of a member by number: two syllables and the number.
func name(i int) string {
	first := []string{"Al", "Bo", "Cy", "Do", "El", "Fi", "Gu", "Hy", "Io", "Ju"}
	last := []string{"ra", "nn", "mo", "li", "sa", "to", "ve", "ki", "da", "ne"}
	return fmt.Sprintf("%s%s %d", first[i%len(first)], last[i/len(first)%len(last)], i)
}

// complete returns the action by which a member, by number, completes a rule.
func (b *builder) complete(i int, rule laurel.ID) action {
	return b.completeWith(completion.CompleteInput{RuleID: rule, User: identity.Ref{Wallet: memberID(i)}})
}

// buy returns the action by which a member, by number, orders for an amount of euros.
func (b *builder) buy(i int, euros laurel.Amount) action {
	return b.completeWith(completion.CompleteInput{
		RuleID: b.result.PurchaseID, User: identity.Ref{Wallet: memberID(i)}, RangeValue: &euros,
	})
}

// completeWith returns the action that completes a rule with the given input. A completion that is not refused is
// counted in b.completions; a refusal is no error.
func (b *builder) completeWith(in completion.CompleteInput) action {
	return func(ctx context.Context) error {
		_, err := b.Completions.Complete(ctx, b.scope, in)
		if err == nil {
			b.completions.Add(1)
		}
		return ignoreRefusal(err)
	}
}

// spend returns the action by which a member pays for an order with an amount of points.
func (b *builder) spend(i int, amount laurel.Amount) action {
	return b.post(
		transactions.Input{
			Description: "Order",
			Type:        ledger.TypeOrder,
			Entries: []transactions.Entry{{Member: transactions.MemberRef{Wallet: memberID(i)},
				Amount: amount, Direction: ledger.Debit}},
		},
		&b.pointsID,
	)
}

// earnGemFraction returns the action that credits a member with a quarter of a gem.
func (b *builder) earnGemFraction(i int) action {
	return b.post(
		transactions.Input{
			Description: "Gem found",
			Entries:     []transactions.Entry{{Member: transactions.MemberRef{Wallet: memberID(i)}, Amount: laurel.One / 4}},
		},
		&b.result.GemsID,
	)
}

// post returns the action that posts a transaction in a currency. The currency is read when the action runs.
func (b *builder) post(in transactions.Input, currency *laurel.ID) action {
	return func(ctx context.Context) error {
		in.CurrencyID = *currency
		_, err := b.Transactions.Post(ctx, b.scope, in)
		return ignoreRefusal(err)
	}
}

// ignoreRefusal returns nil for a refusal of a service, and other errors as they are: members also try what they cannot
// have.
func ignoreRefusal(err error) error {
	if laurel.CodeOf(err) == laurel.Refused {
		return nil
	}
	return err
}
