package completion

import (
	"context"
	"log/slog"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/reversals"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// takeBackEvent takes back what a rule has paid for an event that a reorganization took back, as the rule's onReorg
// says, and frees the window that the payment has closed (contract 5.23). An event that has paid nothing is noted, so
// that it cannot pay any more.
func (s *Service) takeBackEvent(ctx context.Context, scope laurel.Scope, rule *catalog.Rule, e *contractEvent) error {
	return s.committer.Submit(ctx, nil, func() (store.Work, error) {
		return s.prepareTakeBack(ctx, scope, rule, e)
	})
}

// prepareTakeBack reads what is to be taken back.
func (s *Service) prepareTakeBack(
	ctx context.Context, scope laurel.Scope, rule *catalog.Rule, e *contractEvent,
) (store.Work, error) {
	w := &takeBackWork{scope: scope.At(rule.WebsiteID), rule: rule, event: e, policy: rule.Meta().ReorgPolicy()}
	var err error
	w.before, err = progress.FindEventPayment(ctx, s.db, w.key())
	hasComeBack := w.before.PublishedAt > store.Micros(e.publishedAt) // then Judge takes nothing back
	if err != nil || !w.before.IsOpen() || hasComeBack {
		return w, err
	}
	if w.policy == schema.KeepPoints || w.before.TransactionID.IsZero() {
		return w, nil
	}
	t, err := s.ledger.Transaction(ctx, w.scope, w.before.TransactionID)
	if err != nil {
		return nil, err
	}
	w.parts, err = s.reversals.Parts(ctx, w.scope, t)
	if laurel.CodeOf(err) == laurel.Refused {
		s.log.Warn("points for an event of a contract that was taken back stay",
			slog.String("rule", rule.ID.String()), slog.String("event", e.EventKey), slog.Any("reason", err))
		w.policy, err = schema.KeepPoints, nil
	}
	return w, err
}

// reorganized is the reason in entries and lots of points that are taken back.
const reorganized = "Block left the chain"

// takeBackWork takes back what a rule has paid for an event (a store.Work).
type takeBackWork struct {
	scope  laurel.Scope
	rule   *catalog.Rule
	event  *contractEvent
	policy string
	before progress.EventPayment
	parts  []reversals.Part
}

func (w *takeBackWork) String() string {
	return "taking back event " + w.event.EventKey + " from rule " + w.rule.ID.String()
}

func (w *takeBackWork) key() progress.EventKey {
	return progress.EventKey{Rule: w.rule.ID, Key: w.event.EventKey}
}

// states returns the keys of the rule states that the payment has changed: of the member and of its group.
func (w *takeBackWork) states() []progress.StateKey {
	if !w.before.IsOpen() {
		return nil
	}
	out := []progress.StateKey{{Rule: w.rule.ID, Subject: w.before.SubjectID}}
	if w.before.UserID != w.before.SubjectID {
		out = append(out, progress.StateKey{Rule: w.rule.ID, Subject: w.before.UserID})
	}
	return out
}

func windowOf(k progress.StateKey, window string) progress.WindowKey {
	return progress.WindowKey{Rule: k.Rule, Subject: k.Subject, Window: window}
}

// Locks returns the locks of the payment, of the rule states, of the window, of the accounts and held points, and of
// the row of its reversals.
func (w *takeBackWork) Locks() []store.Lock {
	locks := append(w.posting().Locks(), progress.EventPayments.Lock(w.key()))
	if len(w.parts) > 0 {
		locks = append(locks, reversals.Rows.Lock(w.before.TransactionID))
	}
	for _, p := range w.parts {
		locks = append(locks, p.Locks()...)
	}
	for _, k := range w.states() {
		locks = append(locks, progress.States.Lock(k), progress.PaidWindows.Lock(windowOf(k, w.before.Window)))
	}
	return locks
}

// Judge takes the points back and frees the window, unless that is done.
func (w *takeBackWork) Judge(b *store.Batch) error {
	row, publishedAt := progress.EventPayments.Row(b, w.key()), store.Micros(w.event.publishedAt)
	switch {
	case row.IsOpen() && row.PublishedAt > publishedAt: // its block has come back since
		return nil
	case row.IsOpen() != w.before.IsOpen(), row.TransactionID != w.before.TransactionID:
		return store.ErrStale
	case !row.IsOpen():
		if row.RemovedAt == nil || *row.RemovedAt < publishedAt {
			row = progress.EventPayments.Changed(b, w.key())
			row.OrganizationID, row.WebsiteID, row.RemovedAt = w.scope.OrganizationID, w.scope.WebsiteID, &publishedAt
		}
		return nil
	}
	isReopened := len(w.parts) > 0 && reversals.Rows.Row(b, w.before.TransactionID).IsReopened // by a caller
	reversal, err := w.reverse(b)
	if err != nil {
		return err
	}
	row = progress.EventPayments.Changed(b, w.key())
	row.RemovedAt, row.ReversalID, row.IsKept = &publishedAt, reversal, w.policy == schema.KeepPoints
	if row.IsKept {
		return nil
	}
	for _, k := range w.states() {
		state := progress.States.Row(b, k)
		if !state.ID.IsZero() {
			progress.States.Changed(b, k).TakeBack(row, b.Now(), isReopened)
		}
		window := windowOf(k, w.before.Window)
		if paid := progress.PaidWindows.Row(b, window); paid.CreatedAt != 0 && paid.TransactionID == w.before.TransactionID {
			progress.PaidWindows.Changed(b, window).CreatedAt = 0
		}
	}
	return nil
}

// reverse takes the points back, unless a caller has reversed the payment already, and returns the transaction that
// does so; the zero id if there is none.
func (w *takeBackWork) reverse(b *store.Batch) (laurel.ID, error) {
	if len(w.parts) == 0 || reversals.Rows.Row(b, w.before.TransactionID).IsWhole {
		return laurel.ID{}, nil
	}
	posting := w.posting()
	reversed := reversals.Rows.Row(b, w.before.TransactionID).Amount // of a payment with one part
	for i := range posting.Lines {
		posting.Lines[i].Amount = max(posting.Lines[i].Amount-reversed, 0)
	}
	for _, p := range w.parts {
		if err := p.Check(b); err != nil {
			return laurel.ID{}, err
		}
	}
	if err := w.limit(b, &posting); err != nil {
		return laurel.ID{}, err
	}
	if err := posting.Check(b); err != nil {
		return laurel.ID{}, err
	}
	for _, p := range w.parts {
		p.Cancel(b, reorganized)
	}
	reversals.MarkWhole(b, w.scope, w.before.TransactionID)
	t, err := posting.Stage(b)
	return t.ID, err
}

// limit limits the debits to the balances. What they do not cover is owed if the rule says so, and otherwise stays.
func (w *takeBackWork) limit(b *store.Batch, p *ledger.Posting) error {
	for i := range p.Lines {
		l := &p.Lines[i]
		uncovered, err := reversals.Limit(b, w.scope, l)
		if err != nil {
			return err
		}
		about := map[string]any{
			"reason": reorganized, "loyaltyRuleId": w.rule.ID, "eventKey": w.event.EventKey,
			"reversalOf": w.before.TransactionID,
		}
		switch {
		case uncovered == 0:
		case w.policy == schema.ReverseAll:
			l.Owed, about["receivable"] = uncovered, uncovered
		default:
			about["uncovered"] = uncovered
		}
		l.Metadata = store.JSON(about)
	}
	return nil
}

// posting returns the debits of all that was paid.
func (w *takeBackWork) posting() ledger.Posting {
	p := ledger.Posting{
		Scope: w.scope, Type: ledger.TypeLoyaltyRule, Cause: ledger.CauseReorganized, Description: w.rule.Name,
		RuleID: w.rule.ID, RuleType: string(w.rule.Type),
	}
	for _, part := range w.parts {
		p.Lines = append(p.Lines, part.Line())
	}
	return p
}
