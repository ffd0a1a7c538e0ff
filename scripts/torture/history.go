package main

import (
	"slices"
	"sync"
	"time"
)

// state is one state that something was requested to have.
type state[T any] struct {
	value T
	sent  time.Time
	acked time.Time // when that was acknowledged; zero: it is not known whether it has that state
}

// history has every state that one thing may have had: the properties of a rule, the group of a person, the block mark
// of a house.
type history[T comparable] struct {
	changing sync.Mutex // changes of one thing come one after the other

	mu     sync.Mutex
	states []state[T]
}

// initialize sets the state that the thing was created with.
func (h *history[T]) initialize(is T) { h.states = []state[T]{{value: is, acked: time.Now()}} }

// statesAt returns the states that may have been in force for an entry of that time. A transaction takes its time
// before it locks and reads rows, and lasts at most some seconds, so states that were requested shortly afterwards
// count too.
func (h *history[T]) statesAt(t time.Time) []T { return h.statesBetween(t, t) }

// statesBetween returns the states that may have been in force at any moment from one time to another.
func (h *history[T]) statesBetween(from, to time.Time) []T {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []T
	for _, s := range h.states { // with some tolerance for the time that a transaction takes, see statesAt
		if !s.acked.IsZero() && s.acked.Before(from.Add(-50*time.Millisecond)) {
			out = out[:0] // all before it are over
		}
		if s.sent.Before(to.Add(5 * time.Second)) {
			out = append(out, s.value)
		}
	}
	return out
}

// isCertain reports whether the thing had that state, and no other, for an entry of that time.
func (h *history[T]) isCertain(value T, t time.Time) bool { return allAre(value, h.statesAt(t)) }

// allAre reports whether there are states and all of them are the given one.
func allAre[T comparable](value T, states []T) bool {
	return len(states) > 0 && !slices.ContainsFunc(states, func(s T) bool { return s != value })
}

// tryChange changes the thing: next makes the new state from the latest one, and send requests it. tryChange keeps the
// new state in the history unless send returns unsent or refused. It does nothing while another change of the thing is
// under way.
func (h *history[T]) tryChange(next func(T) T, send func(T) outcome) {
	if !h.changing.TryLock() {
		return
	}
	defer h.changing.Unlock()
	h.mu.Lock()
	value := next(h.states[len(h.states)-1].value)
	index := len(h.states)
	h.states = append(h.states, state[T]{value: value, sent: time.Now()})
	h.mu.Unlock()
	answer := send(value)
	h.mu.Lock()
	defer h.mu.Unlock()
	switch answer {
	case done:
		h.states[index].acked = time.Now()
	case unsent, refused:
		h.states = h.states[:index]
	}
}

// latest returns the state that was requested last.
func (h *history[T]) latest() T {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.states[len(h.states)-1].value
}
