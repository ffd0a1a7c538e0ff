package completion

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// findKeyUse returns what the caller's idempotencyKey was used for, without locks. The zero KeyUse: it was not used, or
// there is no key.
func (s *Service) findKeyUse(ctx context.Context, r *resolved) (ledger.KeyUse, error) {
	if r.In.Key == "" {
		return ledger.KeyUse{}, nil
	}
	return s.ledger.FindKey(ctx, r.Scope, r.In.Key)
}

// keyID returns the id of the caller's idempotencyKey in the ledger.
func (r *resolved) keyID() ledger.KeyID {
	return ledger.KeyID{WebsiteID: r.Scope.WebsiteID, Key: r.In.Key}
}

// keyIDs returns the id of the caller's idempotencyKey, or nothing if the call has none.
func (r *resolved) keyIDs() []ledger.KeyID {
	if r.In.Key == "" {
		return nil
	}
	return []ledger.KeyID{r.keyID()}
}

// keyIsUsed reports whether the caller's key was used before. The call then gets the stored result, whatever the
// window.
func (r *resolved) keyIsUsed(b *store.Batch) bool {
	return r.In.Key != "" && ledger.Keys.Row(b, r.keyID()).IsUsed()
}

// inputHash returns a hash of all input that decides what the call does. A key that comes again with another hash is
// refused.
func (r *resolved) inputHash() string {
	sum := sha256.Sum256(
		store.JSON([]any{r.In.RuleID, r.Person.UserID, r.In.Amount, r.In.ContentURL, r.In.RangeValue, r.In.SkipRequired,
			r.In.VerificationCode, r.In.QuestionChoiceID}),
	)
	return hex.EncodeToString(sum[:])
}

// decodeResult returns the stored result of the first call with a key, or ledger.ErrKeyConflict if that call had other
// input.
func (r *resolved) decodeResult(use ledger.KeyUse) (Completion, error) {
	if use.Hash != r.inputHash() {
		return Completion{}, ledger.ErrKeyConflict()
	}
	var result Completion
	if err := json.Unmarshal([]byte(use.Answer), &result); err != nil {
		return Completion{}, err
	}
	result.Replayed = true
	return result, nil
}

// resultOfUsedKey returns the result that was stored with the first use of the call's key. If that was a call with
// other input, it returns a conflict.
//
// It compares the inputs by a hash that covers the user's id. So if the first call has created the user since this one
// was prepared, the hashes of equal calls differ. For a new user, resultOfUsedKey therefore returns store.ErrStale the
// first time, and the conflict only if the user is still new in the next preparation.
func (p *plan) resultOfUsedKey(b *store.Batch) (outcome, error) {
	result, err := p.decodeResult(*ledger.Keys.Row(b, p.keyID()))
	if err != nil && p.Person.NewUser && !p.followsKeyConflict {
		return outcome{isKeyConflict: true}, store.ErrStale
	}
	return outcome{result: result}, err
}

// stageKeyUse stages that the caller's key is used, with the result that later calls with the key get.
func (p *plan) stageKeyUse(b *store.Batch, result Completion) {
	use := ledger.KeyUse{Key: p.In.Key, Hash: p.inputHash(), Answer: string(store.JSON(result))}
	if result.TransactionID != nil {
		use.TransactionID = *result.TransactionID
	}
	ledger.UseKey(b, p.Scope, use)
}
