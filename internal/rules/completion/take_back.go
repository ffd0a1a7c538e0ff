package completion

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"

	"laurel"
	"laurel/internal/points/ledger"
	"laurel/internal/points/lots"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// taken is what a member got for an event, in one currency.
type taken struct {
	User, Currency laurel.ID
	Amount         laurel.Amount
}

// takeBackEvent takes back what a rule has paid for an event that a reorganization took back, as the rule's onReorg
// says, and frees the window that the payment has closed (contract 5.23). An event that has paid nothing is noted, so
// that it cannot pay any more.
func (s *Service) takeBackEvent(ctx context.Context, scope laurel.Scope, rule *catalog.Rule, e *contractEvent) error {
	return s.committer.Submit(ctx, nil, func() (store.Work, error) {
		return s.prepareTakeBack(ctx, scope, rule, e)
	})
}

// prepareTakeBack reads what is to be taken back. Points that are held are cancelled at once.
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
	if w.list, err = s.paidInPoints(ctx, w.scope, rule.ID, w.before.TransactionID); err != nil {
		return nil, err
	}
	if w.list == nil {
		s.log.Warn("points for an event of a contract that was taken back stay: they are tokens, or kept elsewhere",
			slog.String("rule", rule.ID.String()), slog.String("event", e.EventKey))
		w.policy = schema.KeepPoints
	}
	return w, nil
}

// paidInPoints returns what a rule's transaction has given to members, without held points, which it cancels, and
// without what is gone already: debited when the rule was deleted, or removed by a reset. It is nil if a part of it
// cannot be taken back: tokens that are owed or sent, and balances of external ledgers.
func (s *Service) paidInPoints(ctx context.Context, scope laurel.Scope, rule, transaction laurel.ID) ([]taken, error) {
	t, err := s.ledger.Transaction(ctx, scope, transaction)
	if err != nil {
		return nil, err
	}
	accounts := make([]laurel.ID, len(t.Entries))
	for i, e := range t.Entries {
		accounts[i] = e.AccountID
	}
	gone, err := s.history.GoneUntil(ctx, s.db, scope, rule, accounts)
	if err != nil {
		return nil, err
	}
	var held []laurel.ID
	out := []taken{}
	for _, e := range t.Entries {
		if e.UserID.IsZero() || e.Direction != ledger.Credit {
			continue
		}
		c, err := s.ledger.Currency(ctx, scope, e.CurrencyID)
		switch {
		case err != nil:
			return nil, err
		case !c.DeletedAt.IsZero():
			continue
		case c.IsTokenRewardCurrency, c.API.PostURL != nil:
			return nil, nil
		case e.LockVersion > gone[e.AccountID]:
			out = append(out, taken{e.UserID, e.CurrencyID, e.Amount})
		}
		var lot struct {
			ID     laurel.ID `json:"lotId"`
			Reason string    `json:"reason"`
		}
		if json.Unmarshal(e.Metadata, &lot) == nil && lot.Reason == ledger.LotWaits && !lot.ID.IsZero() {
			held = append(held, lot.ID)
		}
	}
	for _, id := range held {
		released, err := s.cancelHeld(ctx, scope, id)
		if err != nil {
			return nil, err
		}
		if released != nil {
			out = append(out, *released)
		}
	}
	return sumUp(out), nil
}

// sumUp joins what a member got in one currency.
func sumUp(list []taken) []taken {
	out := []taken{}
	for _, one := range list {
		i := slices.IndexFunc(out, func(o taken) bool { return o.User == one.User && o.Currency == one.Currency })
		if i < 0 {
			out = append(out, one)
		} else {
			out[i].Amount += one.Amount
		}
	}
	return out
}

// cancelHeld cancels held points. If they were credited meanwhile, it returns what was.
func (s *Service) cancelHeld(ctx context.Context, scope laurel.Scope, id laurel.ID) (*taken, error) {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := lots.LockHeldLots(ctx, tx, []laurel.ID{id}); err != nil {
			return err
		}
		return lots.Cancel(ctx, tx, []laurel.ID{id}, reorganized)
	})
	if err != nil {
		return nil, err
	}
	lot, err := lots.Find(ctx, s.db, scope, id)
	if err != nil || lot.State != lots.StateReleased {
		return nil, err
	}
	return &taken{lot.UserID, lot.CurrencyID, lot.Amount}, nil
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
	list   []taken
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

// Locks returns the locks of the payment, of the rule states, of the window, and of the accounts.
func (w *takeBackWork) Locks() []store.Lock {
	locks := append(w.posting().Locks(), progress.EventPayments.Lock(w.key()))
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
	posting := w.posting()
	if err := w.limit(b, &posting); err != nil {
		return err
	}
	reversal := laurel.ID{}
	if len(posting.Lines) > 0 {
		t, err := posting.Stage(b)
		if err != nil {
			return err
		}
		reversal = t.ID
	}
	row = progress.EventPayments.Changed(b, w.key())
	row.RemovedAt, row.ReversalID, row.IsKept = &publishedAt, reversal, w.policy == schema.KeepPoints
	if row.IsKept {
		return nil
	}
	for _, k := range w.states() {
		state := progress.States.Row(b, k)
		if !state.ID.IsZero() {
			progress.States.Changed(b, k).TakeBack(row, b.Now())
		}
		window := windowOf(k, w.before.Window)
		if progress.PaidWindows.Row(b, window).CreatedAt != 0 {
			progress.PaidWindows.Changed(b, window).CreatedAt = 0
		}
	}
	return nil
}

// limit limits the debits to the balances. What they do not cover is owed if the rule says so, and otherwise stays.
func (w *takeBackWork) limit(b *store.Batch, p *ledger.Posting) error {
	for i := range p.Lines {
		l := &p.Lines[i]
		if !ledger.IsLiveCurrency(b, w.scope, l.CurrencyID) || ledger.IsExternal(b, l.CurrencyID) {
			return store.ErrStale
		}
		missing := l.Amount - min(l.Amount, l.Member.Spendable(b, l.CurrencyID))
		l.Amount -= missing
		about := map[string]any{
			"reason": reorganized, "loyaltyRuleId": w.rule.ID, "eventKey": w.event.EventKey,
			"reversalOf": w.before.TransactionID,
		}
		if missing > 0 && w.policy == schema.ReverseAll {
			l.Owed, about["receivable"] = missing, missing
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
	for _, one := range w.list {
		member := ledger.LockedMember(one.User)
		member.Spenders = []laurel.ID{one.User}
		p.Lines = append(p.Lines, ledger.Line{
			Member: member, CurrencyID: one.Currency, Direction: ledger.Debit, Amount: one.Amount,
		})
	}
	return p
}
