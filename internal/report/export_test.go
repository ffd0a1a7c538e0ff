package report

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// What the plans of the lists are made from, for plans_test.go.
const (
	SelectStatus = selectStatus
	Remembered   = ruleStateItems
	Newest       = newestFirst
)

// Clicked are the items of the jobs that wait, and of those that ended.
var Clicked = []string{jobItems(pendingJob), jobItems(recentJob)}

// AccountsOf is the statement that finds the accounts of users.
func AccountsOf(ctx context.Context, s *Service, scope laurel.Scope, f UserFilter) (string, []any, error) {
	err := s.resolveGroups(ctx, scope, &f)
	var w store.Where
	s.whereTenantOf(&w, "a.", scope, f)
	whereUsers(&w, "a.user_id", "a.website_id", scope, f)
	return "SELECT a.id FROM loyalty_accounts a" + w.String(), w.Args, err
}

// UsersListed is the statement that lists users.
func UsersListed(s *Service, scope laurel.Scope, f UserListFilter) (string, []any) {
	w := s.whereUserList(scope, f)
	return selectUser + w.String() + " ORDER BY u.created_at DESC, u.id DESC LIMIT 100", w.Args
}

// WithGroupMembers opens fromGroupMembers to the tests.
var WithGroupMembers = fromGroupMembers

// SelectOfAccounts is the statement that reads the entries of accounts.
func SelectOfAccounts(e store.Engine, scope laurel.Scope, f EntryFilter, accounts []laurel.ID, limit int) (string, []any) {
	f.noIndex = e.NoIndexPrefix()
	return selectParts(scope, f, entryParts{accountColumn, accounts}, limit)
}

// SelectOfRules is the statement that reads the entries of rules.
func SelectOfRules(scope laurel.Scope, rules []laurel.ID, limit int) (string, []any) {
	return selectParts(scope, EntryFilter{RuleIDs: rules}, entryParts{ruleColumn, rules}, limit)
}

func selectParts(scope laurel.Scope, f EntryFilter, all entryParts, limit int) (string, []any) {
	var w store.Where
	whereTenant(&w, f.noIndex+"e.", scope)
	f.addConditions(&w)
	return selectFromParts(w, f.sortOrder(), all, limit)
}

// List is the statement that reads a page of entries.
func List(e store.Engine, scope laurel.Scope, f EntryFilter) string {
	f.preferAccountIndex(e)
	var w store.Where
	whereTenant(&w, f.noIndex+"e.", scope)
	f.addConditions(&w)
	return selectEntry + w.String() + f.orderBy() + " LIMIT ?"
}

// ClosesCalendar is the condition on entries of userCompletedLoyaltyRuleId.
const ClosesCalendar = closesCalendar
