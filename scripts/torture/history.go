package main

import (
	"slices"
	"sync"
	"time"
)

// state is one state that something was asked to take.
type state[T any] struct {
	is    T
	sent  time.Time
	acked time.Time // zero: it is not known whether it came to be
}

// history is every state that one thing may have had: what a rule said, whose group somebody was in, who was blocked.
type history[T comparable] struct {
	changing sync.Mutex // changes of one thing come one after the other

	mu     sync.Mutex
	states []state[T]
}

// begin is the state that a thing was made with.
func (h *history[T]) begin(is T) { h.states = []state[T]{{is: is, acked: time.Now()}} }

// statesAt returns the states that may have been in force for an entry of that time. A transaction takes its time
// before it locks what it reads and lasts at most some seconds, so states that were asked for shortly afterwards count
// too.
func (h *history[T]) statesAt(t time.Time) []T { return h.statesBetween(t, t) }

// statesBetween returns the states that may have been in force for anything from one moment to another.
func (h *history[T]) statesBetween(from, to time.Time) []T {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []T
	for _, s := range h.states {
		if !s.acked.IsZero() && s.acked.Before(from.Add(-50*time.Millisecond)) {
			out = out[:0] // all before it are over
		}
		if s.sent.Before(to.Add(5 * time.Second)) {
			out = append(out, s.is)
		}
	}
	return out
}

// isCertain reports whether it was that state, and no other, for an entry of that time.
func (h *history[T]) isCertain(is T, t time.Time) bool { return allEqual(is, h.statesAt(t)) }

func allEqual[T comparable](is T, states []T) bool {
	return len(states) > 0 && !slices.ContainsFunc(states, func(s T) bool { return s != is })
}

// change asks for the state that next makes of the present one, unless somebody else is at it.
func (h *history[T]) change(next func(T) T, ask func(T) outcome) {
	if !h.changing.TryLock() {
		return
	}
	defer h.changing.Unlock()
	h.mu.Lock()
	is := next(h.states[len(h.states)-1].is)
	mine := len(h.states)
	h.states = append(h.states, state[T]{is: is, sent: time.Now()})
	h.mu.Unlock()
	holds := ask(is)
	h.mu.Lock()
	defer h.mu.Unlock()
	switch holds {
	case done:
		h.states[mine].acked = time.Now()
	case unsent, refused:
		h.states = h.states[:mine]
	}
}

func (h *history[T]) latest() T {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.states[len(h.states)-1].is
}
