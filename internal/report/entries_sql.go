package report

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Entry is an item of the entries list (contract 3.11).
type Entry struct {
	ID             laurel.ID      `db:"id"`
	OrganizationID laurel.ID      `db:"organization_id"`
	WebsiteID      laurel.ID      `db:"website_id"`
	TransactionID  laurel.ID      `db:"loyalty_transaction_id"`
	AccountID      laurel.ID      `db:"loyalty_account_id"`
	CurrencyID     laurel.ID      `db:"loyalty_currency_id"`
	UserID         laurel.ID      `db:"user_id"`
	Direction      string         `db:"direction"`
	Type           string         `db:"type"`
	Amount         laurel.Amount  `db:"amount"`
	StartAmount    *laurel.Amount `db:"start_amount"` // nil on main accounts, as are EndAmount and LockVersion
	EndAmount      *laurel.Amount `db:"end_amount"`
	LockVersion    *int64         `db:"lock_version"`
	Key            *string        `db:"idempotency_key"`
	MetadataText   *string        `db:"metadata"`
	CreatedMicros  int64          `db:"created_at"`
	Wallet         *string        `db:"wallet_address"`
	Description    string         `db:"description"`
	RuleID         laurel.ID      `db:"rule_id"`
	RuleType       *string        `db:"rule_type"`
	RuleName       *string        `db:"rule_name"`
	RuleText       *string        `db:"rule_description"`
	RuleMetadata   *string        `db:"rule_metadata"`
	RuleGroupID    laurel.ID      `db:"rule_group_id"`
	PayoutStatus   *string        `db:"payout_status"` // of the payout, if the entry is a token reward
	TxHash         *string        `db:"tx_hash"`
	PayoutMicros   *int64         `db:"payout_at"`
}

// CreatedAt is the entry's time.
func (e Entry) CreatedAt() time.Time { return store.Time(e.CreatedMicros) }

// UpdatedAt is when the entry's data in responses last changed: the time of its payout's status, else its own.
func (e Entry) UpdatedAt() time.Time {
	if e.PayoutMicros == nil {
		return e.CreatedAt()
	}
	return store.Time(max(e.CreatedMicros, *e.PayoutMicros))
}

// Metadata returns the entry's metadata object, or nil. For a token reward it also contains the payoutStatus and, once
// known, the txHash.
func (e Entry) Metadata() json.RawMessage {
	var stored json.RawMessage
	if e.MetadataText != nil {
		stored = json.RawMessage(*e.MetadataText)
	}
	if e.PayoutStatus == nil {
		return stored
	}
	merged := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(stored))
	d.UseNumber() // amounts stay exact
	if len(stored) > 0 && d.Decode(&merged) != nil {
		return stored
	}
	merged["payoutStatus"] = *e.PayoutStatus
	if e.TxHash != nil {
		merged["txHash"] = *e.TxHash
	}
	return store.JSON(merged)
}

// ClosedWindow says which entries of a rule close its present window (contract 4.1, userCompletedLoyaltyRuleId). For a
// rolling window these are the entries after Since. For a calendar window, which began at Since, they are the entries
// whose paid window has the key, and, if the rule had another interval then, the entries since Since, provided that
// the rule state has a payment since then. Package rules computes it.
type ClosedWindow struct {
	RuleID laurel.ID
	Key    string
	Since  time.Time
}

// EntryFilter limits a list of entries; all conditions that are set must hold.
type EntryFilter struct {
	Users         UserFilter
	MainAccounts  bool // only entries of main accounts
	AccountID     laurel.ID
	TransactionID laurel.ID
	RuleIDs       []laurel.ID
	RuleTypes     []string
	RuleGroupID   laurel.ID
	CurrencyIDs   []laurel.ID
	Key           string
	Type          string
	Direction     string
	Start, End    time.Time // inclusive, exclusive; zero: open
	ClosedWindows []ClosedWindow
	OnlyClosed    bool // ClosedWindows limits the list, even if it is empty
	Completions   bool // only what completions have paid or hold, and not the later credit of held points
	ByLockVersion bool // sort key; otherwise the time
	Ascending     bool
	Visibility    laurel.Visibility
	noIndex       string // prefix that keeps SQLite from using indexes other than the account's
}

const selectEntry = `SELECT e.id, e.organization_id, e.website_id, e.loyalty_transaction_id, e.loyalty_account_id, e.loyalty_currency_id, e.user_id, e.direction,
	e.type, e.amount, e.start_amount, e.end_amount, e.lock_version, e.idempotency_key, e.metadata, e.created_at, u.wallet_address, t.description,
	e.loyalty_rule_id AS rule_id, r.type AS rule_type, r.name AS rule_name, r.description AS rule_description, r.metadata AS rule_metadata,
	r.loyalty_rule_group_id AS rule_group_id, p.status AS payout_status, p.tx_hash, p.updated_at AS payout_at
	FROM loyalty_transaction_entries e JOIN loyalty_transactions t ON t.id = e.loyalty_transaction_id
	LEFT JOIN users u ON u.id = e.user_id LEFT JOIN loyalty_rules r ON r.id = e.loyalty_rule_id
	LEFT JOIN payouts p ON p.loyalty_transaction_entry_id = e.id`

// maxAccounts bounds the accounts that a user filter is resolved to before the entries are read.
const maxAccounts = 5000

// maxParts bounds the accounts or rules whose entries are read separately. Each adds as many rows as a page has, in
// the order of its index.
const maxParts = 64

// Entries returns one page of the entries that meet the filter. If the filter leads to several accounts or rules, but
// at most maxParts, Entries first finds the ids of the page: it reads the first entries of each account or rule by an
// index, and merges them. Errors: Invalid for an unknown cursor.
func (s *Service) Entries(
	ctx context.Context,
	scope laurel.Scope,
	f EntryFilter,
	page laurel.PageRequest,
) (laurel.Page[Entry], error) {
	none := laurel.PageOf[Entry](nil, page.Limit)
	if err := s.resolveGroups(ctx, scope, &f.Users); err != nil {
		return none, err
	}
	f.preferAccountIndex(s.db.Engine())
	var w store.Where
	whereTenant(&w, f.noIndex+"e.", scope)
	parts, ok, err := s.partsOf(ctx, &w, scope, f)
	if err != nil || !ok {
		return none, err
	}
	if f.OnlyClosed && len(f.ClosedWindows) == 0 {
		return none, nil
	}
	f.addConditions(&w)
	if !page.StartingAfter.IsZero() {
		if err := s.addEntryCursor(ctx, &w, scope, f, page.StartingAfter); err != nil {
			return none, err
		}
	}
	if len(parts.ids) > 0 {
		ids, err := s.firstEntries(ctx, parts, f.sortOrder(), w, page.Limit+1)
		if err != nil || len(ids) == 0 {
			return none, err
		}
		w = store.Where{}
		store.In(&w, "e.id", ids)
	}
	found, err := store.SelectPage[Entry](ctx, s.db, page.Limit, selectEntry+w.String()+f.orderBy(), w.Args...)
	if err == nil && !f.Visibility.All {
		err = s.hideBidEntries(ctx, f.Visibility, found.Data)
	}
	return found, err
}

// partsOf returns the accounts or rules whose entries are read separately, if the filter leads to at most maxParts of
// them; otherwise the parts have no ids, and partsOf may add conditions on accounts to w. It returns false if no
// account meets the filter, so that the page is empty.
func (s *Service) partsOf(
	ctx context.Context, w *store.Where, scope laurel.Scope, f EntryFilter,
) (entryParts, bool, error) {
	switch {
	case !f.Users.isEmpty():
		ids, ok, err := s.accountsOfUsers(ctx, w, scope, f)
		return entryParts{accountColumn, ids}, ok, err
	case !f.AccountID.IsZero():
		return entryParts{}, true, nil
	case f.MainAccounts:
		ids, err := s.selectMainAccounts(ctx, scope, f)
		return entryParts{accountColumn, ids}, len(ids) > 0, err
	case f.ByLockVersion:
		return entryParts{}, true, nil
	}
	ids, err := s.selectRules(ctx, f)
	return entryParts{ruleColumn, ids}, true, err
}

// sortOrder returns how the list is sorted: by lock version, or by time. Entries of main accounts have no versions and
// all sort as 0.
func (f EntryFilter) sortOrder() sortOrder {
	if f.ByLockVersion {
		return sortOrder{
			column: "COALESCE(e.lock_version" + f.minusHiddenCount() + ", 0)", ascending: f.Ascending, risesWithTime: !f.MainAccounts,
		}
	}
	return sortOrder{column: "e.created_at", ascending: f.Ascending}
}

// orderBy returns the ORDER BY of the list.
func (f EntryFilter) orderBy() string {
	if f.AccountID.IsZero() {
		return f.sortOrder().String()
	}
	return f.sortOrder().withinAccount()
}

// hasKnownAccounts reports whether the filter leads to accounts, and has no condition that fewer entries fulfil.
func (f EntryFilter) hasKnownAccounts() bool {
	return f.TransactionID.IsZero() && f.Key == "" && (!f.Users.isEmpty() || !f.AccountID.IsZero() || f.MainAccounts)
}

// preferAccountIndex makes SQLite use the index of the account. Its planner has no statistics and prefers an index of
// two columns, or of the website: it would read the entries of all users to find those of one.
func (f *EntryFilter) preferAccountIndex(e store.Engine) {
	if f.hasKnownAccounts() {
		f.noIndex = e.NoIndexPrefix()
	}
}

// addAccountSide limits entries to those of main accounts or of users, unless the filter names an account.
func (f EntryFilter) addAccountSide(w *store.Where) {
	switch {
	case f.MainAccounts:
		w.Add("e.user_id IS NULL")
	case f.AccountID.IsZero():
		w.Add("e.user_id IS NOT NULL")
	}
}

// addConditions adds the conditions of the filter to w, except those on users, which partsOf adds. Columns with the
// prefix f.noIndex are those whose index SQLite must not use.
func (f EntryFilter) addConditions(w *store.Where) {
	f.addAccountSide(w)
	if !f.Visibility.All {
		w.Add("(e.type <> 'auction_bid' OR NOT EXISTS (SELECT 1 FROM bid_entries x WHERE x.entry_id = e.id AND "+hiddenBidEntry+"))",
			f.Visibility.User)
	}
	equal := func(column string, id laurel.ID) {
		if !id.IsZero() {
			w.Add(column+" = ?", id)
		}
	}
	equal("e.loyalty_account_id", f.AccountID)
	equal("e.loyalty_transaction_id", f.TransactionID)
	if !f.RuleGroupID.IsZero() {
		w.Add(
			f.noIndex+"e.loyalty_rule_id IN (SELECT g.id FROM loyalty_rules g WHERE g.loyalty_rule_group_id = ?)",
			f.RuleGroupID,
		)
	}
	store.In(w, f.noIndex+"e.loyalty_rule_id", f.RuleIDs)
	store.In(w, f.noIndex+"e.loyalty_rule_type", f.RuleTypes)
	store.In(w, f.noIndex+"e.loyalty_currency_id", f.CurrencyIDs)
	for column, value := range map[string]string{"e.idempotency_key": f.Key, f.noIndex + "e.type": f.Type, "e.direction": f.Direction} {
		if value != "" {
			w.Add(column+" = ?", value)
		}
	}
	if f.Type != "" && f.Type != "loyalty_rule" {
		w.Add("e.type <> 'loyalty_rule'") // the condition of the partial index, so that it is used
	}
	if f.Direction == "debit" {
		w.Add("e.direction = 'debit'") // likewise
	}
	if !f.Start.IsZero() {
		w.Add("e.created_at >= ?", store.Micros(f.Start))
	}
	if !f.End.IsZero() {
		w.Add("e.created_at < ?", store.Micros(f.End))
	}
	if f.OnlyClosed {
		whereClosesWindow(w, f.ClosedWindows)
	}
	if f.Completions {
		w.Add(isCompletionEntry)
	}
}

const (
	closedSubject = ` IN (e.user_id, (SELECT m.user_group_id FROM members m WHERE m.website_id = e.website_id AND m.user_id = e.user_id))`
	// closesRolling is the condition that an entry closes a window that counts from the last payment. One argument: the
	// end of the previous window.
	closesRolling = `e.created_at > ? AND EXISTS (SELECT 1 FROM rule_subjects b WHERE b.loyalty_rule_id = e.loyalty_rule_id AND b.subject_id` + closedSubject + `
		AND b.last_paid_at IS NOT NULL)`
	hasPaidWindow = `EXISTS (SELECT 1 FROM rule_claims c WHERE c.loyalty_rule_id = e.loyalty_rule_id AND c.subject_id` + closedSubject + `
		AND c.loyalty_transaction_id = e.loyalty_transaction_id AND `
	// closesCalendar is the condition that an entry closes a calendar window. Four arguments: the key of the window, and
	// three times when it began. A payment with an idempotency key closes no calendar window; a click that was paid in
	// this window may have closed the previous one.
	closesCalendar = `e.idempotency_key IS NULL AND (` + hasPaidWindow + `c.window_key = ?)
		OR e.created_at >= ? AND EXISTS (SELECT 1 FROM rule_subjects b WHERE b.loyalty_rule_id = e.loyalty_rule_id AND b.subject_id` + closedSubject + `
			AND b.window_paid_at >= ?) AND NOT ` + hasPaidWindow + `c.created_at < ?))`
)

// isCompletionEntry is the condition that an entry is a completion's own: neither the later credit of held points nor
// the debit of a deleted rule.
const isCompletionEntry = `e.direction = 'credit' AND NOT EXISTS (SELECT 1 FROM account_lots l WHERE l.entry_id = e.id AND l.waits_until IS NOT NULL)`

// whereClosesWindow limits entries to those that close one of the windows, of which there is at least one. Since no
// such entry is older than the oldest window, it also limits their time, which spares reading all entries of a user.
func whereClosesWindow(w *store.Where, windows []ClosedWindow) {
	text, or := "(", ""
	var args []any
	first := store.Micros(windows[0].Since)
	for _, c := range windows {
		since := store.Micros(c.Since)
		first = min(first, since)
		if c.Key != "" {
			text += or + "e.loyalty_rule_id = ? AND " + closesCalendar
			args = append(args, c.RuleID, c.Key, since, since, since)
		} else {
			text += or + "e.loyalty_rule_id = ? AND " + closesRolling
			args = append(args, c.RuleID, since)
		}
		or = " OR "
	}
	w.Add("e.created_at >= ?", first)
	w.Add(text+")", args...)
	w.Add(isCompletionEntry)
}

// accountsOfUsers looks up the accounts of the filter's users, because only the index of an account has entries in the
// order of the list. If there are 2 to maxParts accounts, it returns their ids, so that each is read separately;
// otherwise it adds a condition on accounts to w and returns no ids. It returns false if there is no account.
func (s *Service) accountsOfUsers(
	ctx context.Context,
	w *store.Where,
	scope laurel.Scope,
	f EntryFilter,
) ([]laurel.ID, bool, error) {
	var ofAccounts store.Where
	s.whereTenantOf(&ofAccounts, "a.", scope, f.Users)
	if f.OnlyClosed {
		// A window is closed for the whole group, whichever of its members was paid (contract 5.2).
		var ofMembers store.Where
		whereTenant(&ofMembers, "x.", scope)
		whereUsers(&ofMembers, "x.user_id", "x.website_id", scope, f.Users)
		ofAccounts.Add(
			"a.user_id IN (SELECT y.user_id"+fromGroupMembers(s.db.Engine())+ofMembers.String()+")",
			ofMembers.Args...)
	} else {
		whereUsers(&ofAccounts, "a.user_id", "a.website_id", scope, f.Users)
	}
	store.In(&ofAccounts, "a.loyalty_currency_id", f.CurrencyIDs)
	accounts := "SELECT a.id FROM loyalty_accounts a" + ofAccounts.String()
	var ids []laurel.ID
	args := append(slices.Clone(ofAccounts.Args), maxAccounts+1)
	if err := s.db.Select(ctx, &ids, accounts+" LIMIT ?", args...); err != nil {
		return nil, false, err
	}
	switch {
	case len(ids) > maxAccounts:
		w.Add("e.loyalty_account_id IN ("+accounts+")", ofAccounts.Args...)
	case len(ids) > 1 && len(ids) <= maxParts:
		return ids, true, nil
	default:
		store.In(w, "e.loyalty_account_id", ids)
	}
	return nil, len(ids) > 0, nil
}

// fromGroupMembers joins members x with themselves and all members of their groups, as y.
func fromGroupMembers(e store.Engine) string {
	return " FROM members x JOIN members y ON " + e.NoIndexPrefix() + "y.website_id = x.website_id AND (y.user_id = x.user_id OR y.user_group_id = x.user_group_id)"
}

// addEntryCursor adds to w the condition that a page begins after the entry with the id. Errors: Invalid if the list
// has no entry with the id.
func (s *Service) addEntryCursor(
	ctx context.Context,
	w *store.Where,
	scope laurel.Scope,
	f EntryFilter,
	id laurel.ID,
) error {
	var at store.Where
	at.Add("e.id = ?", id)
	whereTenant(&at, "e.", scope)
	f.addAccountSide(&at)
	// a user's list must not reveal entries of others; with OnlyClosed it has entries of the user's group anyway
	if !f.OnlyClosed {
		whereUsers(&at, "e.user_id", "e.website_id", scope, f.Users)
	}
	var row pageStart
	err := s.db.Get(
		ctx,
		&row,
		"SELECT e.id, e.created_at, "+f.sortOrder().column+" AS place FROM loyalty_transaction_entries e"+at.String(),
		at.Args...)
	if store.IsNoRows(err) {
		return laurel.ErrCursor()
	}
	f.sortOrder().addAfter(w, row, !f.AccountID.IsZero())
	return err
}
