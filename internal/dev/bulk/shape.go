package bulk

import (
	"time"

	"laurel.example/laurel"
)

// Shape says how entries are spread over accounts. Every account begins with an opening balance, written 1,000 to a
// transaction as an import would; then come completions in the order of time: every fifth by one of a few busy accounts
// (one of 10,000), the others by one account in five. Everything follows from numbers, so that statements over a series
// of numbers make it, each row right by itself.
type Shape struct {
	Accounts, Openings, Completions int
	Busy, Others                    int // accounts with completions: first the busy ones, then the others
}

// What all data sets have in common.
const (
	openingSize  = 1000 // accounts of each transaction with opening balances
	Rules        = 50
	Groups       = 5
	Days         = 365
	Reward       = 10 // points of each completion
	BusyInterval = 5  // one of so many completions is of a busy account
)

// ShapeOf returns the shape of so many accounts and at most so many entries: each account has an opening entry, each
// thousand of them a counter-entry, and each completion has two entries. If the entries are too few for the accounts,
// Completions is negative; see Check.
func ShapeOf(accounts, entries int) Shape {
	s := Shape{
		Accounts: accounts,
		Openings: (accounts + openingSize - 1) / openingSize,
		Busy:     max(1, accounts/10_000),
		Others:   max(1, accounts/5),
	}
	s.Completions = (entries - accounts - s.Openings) / 2
	return s
}

// Check adds a fault if there are too few or too many entries for the accounts.
func (s Shape) Check(f *laurel.Faults, entries int) {
	switch least := s.Accounts + s.Openings; {
	case entries < least:
		f.Add("--entries", "must be at least %d: one for each account and one for each %d of them", least, openingSize)
	case s.BusyCompletions()/s.Busy >= Rules*Days:
		f.Add("--entries", "are too many for so few --accounts: a rule pays a member once a day")
	}
}

// BusyCompletions returns how many completions are of busy accounts: the completions 0, 5, 10, …
func (s Shape) BusyCompletions() int { return (s.Completions + BusyInterval - 1) / BusyInterval }

func (s Shape) otherCompletions() int { return s.Completions - s.BusyCompletions() }

// First is the time of the first completion, in microseconds since 1970.
const First = joinedAt + int64(300*24*time.Hour/time.Microsecond)

// interval returns the time from one completion to the next, in microseconds.
func (s Shape) interval() int64 {
	return int64(Days*24*time.Hour/time.Microsecond) / int64(max(1, s.Completions))
}

// RuleName is the name of the rules whose completions a data set has.
const RuleName = "Of the data set"
