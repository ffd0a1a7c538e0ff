package completion

import (
	"context"

	"laurel/internal/rules/catalog"
	"laurel/internal/rules/codes"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// redemption: the rule has codes of its own, good for one member each (contract 5.11). Codes are never taken away, so
// whether there are any may be read ahead.
type redemption struct{ *Service }

// redeems reports whether completions of the rule use up a code.
func redeems(r *catalog.Rule) bool { return r.Type == schema.TypeCodeEntry && !r.Meta().Shared() }

func (redemption) key(w *completion) codes.Key {
	return codes.Key{Rule: w.rule.ID, Code: w.in.entered()}
}

func (s redemption) ahead(ctx context.Context, w *completion) (err error) {
	w.known.HasCodes, _, err = s.reads.hasCodes.Get(ctx, w.rule.ID)
	return err
}

func (s redemption) locks(w *completion) []store.Lock {
	return []store.Lock{codes.Table.Lock(s.key(w))}
}

func (s redemption) judged(b *store.Batch, w *completion, f *decision.Facts) {
	f.CodeFree = codes.Table.Row(b, s.key(w)).Free()
}

func (s redemption) asked(ctx context.Context, w *completion, f *decision.Facts) error {
	code, err := s.reads.code(ctx, s.key(w))
	f.CodeFree = code.Free()
	return err
}

func (s redemption) paid(b *store.Batch, w *completion, _ decision.Reward) error {
	now := store.Micros(b.Now())
	c := codes.Table.Changed(b, s.key(w))
	c.RedeemedBy, c.RedeemedAt = w.person.UserID, &now
	return nil
}
