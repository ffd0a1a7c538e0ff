package completion

import (
	"time"

	"laurel.example/laurel/internal/rules/completionjobs"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/store"
)

// callTrigger returns the trigger of a completion call.
func callTrigger() ruletypes.Trigger {
	return ruletypes.Trigger{Name: "completion", CountsRefusals: true}
}

// checkInTrigger returns the trigger of a check-in that no call asks for: the completion of another rule, or an entry
// of the member, triggers it (contract 5.9).
func checkInTrigger() ruletypes.Trigger {
	return ruletypes.Trigger{Name: "check-in", Kind: decision.TriggerAutoCheckIn}
}

// jobTrigger returns the trigger of a completion job. It is decided as of the moment of the call, so that neither the
// window nor the rule's end moves while the job waits.
func jobTrigger(j *completionjobs.Job) ruletypes.Trigger {
	return ruletypes.Trigger{
		Name: "completion by a job", Moment: store.Time(j.CreatedAt), Job: j, CountsRefusals: true,
	}
}

// EventOrRun triggers completions that no call asks for: an event that a rule waits for, or a run on its schedule. It
// is stored with payments that external ledgers are asked to accept.
type EventOrRun struct {
	Kind          decision.TriggerKind `json:"By"`
	At            time.Time            // the moment as of which the completion is decided
	PreviousRunAt time.Time            `json:"Since"` // zero: events, and the first run of a rule
	Window        string               // the key of the window that a payment closes, in place of the interval's
	// Event is the event of a contract; nil: none.
	Event *ruletypes.ContractEvent `json:",omitempty"`
}

// trigger returns the trigger of completions by the event or run.
func (o *EventOrRun) trigger() ruletypes.Trigger {
	name := "completion by an event"
	if o.Kind == decision.TriggerRun {
		name = "completion by a run"
	}
	return ruletypes.Trigger{
		Name: name, Kind: o.Kind, Moment: o.At, PreviousRunAt: o.PreviousRunAt, Window: o.Window, HasFixedWindow: true,
		Event: o.Event,
	}
}

// eventOrRunOf returns the event or run of a trigger; nil if it is another trigger.
func eventOrRunOf(t *ruletypes.Trigger) *EventOrRun {
	if t.Kind != decision.TriggerEvent && t.Kind != decision.TriggerRun {
		return nil
	}
	return &EventOrRun{
		Kind: t.Kind, At: t.Moment, PreviousRunAt: t.PreviousRunAt, Window: t.Window, Event: t.Event,
	}
}
