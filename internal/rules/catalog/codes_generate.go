package catalog

import (
	"context"
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/codes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

const (
	// codeLetters leaves out letters and digits that people mistake for each other.
	codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	codeLength  = 10
	codeChunk   = 2000 // codes per transaction: a long one would hold back the change feed
)

// newCode returns a random code of 50 bits. The 32 letters divide 256, so every letter is equally likely.
func newCode(tx *store.Tx) string {
	b := make([]byte, codeLength)
	tx.Random(b)
	for i := range b {
		b[i] = codeLetters[int(b[i])%len(codeLetters)]
	}
	return string(b)
}

// requestedCodes returns how many generated codes the rule's metadata asks for: 0 for all types but code_entry.
func (r *Rule) requestedCodes() int {
	if r.Type != schema.TypeCodeEntry {
		return 0
	}
	return r.Meta().GeneratedCodes()
}

// generateFirstCodes generates a first chunk of codes, in the transaction that changes a rule, if the rule asks for
// more codes than before. before is the zero Rule for a new rule. If the chunk is not enough, the rule is marked and
// Run generates the rest.
func generateFirstCodes(ctx context.Context, tx *store.Tx, before, after Rule) error {
	if after.requestedCodes() <= before.requestedCodes() {
		return nil
	}
	_, err := generateCodeChunk(ctx, tx, after)
	return err
}

// wakeCodes wakes Run if a rule may need more codes than one chunk. It is called after the commit. A wake-up that is
// lost with its node does no harm: Run looks once a minute.
func (s *Service) wakeCodes(r Rule) {
	if r.requestedCodes() > codeChunk {
		s.codesRequested.Wake()
	}
}

// generateCodeChunk generates at most codeChunk of the codes that the rule asks for and does not have yet, and stores
// on the rule whether more are missing. done is true if none is. The rule is locked or new.
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
	// Add skips codes that exist already by chance; the next chunk makes up for them.
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

// generateMissingCodes generates the missing codes of the rules of all tenants. It goes on with the other rules if one
// fails, and returns the errors joined.
func (s *Service) generateMissingCodes(ctx context.Context) error {
	var failed error
	for after := (laurel.ID{}); ; {
		rules, err := selectRulesMissingCodes(ctx, s.db, after)
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

// generateCodesOfRule generates the missing codes of a rule, one chunk per transaction. Each transaction locks the
// rule, so that two nodes do not generate more codes than requested.
func (s *Service) generateCodesOfRule(ctx context.Context, scope laurel.Scope, id laurel.ID) error {
	for done := false; !done; {
		err := s.db.InTx(ctx, func(tx *store.Tx) error {
			rule, err := lockRule(ctx, tx, scope, id)
			if err != nil {
				return err
			}
			if done = !rule.DeletedAt.IsZero(); done { // the codes are generated once the rule is undeleted
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
