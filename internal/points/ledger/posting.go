package ledger

import (
	"encoding/json"
	"fmt"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/store"
)

// Posting is a transaction that is not yet written. A Work asks for its Locks and stages it in its Judge.
type Posting struct {
	Scope       laurel.Scope // of one website
	Type        TransactionType
	Cause       Cause // how figures count it; never empty
	Description string
	RuleID      laurel.ID
	RuleType    string
	CreditNow   bool // rewards are credited at once, even if the currency holds points first
	// an external ledger has accepted it, so it is written even if it overdraws this ledger (contract 5.15)
	IsMirror bool
	// it gives back what an earlier posting took, even in a currency that was deleted meanwhile
	IsRefund bool
	Bid      Bid             // the bid that it pays for or refunds, while its auction is open; zero: none
	Facts    json.RawMessage // what it was decided on, for rewardhistory.EachCredit
	Tokens   []laurel.ID     // the hidden currencies that it may pay in; the caller must stage the payouts
	Lines    []Line
}

// Line is one change in a Posting. A debit that the member's own balance does not cover takes the rest from its
// Spenders, with one entry per account.
type Line struct {
	Member     Member
	CurrencyID laurel.ID
	Direction  Direction
	Amount     laurel.Amount // 0 is allowed: a fulfilled completion that pays no points (contract 5.5)
	Key        string        // the entry's idempotencyKey
	Metadata   json.RawMessage
	Owed       laurel.Amount // of a debit of one account: what it should take in addition, and later credits will pay
}

// ErrInsufficient is the refusal of a debit that needs more than the member and its group have.
func ErrInsufficient(have, need laurel.Amount) error {
	err := laurel.Errorf(laurel.Refused, "Insufficient balance")
	err.Shortage = &laurel.Shortage{Have: have, Need: need}
	return err
}

// UnknownCurrencyError is the refusal of a currency that does not exist, is deleted or belongs to another website.
type UnknownCurrencyError struct{ ID laurel.ID }

const msgNoCurrency = "Loyalty currency not found"

func (e *UnknownCurrencyError) Error() string { return msgNoCurrency }

// Unwrap returns what a caller sees of it.
func (e *UnknownCurrencyError) Unwrap() error { return laurel.Errorf(laurel.Refused, msgNoCurrency) }

// ErrExternal refuses a posting because an external ledger keeps the balances of the currency and must accept it first.
var ErrExternal = laurel.Errorf(laurel.Refused, "Balances of this currency are kept outside")

// IsExternal reports whether an external ledger keeps the balances of the locked currency.
func IsExternal(b *store.Batch, id laurel.ID) bool { return currencies.Row(b, id).PostURL != nil }

// payers returns the accounts that a line may change, in order.
func (l Line) payers() []laurel.ID {
	if l.Direction == Debit && len(l.Member.Spenders) > 0 {
		return l.Member.Spenders
	}
	return []laurel.ID{l.Member.UserID}
}

// Locks names the rows that Stage needs: the currencies and accounts of the posting, and the rows of its members and
// their side effects.
func (p Posting) Locks() []store.Lock {
	var locks []store.Lock
	for _, l := range p.Lines {
		locks = append(locks, currencies.Lock(l.CurrencyID))
		locks = append(locks, l.Member.Locks...)
		for _, f := range l.Member.SideEffects {
			locks = append(locks, f.Locks()...)
		}
		for _, user := range l.payers() {
			locks = append(locks, accounts.Lock(AccountKey{l.CurrencyID, user}))
		}
	}
	return locks
}

// plannedEntry is one entry of a posting that was checked and is not staged yet.
type plannedEntry struct {
	line   Line
	user   laurel.ID
	amount laurel.Amount
	lot    *lots.Lot // of held points; then amount is 0
	// isReceivable says that it takes what the account owes.
	isReceivable bool
}

// Stage checks the posting against the locked rows and stages its rows: new users, the transaction, its entries with
// their changes for the feed, held points, and for each currency the counter-entry, which is the opposite entry of the
// main account. It returns store.ErrStale, UnknownCurrencyError, ErrInsufficient, ErrExternal or an amount error before
// it has changed anything.
func (p Posting) Stage(b *store.Batch) (Transaction, error) {
	if err := p.checkCurrent(b); err != nil {
		return Transaction{}, err
	}
	planned, err := p.planEntries(b)
	if err != nil {
		return Transaction{}, err
	}
	for _, l := range p.Lines {
		if err := l.Member.Admit(b); err != nil {
			return Transaction{}, err
		}
	}
	t := Transaction{ID: b.NewID(), OrganizationID: p.Scope.OrganizationID, WebsiteID: p.Scope.WebsiteID, Type: p.Type,
		Description: p.Description, RuleID: p.RuleID, CreatedByID: p.Scope.ActorID, CreatedAt: b.Now(), facts: p.Facts,
		cause: p.Cause}
	transactionSink.Add(b, t)
	net := map[laurel.ID]laurel.Amount{}
	var order []laurel.ID
	var changes []feed.Change
	usedKeys := map[string]bool{}
	for _, m := range planned {
		key := m.line.Key
		if usedKeys[key] { // a debit that several accounts of a group pay has its key on the first entry only
			key = ""
		}
		usedKeys[key] = true
		e, change := p.stageEntry(b, t, m, key)
		m.stageLot(b, t, e)
		t.Entries, changes = append(t.Entries, e), append(changes, change)
		if _, counted := net[m.line.CurrencyID]; !counted {
			order = append(order, m.line.CurrencyID)
		}
		net[m.line.CurrencyID] += signed(m.line.Direction, m.amount)
	}
	var counters []Entry
	for _, currency := range order {
		if e, made := p.stageCounterEntry(b, t, currency, net[currency]); made {
			counters = append(counters, e)
		}
	}
	p.stageChanges(b, t, counters, changes)
	for _, l := range p.Lines {
		for _, f := range l.Member.SideEffects {
			f.Stage(b)
		}
	}
	return t, nil
}

// Check returns the error that Stage would return, and stages nothing.
func (p Posting) Check(b *store.Batch) error {
	if err := p.checkCurrent(b); err != nil {
		return err
	}
	_, err := p.planEntries(b)
	return err
}

// checkCurrent returns store.ErrStale if members or their side effects have changed since they were read, and a fault
// if the posting has no valid Cause.
func (p Posting) checkCurrent(b *store.Batch) error {
	if !slices.Contains(Causes(), p.Cause) {
		return fmt.Errorf("ledger: a posting has the cause %q", p.Cause)
	}
	for _, l := range p.Lines {
		if err := l.Member.Check(b); err != nil {
			return err
		}
		for _, f := range l.Member.SideEffects {
			if err := f.CheckCurrent(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// planEntries returns the entries of the posting, or the error that refuses it: UnknownCurrencyError, ErrExternal,
// ErrInsufficient, or an amount out of range. It computes with copies of the balances, so it changes nothing.
func (p Posting) planEntries(b *store.Batch) ([]plannedEntry, error) {
	balances := map[AccountKey]laurel.Amount{}
	balance := func(k AccountKey) laurel.Amount {
		if v, ok := balances[k]; ok {
			return v
		}
		return accounts.Row(b, k).Amount
	}
	net := map[laurel.ID]laurel.Amount{}
	var planned []plannedEntry
	for _, l := range p.Lines {
		switch {
		case p.IsMirror, p.IsRefund: // allowed in every currency, even in a deleted or external one
		case !p.mayPostIn(b, l.CurrencyID):
			return nil, &UnknownCurrencyError{l.CurrencyID}
		case l.Amount > 0 && IsExternal(b, l.CurrencyID):
			return nil, ErrExternal
		}
		ofLine, err := l.planEntries(balance, p.IsMirror)
		if err != nil {
			return nil, err
		}
		if p.isHeld(b, l) {
			ofLine = []plannedEntry{p.planHeldCredit(b, ofLine[0])}
		}
		for _, m := range ofLine {
			key := AccountKey{l.CurrencyID, m.user}
			after, err := balance(key).Plus(signed(m.line.Direction, m.amount))
			if err != nil {
				return nil, outOfRange("a balance")
			}
			if net[l.CurrencyID], err = net[l.CurrencyID].Plus(signed(m.line.Direction, m.amount)); err != nil {
				return nil, outOfRange(sumOfCurrency)
			}
			balances[key] = after
		}
		planned = append(planned, ofLine...)
	}
	if p.IsMirror { // another ledger says what is credited
		return planned, nil
	}
	return append(planned, planReceivables(b, planned)...), nil
}

// CheckRange checks a posting before it is sent to an external ledger. Once that has accepted the posting, it must be
// written here. So CheckRange returns an Invalid error if the posting would take a balance, or the total of the
// currency, out of the range of amounts. The rows must be locked.
func (p Posting) CheckRange(b *store.Batch) error {
	p.IsMirror = true
	planned, err := p.planEntries(b)
	owed := map[laurel.ID]laurel.Amount{}
	for _, m := range planned {
		if _, counted := owed[m.line.CurrencyID]; !counted {
			owed[m.line.CurrencyID] = currencies.Row(b, m.line.CurrencyID).Total
		}
		if err == nil {
			owed[m.line.CurrencyID], err = owed[m.line.CurrencyID].Plus(-signed(m.line.Direction, m.amount))
		}
	}
	if err != nil && laurel.CodeOf(err) == laurel.Internal {
		err = outOfRange(sumOfCurrency)
	}
	return err
}

// mayPostIn reports whether the currency is live and may be posted in. The hidden currency of a token must be among the
// posting's Tokens.
func (p Posting) mayPostIn(b *store.Batch, currency laurel.ID) bool {
	row := currencies.Row(b, currency)
	return row.isLive(p.Scope) && (!row.IsTokenRewardCurrency || slices.Contains(p.Tokens, currency))
}

const sumOfCurrency = "the sum of the currency"

// outOfRange is the fault of an amount that is within its own bounds and too much for what it is added to.
func outOfRange(sum string) error {
	var f laurel.Faults
	f.Add("amount", "would take %s to %d units or more", sum, laurel.MaxAmount/laurel.One)
	return f.Err()
}

// planEntries returns the entries of the line: one for a credit; for a debit one for each account that pays a part, or
// ErrInsufficient if their balances do not cover it. A debit that an external ledger has accepted (isMirror) is taken
// from the member's own account only. If that has too little, the external ledger has credited points that were not
// posted here, so a credit of the missing points comes first, marked as an adjustment.
func (l Line) planEntries(balance func(AccountKey) laurel.Amount, isMirror bool) ([]plannedEntry, error) {
	single := []plannedEntry{{line: l, user: l.Member.UserID, amount: l.Amount}}
	if l.Direction == Credit {
		return single, nil
	}
	if isMirror {
		adjustment := Line{
			Member:     l.Member,
			CurrencyID: l.CurrencyID,
			Direction:  Credit,
			Metadata:   json.RawMessage(`{"outside":"adjustment"}`),
		}
		if adjustment.Amount = l.Amount - balance(AccountKey{l.CurrencyID, l.Member.UserID}); adjustment.Amount > 0 {
			single = []plannedEntry{{line: adjustment, user: l.Member.UserID, amount: adjustment.Amount}, single[0]}
		}
		return single, nil
	}
	var planned []plannedEntry
	rest := l.Amount
	for _, user := range l.payers() {
		part := min(rest, balance(AccountKey{l.CurrencyID, user}))
		if part > 0 || l.Amount == 0 && user == l.Member.UserID { // a line of amount 0 makes one entry, too
			planned = append(planned, plannedEntry{line: l, user: user, amount: part})
			rest -= part
		}
	}
	if rest > 0 {
		return nil, ErrInsufficient(l.Amount-rest, l.Amount)
	}
	return planned, nil
}

// signed returns the amount with the sign of the direction.
func signed(d Direction, a laurel.Amount) laurel.Amount {
	if d == Debit {
		return -a
	}
	return a
}

// stageEntry changes the account in memory, which it creates if there is none, and stages the entry, with the given
// idempotency key. A refund is also enqueued, so that its points return to the lots that they came from. It returns the
// entry and the account's change for the feed.
func (p Posting) stageEntry(b *store.Batch, t Transaction, planned plannedEntry, key string) (Entry, feed.Change) {
	a := accounts.Changed(b, AccountKey{planned.line.CurrencyID, planned.user})
	// The clock may step back; within an account time does not.
	at := max(store.Micros(t.CreatedAt), a.UpdatedAt)
	action := feed.Updated
	if a.isNew && a.ID.IsZero() {
		a.ID, a.OrganizationID, a.WebsiteID, a.CreatedAt = b.NewID(), t.OrganizationID, t.WebsiteID, at
		a.Ranked = !planned.line.Member.Blocked
		action = feed.Created
	}
	e := Entry{
		ID:             b.NewID(),
		TransactionID:  t.ID,
		AccountID:      a.ID,
		CurrencyID:     a.CurrencyID,
		UserID:         a.UserID,
		Direction:      planned.line.Direction,
		Amount:         planned.amount,
		StartAmount:    a.Amount,
		IdempotencyKey: key,
		Metadata:       planned.line.Metadata,
		CreatedAt:      store.Time(at),
	}
	// peak is the highest amount from which a debit of this batch lowers the account; saveAccounts uses it
	if planned.line.Direction == Debit && (!a.wasLowered || a.Amount > a.peak) {
		a.peak, a.wasLowered = a.Amount, true
	}
	a.Amount += signed(planned.line.Direction, planned.amount)
	a.owe(planned.line.Owed)
	if planned.isReceivable {
		a.owe(-planned.amount)
	}
	a.LockVersion++
	a.UpdatedAt = at
	e.EndAmount, e.LockVersion = a.Amount, a.LockVersion
	entrySink.Add(b, p.entryRow(t, e))
	if !planned.isReceivable { // what is owed is taken from points that are no bid
		p.Bid.recordEntry(b, t, e)
		if p.Bid.Concealed {
			a.conceal(-signed(planned.line.Direction, planned.amount))
		}
	}
	currency := currencies.Row(b, a.CurrencyID)
	if p.IsRefund && !planned.isReceivable && currency.ExpireAfterDays != nil && currency.isLive(p.Scope) {
		lots.Refund{EntryID: e.ID, OrganizationID: t.OrganizationID, WebsiteID: t.WebsiteID, CurrencyID: a.CurrencyID,
			UserID: a.UserID}.Enqueue(b)
	}
	return e, feed.Change{
		OrganizationID: t.OrganizationID,
		WebsiteID:      t.WebsiteID,
		EntityID:       a.ID,
		Table:          feed.TableAccount,
		Action:         action,
		Data:           store.JSON(accountChange{a.CurrencyID, a.Amount, a.LockVersion}),
	}
}

// stageChanges stages the changes for the feed: one for each entry, with the leaf that will be sealed, and after it the
// change of its account. Counter-entries have no changes of their own; their leaves are added to the last entry's.
func (p Posting) stageChanges(b *store.Batch, t Transaction, counters []Entry, accounts []feed.Change) {
	for i, e := range t.Entries {
		leaves := p.sealedEntry(&t, &e).Append(nil)
		if i == len(t.Entries)-1 {
			for _, counter := range counters {
				leaves = p.sealedEntry(&t, &counter).Append(leaves)
			}
		}
		feed.Changes.Add(
			b,
			feed.Change{
				OrganizationID: t.OrganizationID, WebsiteID: t.WebsiteID, EntityID: e.ID,
				Table: feed.TableTransactionEntry, Action: feed.Created,
				Data: store.JSON(entryChange{e.AccountID, e.CurrencyID}), Leaves: leaves,
			},
		)
		feed.Changes.Add(b, accounts[i])
	}
}

// entryRow returns the entry with the columns that lists filter by.
func (p Posting) entryRow(t Transaction, e Entry) entryRow {
	return entryRow{
		Entry:          e,
		OrganizationID: t.OrganizationID,
		WebsiteID:      t.WebsiteID,
		RuleID:         p.RuleID,
		Type:           p.Type,
		RuleType:       p.RuleType,
	}
}

// stageCounterEntry stages the entry of the main account that balances net, the sum of the users' entries. made is
// false if net is zero and there is none. The main account's balance changes by a new delta row, so that concurrent
// rewards do not wait for one row.
func (p Posting) stageCounterEntry(
	b *store.Batch,
	t Transaction,
	currency laurel.ID,
	net laurel.Amount,
) (e Entry, made bool) {
	if net == 0 {
		return Entry{}, false
	}
	e = Entry{
		ID:            b.NewID(),
		TransactionID: t.ID,
		AccountID:     currencies.Row(b, currency).MainAccountID,
		CurrencyID:    currency,
		Direction:     Debit,
		Amount:        net,
		CreatedAt:     t.CreatedAt,
	}
	if net < 0 {
		e.Direction, e.Amount = Credit, -net
	}
	entrySink.Add(b, p.entryRow(t, e))
	p.Bid.recordEntry(b, t, e)
	deltaSink.Add(
		b,
		delta{AccountID: e.AccountID, Amount: -net, TotalBefore: currencies.Row(b, currency).Total, At: t.CreatedAt},
	)
	return e, true
}

// entryChange and accountChange are the data of changes of entries and accounts in the feed.
type entryChange struct {
	AccountID  laurel.ID `json:"loyaltyAccountId"`
	CurrencyID laurel.ID `json:"loyaltyCurrencyId"`
}

type accountChange struct {
	CurrencyID  laurel.ID     `json:"loyaltyCurrencyId"`
	Amount      laurel.Amount `json:"amount"`
	LockVersion int64         `json:"lockVersion"`
}
