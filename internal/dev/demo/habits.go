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
		} else {
			acts = append(acts, t.engage(i, day-joined)...)
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

// early has some members check in today, as the day begins: their streaks are a day ahead of those who may still come.
func (t *teller) early(ctx context.Context) error {
	var acts []act
	for i := halfWay + 1; i < members/20; i++ {
		acts = append(acts, t.complete(i, t.story.CheckInID, nil))
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
	return t.call(completion.CompleteInput{RuleID: rule, User: identity.Ref{Wallet: wallet(i)}, Amount: amount})
}

func (t *teller) call(in completion.CompleteInput) act {
	return func(ctx context.Context) error {
		_, err := t.Completions.Complete(ctx, t.scope, in)
		if err == nil {
			t.completions.Add(1)
		}
		return unlessRefused(err)
	}
}

func (t *teller) spend(i int, amount laurel.Amount) act {
	return t.post(
		transactions.Input{
			Description: "Order",
			Type:        ledger.TypeOrder,
			Entries: []transactions.Entry{{Member: transactions.MemberRef{Wallet: wallet(i)},
				Amount: amount, Direction: ledger.Debit}},
		},
		&t.points,
	)
}

func (t *teller) gem(i int) act {
	return t.post(
		transactions.Input{
			Description: "Gem found",
			Entries:     []transactions.Entry{{Member: transactions.MemberRef{Wallet: wallet(i)}, Amount: laurel.One / 4}},
		},
		&t.story.GemsID,
	)
}

func (t *teller) post(in transactions.Input, currency *laurel.ID) act {
	return func(ctx context.Context) error {
		in.CurrencyID = *currency
		_, err := t.Transactions.Post(ctx, t.scope, in)
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
