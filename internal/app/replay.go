package app

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/replay"
	"laurel.example/laurel/internal/rules/schema"
)

// ReplayInput asks how past completions of a rule would have been decided by a changed rule.
type ReplayInput struct {
	// Rule is the changed rule: JSON as the API returns it, with id, organizationId and websiteId. Absent properties keep
	// their values.
	Rule     []byte
	From, To string // RFC 3339, or a date
}

// Replay decides past completions of a rule again, by the changed rule, and writes nothing. Errors: Invalid; NotFound
// "Loyalty rule".
func (a *App) Replay(ctx context.Context, in ReplayInput) (ReplayRecord, error) {
	input, scope, err := in.parse()
	if err != nil {
		return ReplayRecord{}, err
	}
	replay, err := a.Replays.Replay(ctx, scope, input)
	return newReplayRecord(replay), err
}

// changedRule has the ids in the JSON of a changed rule.
type changedRule struct {
	ID             laurel.ID `json:"id"`
	OrganizationID laurel.ID `json:"organizationId"`
	WebsiteID      laurel.ID `json:"websiteId"`
}

// parse returns the input of a replay, and the scope of the rule's website, from the ids in the file of the rule.
// Errors: a file that is no JSON; Invalid for a missing id or a malformed time.
func (in ReplayInput) parse() (replay.Input, laurel.Scope, error) {
	var ids changedRule
	var changes schema.Input
	if err := json.Unmarshal(in.Rule, &ids); err != nil {
		return replay.Input{}, laurel.Scope{}, fmt.Errorf("the rule: %w", err)
	}
	if err := json.Unmarshal(in.Rule, &changes); err != nil {
		return replay.Input{}, laurel.Scope{}, fmt.Errorf("the rule: %w", err)
	}
	var f laurel.Faults
	for name, id := range map[string]laurel.ID{"id": ids.ID, "organizationId": ids.OrganizationID, "websiteId": ids.WebsiteID} {
		if id.IsZero() {
			f.Add(name, "is required")
		}
	}
	parseTime := func(name, text string) time.Time {
		at, err := laurel.ParseTimestamp(text)
		if err != nil {
			f.Add(name, "%s", err)
		}
		return at.Time
	}
	out := replay.Input{RuleID: ids.ID, Changes: changes, From: parseTime("from", in.From), To: parseTime("to", in.To)}
	return out, laurel.Scope{
		OrganizationID: ids.OrganizationID,
		WebsiteID:      ids.WebsiteID,
		Role:           laurel.RoleOrganization,
	}, f.Err()
}

// ReplayedRecord is one line in the result of a replay, in points of the rule's currency.
type ReplayedRecord struct {
	UserID      *laurel.ID    `json:"userId,omitempty"` // left out in the total
	Completions int           `json:"completions"`
	Refused     int           `json:"refused"`
	Overridden  int           `json:"overridden"` // the caller set their amount, and they would pay the same
	Paid        laurel.Amount `json:"paid"`
	WouldPay    laurel.Amount `json:"wouldPay"`
	Difference  laurel.Amount `json:"difference"`
}

// ReplayRecord is the result of a replay.
type ReplayRecord struct {
	RuleID laurel.ID      `json:"loyaltyRuleId"`
	Name   string         `json:"name"`
	Total  ReplayedRecord `json:"total"`
	// WithoutFacts counts completions whose facts were not stored: they cannot be decided again.
	WithoutFacts int `json:"withoutFacts"`
	// Overridden counts completions whose amount the caller set, and that the changed rule pays the same.
	Overridden int              `json:"overridden"`
	Members    []ReplayedRecord `json:"members"`
}

// newReplayedRecord returns the sums of a replay, over one member or over all, in the form that the command line
// prints. The caller adds the member.
func newReplayedRecord(r replay.Replayed) ReplayedRecord {
	return ReplayedRecord{
		Completions: r.Completions,
		Refused:     r.Refused,
		Overridden:  r.Overridden,
		Paid:        r.Paid,
		WouldPay:    r.WouldPay,
		Difference:  r.Difference(),
	}
}

// newReplayRecord returns a replay in the form that the command line prints.
func newReplayRecord(r replay.Replay) ReplayRecord {
	out := ReplayRecord{
		RuleID:       r.Rule.ID,
		Name:         r.Rule.Name,
		Total:        newReplayedRecord(r.Total),
		WithoutFacts: r.Unknown,
		Overridden:   r.Total.Overridden,
		Members:      []ReplayedRecord{},
	}
	for _, m := range r.Members {
		line := newReplayedRecord(m.Replayed)
		line.UserID = &m.UserID
		out.Members = append(out.Members, line)
	}
	return out
}
