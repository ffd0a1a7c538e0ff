package delegations

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var table = store.NewRecords[Delegation]("wallet_delegations", "Delegation")

// maxKeysPerQuery is how many users one statement looks up at most.
const maxKeysPerQuery = 500

// byID returns the condition for the delegation of the scope with an id.
func byID(scope laurel.Scope, id laurel.ID) *store.Where {
	return store.OfTenant(scope).With("id = ?", id)
}

// countOf counts the delegations to a user in the scope.
func countOf(ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID) (int, error) {
	return table.Count(ctx, tx, store.OfTenant(scope).With("user_id = ?", user))
}

// replace stores a delegation in place of the cold wallet's former one. If that is to the same user, it stays, and d
// becomes it.
func replace(ctx context.Context, tx *store.Tx, d *Delegation) error {
	if d.Key != d.Delegator { // earlier versions knew no keys
		_, err := tx.Exec(ctx, "DELETE FROM wallet_delegations WHERE website_id = ? AND delegator_key = ?",
			d.WebsiteID, d.Delegator)
		if err != nil {
			return err
		}
	}
	inserted, err := table.Insert(ctx, tx, d, `ON CONFLICT (website_id, delegator_key) DO UPDATE
		SET id = excluded.id, delegator_wallet_address = excluded.delegator_wallet_address, user_id = excluded.user_id,
			created_at = excluded.created_at
		WHERE wallet_delegations.user_id <> excluded.user_id`)
	if err != nil || inserted {
		return err
	}
	w := (&store.Where{}).With("website_id = ?", d.WebsiteID).With("delegator_key = ?", d.Key)
	*d, err = table.Get(ctx, tx, w, "")
	return err
}

// remove removes the row of a delegation.
func remove(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM wallet_delegations WHERE id = ?", id)
	return err
}

// eachDelegation calls f with the delegations to users in the scope, oldest first.
func eachDelegation(
	ctx context.Context, q store.Queryer, scope laurel.Scope, users []laurel.ID, f func(Delegation),
) error {
	return eachWith(ctx, q, lookup[laurel.ID]{scope, "user_id", users}, f)
}

// eachByKey calls f with the delegations of cold wallets with keys in the scope, oldest first.
func eachByKey(
	ctx context.Context, q store.Queryer, scope laurel.Scope, keys []string, f func(Delegation),
) error {
	return eachWith(ctx, q, lookup[string]{scope, "delegator_key", keys}, f)
}

// lookup asks for the delegations in a scope that have one of several values in a column.
type lookup[T any] struct {
	scope  laurel.Scope
	column string
	values []T
}

// eachWith calls f with the delegations that a lookup asks for, oldest first.
func eachWith[T any](ctx context.Context, q store.Queryer, l lookup[T], f func(Delegation)) error {
	for part := range slices.Chunk(l.values, maxKeysPerQuery) {
		w := store.OfTenant(l.scope)
		store.In(w, l.column, part)
		rows, err := table.Select(ctx, q, w, "created_at, id")
		if err != nil {
			return err
		}
		for _, d := range rows {
			f(d)
		}
	}
	return nil
}
