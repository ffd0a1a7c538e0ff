package catalog

import (
	"context"
	"errors"

	"laurel"
	"laurel/internal/rules/codes"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

const (
	// codeLetters leaves out what people mistake for each other.
	codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	codeLength  = 10
	codeChunk   = 2000 // codes per transaction: a long one would hold back the change feed
)

// newCode makes a code of 50 random bits. The 32 letters divide 256, so every letter is equally likely.
func newCode(tx *store.Tx) string {
	b := make([]byte, codeLength)
	tx.Random(b)
	for i := range b {
		b[i] = codeLetters[int(b[i])%len(codeLetters)]
	}
	return string(b)
}

// requestedCodes returns how many codes the service makes for the rule.
func (r *Rule) requestedCodes() int {
	if r.Type != schema.TypeCodeEntry {
		return 0
	}
	return r.Meta().GeneratedCodes()
}

// generateFirstCodes makes the first codes of a rule that asks for more than before, in the transaction of the change:
// a small number is there at once. What remains is noted on the rule and made by Run.
func generateFirstCodes(ctx context.Context, tx *store.Tx, before, after Rule) error {
	if after.requestedCodes() <= before.requestedCodes() {
		return nil
	}
	_, err := generateCodeChunk(ctx, tx, after)
	return err
}

// wakeCodes tells Run of a rule whose codes may not all be made. It is called after the commit; what is lost with the
// node is found by a later round.
func (s *Service) wakeCodes(r Rule) {
	if r.requestedCodes() <= codeChunk {
		return
	}
	select {
	case s.codesRequested <- struct{}{}:
	default: // a round is about to begin anyhow
	}
}

// generateCodeChunk brings the codes of a rule, which is locked or new, nearer to the number it asks for, by one chunk
// at most, and notes whether more are due.
func generateCodeChunk(ctx context.Context, tx *store.Tx, rule Rule) (done bool, err error) {
	existing, err := codes.Count(ctx, tx, rule.ID)
	if err != nil {
		return false, err
	}
	missing := max(rule.requestedCodes()-existing, 0)
	newCodes := make([]string, min(missing, codeChunk))
	for i := range newCodes {
		newCodes[i] = newCode(tx)
	}
	// one that exists by chance is left out
	inserted, err := codes.Add(
		ctx,
		tx,
		laurel.Scope{OrganizationID: rule.OrganizationID, WebsiteID: rule.WebsiteID},
		rule.ID,
		newCodes,
	)
	if err != nil {
		return false, err
	}
	done = inserted == missing
	return done, setCodesDue(ctx, tx, rule.ID, !done)
}

// generateMissingCodes makes the codes that rules still wait for, of every tenant. A rule that fails keeps no other one
// waiting.
func (s *Service) generateMissingCodes(ctx context.Context) error {
	var failed error
	for after := (laurel.ID{}); ; {
		rules, err := rulesWithCodesDue(ctx, s.db, after)
		if err != nil || len(rules) == 0 {
			return errors.Join(failed, err)
		}
		for _, r := range rules {
			failed = errors.Join(
				failed,
				s.generateCodesOfRule(ctx, laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID}, r.ID),
			)
		}
		after = rules[len(rules)-1].ID
	}
}

// generateCodesOfRule makes what is missing of a rule's codes, a chunk per transaction. The rule is locked in each, so
// that nodes do not make more than it asks for.
func (s *Service) generateCodesOfRule(ctx context.Context, scope laurel.Scope, id laurel.ID) error {
	for done := false; !done; {
		err := s.db.InTx(ctx, func(tx *store.Tx) error {
			rule, err := lockRule(ctx, tx, scope, id)
			if err != nil {
				return err
			}
			if done = !rule.DeletedAt.IsZero(); done { // they are made when the rule comes back
				return nil
			}
			done, err = generateCodeChunk(ctx, tx, rule)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
