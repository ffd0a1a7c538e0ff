package app

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/holds"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/reversals"
	"laurel.example/laurel/internal/points/rewardhistory"
	"laurel.example/laurel/internal/rules/awards"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/store"
)

// newReversals makes the service that reverses transactions.
func newReversals(
	db *store.DB, committer *store.Committer, books *ledger.Service, people *identity.Service, judges *awards.Service,
) *reversals.Service {
	var s *reversals.Service
	takeBack := func(ctx context.Context, scope laurel.Scope, transaction laurel.ID) error {
		_, err := s.Reverse(ctx, scope, reversals.Input{ID: transaction, SkipOutside: true})
		if laurel.CodeOf(err) == laurel.Refused { // it is reversed already
			return nil
		}
		return err
	}
	s = reversals.New(reversals.Config{
		DB: db, Committer: committer, Ledger: books, History: rewardhistory.New(db),
		KeptOfHold: func(ctx context.Context, scope laurel.Scope, hold laurel.ID) (map[laurel.ID]laurel.Amount, error) {
			return holds.Kept(ctx, db, scope, hold)
		},
		Reopen: func(
			ctx context.Context, scope laurel.Scope, t ledger.Transaction, user laurel.ID,
		) (ledger.SideEffect, error) {
			p, err := people.Find(ctx, scope, identity.Ref{UserID: user}, true)
			if err != nil {
				return nil, err
			}
			subjects := []laurel.ID{p.UserID}
			if p.Subject() != p.UserID {
				subjects = append(subjects, p.Subject())
			}
			payment := progress.Payment{Rule: t.RuleID, Transaction: t.ID, At: t.CreatedAt}
			return progress.FindReopening(ctx, db, payment, subjects)
		},
		RecheckBadges: func(ctx context.Context, scope laurel.Scope, users []laurel.ID) error {
			return judges.Recheck(ctx, scope, users, takeBack)
		},
	})
	return s
}
