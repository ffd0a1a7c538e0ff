package identity_test

import (
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

// TestAWriteThatWaitsForItsGroupHoldsNoNewUser writes metadata that makes a wallet join a group which another
// transaction holds, as a payment of a mate does, and lets that one make the same wallet: each would wait for the other
// if the wallet were written before the group is held.
func TestAWriteThatWaitsForItsGroupHoldsNoNewUser(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		if p.db.Engine() == store.SQLite {
			return // one writer at a time: nobody waits for a row
		}
		mate, err := p.service.WriteMetadata(ctx, p.scope, identity.MetadataInput{Ref: identity.Ref{Wallet: "mate"},
			UserGroupExternalIdentifier: laurel.Some("family")})
		if err != nil {
			p.Fatal(err)
		}
		var wg sync.WaitGroup
		var joined identity.Metadata
		attempts := 0
		err = p.db.InTx(ctx, func(tx *store.Tx) error {
			attempts++
			if attempts > 1 {
				p.Error("the payment met a deadlock")
				return nil
			}
			var held laurel.ID
			if err := tx.Get(
				ctx,
				&held,
				"SELECT id FROM user_groups WHERE id = ?"+tx.ForShare(),
				*mate.UserGroupID,
			); err != nil {
				return err
			}
			wg.Go(func() {
				var err error
				if joined, err = p.service.WriteMetadata(ctx, p.scope, identity.MetadataInput{Ref: identity.Ref{Wallet: "new"},
					UserGroupExternalIdentifier: laurel.Some("family")}); err != nil {
					p.Error(err)
				}
			})
			for waits := 0; waits == 0; time.Sleep(5 * time.Millisecond) {
				if err := p.db.Get(
					ctx,
					&waits,
					"SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
				); err != nil {
					return err
				}
			}
			if _, err := tx.Exec(ctx, "SET LOCAL lock_timeout = '200ms'"); err != nil {
				return err
			}
			_, err := tx.Exec(
				ctx,
				`INSERT INTO users (id, organization_id, wallet_address, is_platform_super_admin, temporary_loyalty_user, is_service,
				created_at, updated_at) VALUES (?, ?, 'new', FALSE, TRUE, FALSE, 1, 1)`,
				tx.NewID(),
				p.scope.OrganizationID,
			)
			return err
		})
		if err != nil {
			p.Errorf("the payment could not make the wallet: %v", err)
		}
		wg.Wait()
		if joined.UserGroupID == nil || *joined.UserGroupID != *mate.UserGroupID {
			p.Errorf("the wallet joined %v", joined.UserGroupID)
		}
	})
}
