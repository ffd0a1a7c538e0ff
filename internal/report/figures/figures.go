// Package figures owns the daily figures of websites, per UTC day: points issued and spent, completions, refusals and
// active members. They are computed from the change feed and from refused calls of this process, so that pages read a
// few rows instead of a month of entries (docs/decisions/0039-daily-figures.md).
package figures

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// The names of figures. The subject is a currency, a rule, or, for other figures, the website.
const (
	figureIssued      = "issued"      // per currency: new points that members got
	figureSpent       = "spent"       // per currency: points that members paid, including later refunds
	figureReturned    = "returned"    // per currency: points that were refunded to members
	figureExpired     = "expired"     // per currency
	figureTakenBack   = "takenBack"   // per currency: points that resets and deleted rules took
	figureMoved       = "moved"       // per currency: points transferred between members
	figureOpening     = "opening"     // per currency: points that members had when they were imported
	figureCompletions = "completions" // per rule, and of the website
	figurePaid        = "paid"        // per rule: points that it paid, by currency
	figureRefused     = "refused"     // per rule: refused calls, by check
	figureActive      = "active"      // of the website: members
)

// Spans are the numbers of days for which distinct active members are counted.
var Spans = []int{7, 30, 90}

const (
	dayLength = 24 * time.Hour
	// retentionDays is how long the last active day of a member is stored; longer than the longest of Spans.
	retentionDays = 100
)

// dayOf returns the number of a time's UTC day.
func dayOf(at time.Time) int64 { return at.UTC().Unix() / int64(dayLength/time.Second) }

// timeOf returns the beginning of a day.
func timeOf(day int64) time.Time { return time.Unix(day*int64(dayLength/time.Second), 0).UTC() }

// Service reads and writes the figures.
type Service struct {
	db      *store.DB
	metrics *metrics
}

// New returns the service.
func New(db *store.DB) *Service { return &Service{db: db, metrics: newMetrics()} }

// Span is a number of days; first and last are included.
type Span struct{ first, last int64 }

// Until returns the span of days that ends with the day of a time.
func Until(at time.Time, days int) Span {
	last := dayOf(at)
	return Span{last - int64(days) + 1, last}
}

// Before returns the span of equal length that ends before this one begins.
func (s Span) Before() Span { return Span{s.first - (s.last - s.first) - 1, s.first - 1} }

// Days is the number of days.
func (s Span) Days() int { return int(s.last - s.first + 1) }

// Day returns the beginning of a day of the span, the first being 0.
func (s Span) Day(i int) time.Time { return timeOf(s.first + int64(i)) }

// Flow is the movement of a currency's points in a day. Members' balances grow by Issued and Opening, and fall by
// Spent, Expired and TakenBack; Moved changes no sum.
type Flow struct {
	Issued    laurel.Amount
	Spent     laurel.Amount // minus refunds; negative if more was refunded than paid that day
	Expired   laurel.Amount
	TakenBack laurel.Amount // by resets and deleted rules
	Returned  laurel.Amount // refunds of points paid that day or before; already subtracted from Spent
	Moved     laurel.Amount // between members
	Opening   laurel.Amount // opening balances of imported members
}

// Flows returns the flow of a currency for each day of the span. Readers who may not see hidden bids get the flows
// without them.
func (s *Service) Flows(
	ctx context.Context, scope laurel.Scope, visibility laurel.Visibility, currency laurel.ID, span Span,
) (flows []Flow, err error) {
	query := flowQuery{scope, currency, span}
	if visibility.All {
		return query.read(ctx, s.db)
	}
	err = s.db.Snapshot(ctx, func(q store.Queryer) error {
		if flows, err = query.read(ctx, q); err != nil {
			return err
		}
		return query.removeConcealed(ctx, q, flows)
	})
	return flows, err
}

// Completions returns the completions of a rule, or of all rules for the zero id, for each day of the span.
func (s *Service) Completions(ctx context.Context, scope laurel.Scope, rule laurel.ID, span Span) ([]int64, error) {
	if rule.IsZero() {
		rule = scope.WebsiteID
	}
	return dailyValues(ctx, s.db, scope, figureKey{name: figureCompletions, subject: rule}, span)
}

// CountActiveMembers returns how many members were active on each day of the span.
func (s *Service) CountActiveMembers(ctx context.Context, scope laurel.Scope, span Span) ([]int64, error) {
	return dailyValues(ctx, s.db, scope, figureKey{name: figureActive, subject: scope.WebsiteID}, span)
}

// CountDistinctMembers returns how many members were active on at least one day of the span, whose length must be one
// of Spans.
func (s *Service) CountDistinctMembers(ctx context.Context, scope laurel.Scope, span Span) (int64, error) {
	return sumUntil(ctx, s.db, scope, activeWithinFigure(span.Days()), span.last)
}

// FirstDay returns the beginning of the first day with an active member, or the zero time if there is none.
func (s *Service) FirstDay(ctx context.Context, scope laurel.Scope) (time.Time, error) {
	first, err := firstDay(ctx, s.db, scope)
	if err != nil || first == 0 {
		return time.Time{}, err
	}
	return timeOf(first), nil
}

// RuleSum is the sum of a rule's figures over some days.
type RuleSum struct {
	RuleID      laurel.ID
	Completions int64
	Paid        map[laurel.ID]laurel.Amount // by currency
}

// SumRules returns, by rule, how often members completed it and what it paid over the span. Rules without figures are
// left out.
func (s *Service) SumRules(
	ctx context.Context,
	scope laurel.Scope,
	rules []laurel.ID,
	span Span,
) (map[laurel.ID]RuleSum, error) {
	out := map[laurel.ID]RuleSum{}
	if len(rules) == 0 {
		return out, nil
	}
	rows, err := sumsOfRules(ctx, s.db, scope, rules, span)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		sum, known := out[r.Subject]
		if !known {
			sum = RuleSum{RuleID: r.Subject, Paid: map[laurel.ID]laurel.Amount{}}
		}
		if r.Name == figureCompletions {
			sum.Completions = r.Value
		} else if currency, err := laurel.ParseID(r.Detail); err == nil {
			sum.Paid[currency] = laurel.Amount(r.Value)
		}
		out[r.Subject] = sum
	}
	return out, nil
}

// Refusal is how often calls of a rule were refused for a reason, which is the name of a check of the decision, or
// Other.
type Refusal struct {
	Reason string `db:"detail"`
	Count  int64  `db:"value"`
}

// Refusals returns the reasons why calls of a rule were refused within the span, most frequent first.
func (s *Service) Refusals(ctx context.Context, scope laurel.Scope, rule laurel.ID, span Span) ([]Refusal, error) {
	return sumsOfReasons(ctx, s.db, scope, rule, span)
}

// DeleteOldDays deletes the stored last active days of members, if they are older than retentionDays, in chunks.
func (s *Service) DeleteOldDays(ctx context.Context) error {
	before := dayOf(s.db.Now()) - retentionDays
	for {
		var n int64
		err := s.db.InTx(ctx, func(tx *store.Tx) (err error) {
			n, err = deleteDays(ctx, tx, before, maxRowsPerStatement)
			return err
		})
		if err != nil || n < maxRowsPerStatement {
			return err
		}
	}
}

// dailyValues returns the values of a figure for each day of the span, 0 for a day without one. The day of the key is
// not used.
func dailyValues(
	ctx context.Context, q store.Queryer, scope laurel.Scope, figure figureKey, span Span,
) ([]int64, error) {
	out := make([]int64, span.Days())
	rows, err := selectSeries(ctx, q, scope, figure, span)
	for _, r := range rows {
		out[r.Day-span.first] += r.Value
	}
	return out, err
}
