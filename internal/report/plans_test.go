package report_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/store"
)

// plan returns how SQLite would carry out a query; arguments are nothing.
func plan(t *testing.T, db *store.DB, query string) string {
	t.Helper()
	steps, err := storetest.Plan(context.Background(), db, query, make([]any, strings.Count(query, "?"))...)
	if err != nil {
		t.Fatal(err)
	}
	return ofConcealed.ReplaceAllString(steps, "")
}

// ofConcealed are the steps that look up whether an entry is concealed: by key, within an order.
var ofConcealed = regexp.MustCompile(`CORRELATED .*\nSEARCH x USING INDEX sqlite_autoindex_bid_entries_1 \(entry_id=\?\)\n`)

// TestListsOfWhatRulesRememberReadTheirOrderFromAnIndex keeps a page of a list from reading and sorting all that there
// is.
func TestListsOfWhatRulesRememberReadTheirOrderFromAnIndex(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Engine() != store.SQLite {
			return // a planner that knows the table is empty takes no index
		}
		remembered := "SELECT s.* FROM (" + report.Remembered + ") s"
		for _, list := range []struct{ query, index string }{
			{report.SelectStatus + " WHERE s.organization_id = ? AND s.website_id = ? AND s.user_id IS NOT NULL" + report.Newest, "rule_subjects_newest"},
			{report.SelectStatus + " WHERE s.organization_id = ? AND s.website_id = ? AND s.user_id IS NOT NULL AND (s.created_at, s.id) < (?, ?)" + report.Newest, "rule_subjects_newest"},
			{report.SelectStatus + " WHERE s.organization_id = ? AND s.website_id = ? AND s.loyalty_rule_id IN (?)" + report.Newest, "rule_subjects_"},
			{remembered + " WHERE s.organization_id = ? AND s.website_id = ? AND s.user_id IS NOT NULL" + report.Newest, "rule_subjects_newest"},
			{"SELECT * FROM rule_edits WHERE organization_id = ? AND website_id = ? AND loyalty_rule_id = ? AND (edited_at, id) < (?, ?) ORDER BY edited_at DESC, id DESC LIMIT ?", "rule_edits_of_rule"},
			{"SELECT * FROM rule_codes WHERE loyalty_rule_id = ? AND redeemed_at IS NULL AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?", "rule_codes_newest"},
			{"SELECT * FROM loyalty_rules WHERE organization_id = ? AND website_id = ? AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT ?", "loyalty_rules_newest"},
			{"SELECT * FROM loyalty_rule_groups WHERE organization_id = ? AND website_id = ? AND deleted_at IS NULL AND (sort_id, created_at, id) > (?, ?, ?) ORDER BY sort_id, created_at, id LIMIT ?", "loyalty_rule_groups_order"},
			{"SELECT * FROM loyalty_rules WHERE loyalty_rule_group_id = ? AND deleted_at IS NULL ORDER BY created_at, id", "loyalty_rules_of_group"},
			{minting.MintTable.Query() + " WHERE +t.organization_id = ? AND +t.website_id = ? AND t.minting_asset_id IN (?) ORDER BY t.created_at DESC, t.id DESC LIMIT ?", "minting_mints_of_asset"},
		} {
			got := plan(t, db, list.query)
			outer := strings.Split(got, "CORRELATED")[0] // mates and jobs of one row are sorted, which are few
			if !strings.Contains(outer, list.index) || strings.Contains(outer, "TEMP B-TREE") {
				t.Errorf("%s\n%s", list.query, got)
			}
		}
		won := plan(t, db, minting.MintTable.Query()+" WHERE +t.organization_id = ? AND +t.website_id = ? AND t.auction_id = ?")
		if !strings.Contains(won, "minting_mints_of_auction") {
			t.Errorf("mints of an auction are found by %s", won)
		}
		for _, jobs := range report.Clicked {
			got := plan(t, db, "SELECT s.* FROM ("+jobs+") s WHERE s.organization_id = ? AND s.website_id = ?"+report.Newest)
			if !strings.HasPrefix(got, "SEARCH x USING INDEX rule_jobs_visible (website_id=? AND status=?") {
				t.Errorf("visible jobs are found by %s", got)
			}
		}
		if got := plan(t, db, remembered); strings.Contains(got, "(website_id=?)") {
			t.Errorf("every member of the website is read: %s", got)
		}
	})
}

// TestWhatClosesAWindowIsLookedUpByKey keeps the list of closed windows from walking what a rule remembers of
// everybody.
func TestWhatClosesAWindowIsLookedUpByKey(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Engine() != store.SQLite {
			return // a planner that knows the table is empty takes no index
		}
		got := plan(
			t,
			db,
			"SELECT e.id FROM loyalty_transaction_entries e WHERE e.loyalty_account_id IN (?) AND e.loyalty_rule_id = ? AND "+report.ClosesCalendar,
		)
		if strings.Contains(got, "SCAN") ||
			strings.Count(got, "SEARCH c USING INDEX sqlite_autoindex_rule_claims_1 (loyalty_rule_id=? AND subject_id=?") != 2 ||
			!strings.Contains(
				got,
				"SEARCH b USING INDEX sqlite_autoindex_rule_subjects_2 (subject_id=? AND loyalty_rule_id=?)",
			) {
			t.Error(got)
		}
	})
}

// TestListsOfEntriesReadTheirOrderFromAnIndex keeps a page from reading and sorting millions of entries. Those of one
// moment may be sorted.
func TestListsOfEntriesReadTheirOrderFromAnIndex(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Engine() != store.SQLite {
			return // a planner that knows the table is empty takes no index
		}
		scope := laurel.Scope{OrganizationID: db.NewID(), WebsiteID: db.NewID()}
		for index, f := range map[string]report.EntryFilter{
			"entries_of_website": {}, "entries_of_debits": {Direction: "debit"}, "entries_of_type": {Type: "order"},
			"entries_of_account_and_rule (loyalty_account_id=?)": {AccountID: db.NewID(), ByLockVersion: true},
			"entries_of_account_and_rule (loyalty_account_id=?":  {AccountID: db.NewID(), RuleIDs: []laurel.ID{db.NewID()}, RuleTypes: []string{"check_in"}, CurrencyIDs: []laurel.ID{db.NewID()}, Type: "order"},
		} {
			got := plan(t, db, report.List(db.Engine(), scope, f))
			if !strings.Contains(got, index) || strings.Contains(got, "TEMP B-TREE FOR ORDER BY") {
				t.Errorf("%s: %s", index, got)
			}
		}
		query, _ := report.SelectOfRules(scope, []laurel.ID{db.NewID(), db.NewID()}, 101)
		// not sorted in between
		if got := plan(t, db, query); strings.Count(
			got,
			"entries_of_rule (loyalty_rule_id=? AND website_id=?)\nSCAN part",
		) != 2 {
			t.Error(got)
		}
	})
}

func TestWhoIsNamedIsFoundByKeyOnSQLite(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.Engines()[0].URL(t), nil)
	ids, wallets := []laurel.ID{db.NewID(), db.NewID(), db.NewID()}, []string{"a", "b", "c"}
	for _, f := range []report.UserFilter{{IDs: ids}, {Wallets: wallets}, {IDs: ids, Wallets: wallets}} {
		for _, scope := range []laurel.Scope{{OrganizationID: db.NewID()}, {OrganizationID: db.NewID(), WebsiteID: db.NewID()}} {
			query, _ := report.UsersListed(report.New(db), scope, report.UserListFilter{Users: f})
			if got := plan(t, db, query); !strings.Contains(got, "SEARCH u USING INDEX sqlite_autoindex_users_1 (id=?)") {
				t.Errorf("%s\n%s", query, got)
			}
		}
	}
	query := "SELECT y.user_id" + report.WithGroupMembers(db.Engine()) + " WHERE x.website_id = ? AND x.user_id IN (?, ?)"
	if got := plan(
		t,
		db,
		query,
	); strings.Contains(got, "SEARCH y USING COVERING INDEX sqlite_autoindex_members_1") ||
		!strings.Contains(got, "members_of_group (user_group_id=?)") {
		t.Errorf("%s\n%s", query, got)
	}
}

// TestBlockedMembersAreLookedUp keeps their list from walking every member.
func TestBlockedMembersAreLookedUp(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Engine() != store.SQLite {
			return // a planner that knows the table is empty takes no index
		}
		scope := laurel.Scope{OrganizationID: db.NewID(), WebsiteID: db.NewID()}
		query, _ := report.UsersListed(report.New(db), scope, report.UserListFilter{Blocked: true})
		got := plan(t, db, query)
		if !strings.HasPrefix(got, "SEARCH u USING INDEX sqlite_autoindex_users_1 (id=?)") ||
			!strings.Contains(got, "SEARCH b USING INDEX members_blocked (website_id=?)") {
			t.Errorf("blocked members are found by %s", got)
		}
	})
}
