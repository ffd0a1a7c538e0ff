package catalog

import (
	"time"

	"laurel.example/laurel/internal/store"
)

// State is the phase of a rule in its schedule: before its start, active, or ended.
type State string

// The states.
const (
	StateActive    State = "active"
	StateScheduled State = "scheduled" // it has not started yet
	StateEnded     State = "ended"
)

// State returns whether the rule is Scheduled, Active or Ended at a moment.
func (r *Rule) State(at time.Time) State {
	switch {
	case r.EndTime != nil && !at.Before(r.EndTime.Time):
		return StateEnded
	case r.StartTime != nil && at.Before(r.StartTime.Time):
		return StateScheduled
	}
	return StateActive
}

// narrow adds the condition for rules in the state to a query. The empty state adds nothing.
func (s State) narrow(w *store.Where, now int64) {
	switch s {
	case StateEnded:
		w.Add("end_time <= ?", now)
	case StateScheduled:
		w.Add("start_time > ? AND (end_time IS NULL OR end_time > ?)", now, now)
	case StateActive:
		w.Add("(start_time IS NULL OR start_time <= ?) AND (end_time IS NULL OR end_time > ?)", now, now)
	}
}
