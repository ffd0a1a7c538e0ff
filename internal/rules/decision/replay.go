package decision

import (
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/schema"
)

// recordVersion is raised when facts change their meaning, so that old records are never misread.
const recordVersion = 1

// Record is what a payment stores of its decision: enough to decide again by a changed rule.
type Record struct {
	Version      int       `json:"v"`
	RuleVersion  int64     `json:"rule"`
	SubjectID    laurel.ID `json:"subject"` // the member, or its group
	WindowPaidAt time.Time `json:"windowPaidAt,omitzero"`
	Facts        Facts     `json:"facts"`
}

// maxRecordedText is the longest text of a member that a record stores: a code, not an essay.
const maxRecordedText = 200

// Encode returns the record as JSON. Of a long text it keeps only the length.
func (r Record) Encode() json.RawMessage {
	r.Version = recordVersion
	r.Facts.Characters = r.Facts.TextLength()
	if len(r.Facts.Text) > maxRecordedText {
		r.Facts.Text = ""
	}
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // ids, amounts, times and texts always encode
	}
	return b
}

// DecodeRecord reads what Encode wrote. It fails on records of another version.
func DecodeRecord(b []byte) (Record, error) {
	var r Record
	if err := json.Unmarshal(b, &r); err != nil {
		return r, err
	}
	if r.Version != recordVersion {
		return r, fmt.Errorf("decision: the facts are of version %d, this program knows %d", r.Version, recordVersion)
	}
	return r, nil
}

// TextLength returns the number of characters of the member's text, also if a record left the text out.
func (f Facts) TextLength() int { return max(f.Characters, utf8.RuneCountInString(f.Text)) }

// ReplayState is the rule state of a member or group while its past completions are decided again: what the changed
// rule would have paid, not what was paid.
type ReplayState struct {
	tally        schema.Tally
	lastPaidAt   time.Time
	windowPaidAt time.Time
	hasBegun     bool
}

// Redecide decides a past completion by a changed rule, and updates the state. Completions of a member must come in
// their order. The first one sets the state to the one before that completion. If the changed rule refuses the
// completion, Redecide returns the refusal, and the state stays as it is.
func (m *ReplayState) Redecide(r Record, rule *schema.Properties, meta schema.Meta, kind *Kind) (Reward, error) {
	f := r.Facts
	if !m.hasBegun {
		*m = ReplayState{tally: f.Tally, lastPaidAt: f.LastPaidAt, windowPaidAt: r.WindowPaidAt, hasBegun: true}
	}
	f.Rule, f.Kind, f.Meta = rule, kind, meta
	f.Tally, f.LastPaidAt = m.tally, m.lastPaidAt
	hasCalendarWindow := !f.KeyGiven && f.TriggeredBy == TriggerCall && !f.hasWindowPerCode() && !f.isClaim()
	if hasCalendarWindow { // the windows of other completions stay as they were
		f.WindowPaid = schema.IsWindowPaid(rule.Interval, m.windowPaidAt, f.Now)
	}
	reward, err := Decide(f)
	if err != nil {
		return Reward{}, err
	}
	m.tally = m.tally.Add(reward.Amount, f.Now)
	m.lastPaidAt = f.Now
	if !f.KeyGiven && f.Now.After(m.windowPaidAt) {
		m.windowPaidAt = f.Now
	}
	if f.Meta.ResetProgressOnClaim {
		m.lastPaidAt, m.windowPaidAt = time.Time{}, time.Time{}
	}
	return reward, nil
}

// Total returns what the reward pays in the rule's currency.
func (r Reward) Total(rule *schema.Properties) laurel.Amount {
	total := r.Amount
	for _, c := range r.Credits {
		if c.CurrencyID.IsZero() || rule.LoyaltyCurrencyID != nil && c.CurrencyID == *rule.LoyaltyCurrencyID {
			total += c.Amount
		}
	}
	return total
}
