package report

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// What the plans of the lists are made from, for plans_test.go.
const (
	SelectStatus = selectStatus
	Remembered   = remembered
	Newest       = newest
)

// Clicked are the items of the jobs that wait, and of those that ended.
var Clicked = []string{clicked(waiting), clicked(ended)}

// AccountsOf is the statement that finds the accounts of users.
func AccountsOf(ctx context.Context, s *Service, scope laurel.Scope, f UserFilter) (string, []any, error) {
	err := s.nameGroups(ctx, scope, &f)
	var w store.Where
	s.tenantOf(&w, "a.", scope, f)
	members(&w, "a.user_id", "a.website_id", scope, f)
	return "SELECT a.id FROM loyalty_accounts a" + w.String(), w.Args, err
}

// UsersListed is the statement that lists users.
func UsersListed(s *Service, scope laurel.Scope, f UserListFilter) (string, []any) {
	w := s.userConditions(scope, f)
	return selectUser + w.String() + " ORDER BY u.created_at DESC, u.id DESC LIMIT 100", w.Args
}

// WithMates opens withMates to the tests.
var WithMates = withMates

// OfAccounts is the statement that reads the entries of accounts.
func OfAccounts(e store.Engine, scope laurel.Scope, f EntryFilter, accounts []laurel.ID, limit int) (string, []any) {
	f.apart = e.NoIndex()
	return of(scope, f, parts{ofAccount, accounts}, limit)
}

// OfRules is the statement that reads the entries of rules.
func OfRules(scope laurel.Scope, rules []laurel.ID, limit int) (string, []any) {
	return of(scope, EntryFilter{RuleIDs: rules}, parts{ofRule, rules}, limit)
}

func of(scope laurel.Scope, f EntryFilter, all parts, limit int) (string, []any) {
	var w store.Where
	tenant(&w, f.apart+"e.", scope)
	f.conditions(&w)
	return ofParts(w, f.order(), all, limit)
}

// List is the statement that reads a page of entries.
func List(e store.Engine, scope laurel.Scope, f EntryFilter) string {
	f.byAccount(e)
	var w store.Where
	tenant(&w, f.apart+"e.", scope)
	f.conditions(&w)
	return selectEntry + w.String() + f.sorted() + " LIMIT ?"
}

// ClosesCalendar is the condition on entries of userCompletedLoyaltyRuleId.
const ClosesCalendar = closesCalendar
