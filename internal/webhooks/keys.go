package webhooks

import (
	"context"
	"encoding/base64"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

const (
	keyPrefix = "whsec_"
	keyBytes  = 24
	// keyGrace is how long a replaced key still signs, and maxSignatures how many keys sign at once
	// (contract 4.12).
	keyGrace      = 24 * time.Hour
	maxSignatures = 3
)

// keyPlace binds a sealed signing key to its row.
func keyPlace(id laurel.ID) string { return vault.Place("subscription key", id, "signingKey") }

// createSigningKey inserts a new random signing key for a subscription, and returns it sealed.
func (s *Service) createSigningKey(ctx context.Context, tx *store.Tx, sub Subscription) (vault.Secret, error) {
	random := make([]byte, keyBytes)
	tx.Random(random)
	id := tx.NewID()
	key := s.Vault.SealSecret(keyPrefix+base64.StdEncoding.EncodeToString(random), keyPlace(id))
	return key, insertKey(ctx, tx, id, sub, key)
}

// Rotate replaces the signing key of a subscription. Requests are also signed with the replaced key for another day.
// Errors: NotFound "Subscription".
func (s *Service) Rotate(ctx context.Context, scope laurel.Scope, id laurel.ID) (Subscription, error) {
	return s.updateLocked(ctx, scope, id, func(tx *store.Tx, sub *Subscription) error {
		if err := markKeysReplaced(ctx, tx, sub.ID); err != nil {
			return err
		}
		if err := deleteOldKeys(ctx, tx, sub.ID, tx.Now().Add(-keyGrace)); err != nil {
			return err
		}
		key, err := s.createSigningKey(ctx, tx, *sub)
		sub.SigningKey = key
		return err
	})
}

// SigningKey returns the current signing key in plain text, as receivers need it. Errors: NotFound "Subscription".
func (s *Service) SigningKey(ctx context.Context, scope laurel.Scope, id laurel.ID) (string, error) {
	sub, err := s.Get(ctx, scope, id)
	if err != nil {
		return "", err
	}
	return s.Vault.Reveal(sub.SigningKey)
}

// signingKeys returns, in plain text, the keys with which deliveries of a subscription are signed now: the current one
// first, then those replaced within keyGrace, newest first, at most maxSignatures in all.
func (s *Service) signingKeys(ctx context.Context, subscription laurel.ID) ([]string, error) {
	rows, err := selectSigningKeys(ctx, s.DB, subscription, s.DB.Now().Add(-keyGrace))
	if err != nil {
		return nil, err
	}
	keys := make([]string, 0, len(rows))
	for _, r := range rows[:min(len(rows), maxSignatures)] {
		plain, err := s.Vault.Reveal(r.secret())
		if err != nil {
			return nil, err
		}
		keys = append(keys, plain)
	}
	return keys, nil
}

// Sealed lists the sealed columns of this package, for a change of LAUREL_SECRET.
var Sealed = vault.SealedColumns{
	Table: "subscription_keys", ID: "id", PlaceID: "id", Columns: []string{"signing_key"}, Where: "signing_key <> ''",
	Reseal: func(of laurel.ID, text string, move vault.Resealer) (string, error) {
		return move(text, false, keyPlace(of))
	},
}

// decodeKey returns the bytes of a signing key, as v2 signs with them.
func decodeKey(plain string) ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.TrimPrefix(plain, keyPrefix))
}
