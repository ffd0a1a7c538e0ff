package app_test

import (
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// timesOf lists the places of an operation that take a date-time: parameters and properties of the body.
func timesOf(document object, op operation) (places []place) {
	isTime := func(described object) bool { return described["format"] == "date-time" }
	described := document["paths"].(object)[op.path].(object)[strings.ToLower(op.method)].(object)
	for _, p := range items(described["parameters"]) {
		if schema, _ := p.(object)["schema"].(object); isTime(schema) {
			places = append(places, place{in: p.(object)["in"].(string), name: p.(object)["name"].(string)})
		}
	}
	for _, path := range pathsIn(document, bodyOf(document, op), "", isTime) {
		places = append(places, place{in: "body", name: path})
	}
	return places
}

// timed is a valid call with a place for a time.
type timed struct {
	*visitor
	place place
}

// timedCalls prepares a call for each place of an operation that takes a date-time.
func (t *tenant) timedCalls(document object, op operation) (calls []timed) {
	kind := op.visit.keys[min(1, len(op.visit.keys)-1)]
	for _, p := range timesOf(document, op) {
		calls = append(calls, timed{t.visit(op, kind), p})
	}
	return calls
}

// sendAt sends the call with a time at its place.
func (c timed) sendAt(time string) apptest.Response {
	c.mean(c.place, time)
	return c.send(c.key(c.kind))
}

// Inside, the zero time means that there is none: an offer that was to end in the year 1 would never end.
func TestTheZeroTimeIsRefusedWhereverATimeIsSent(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		acme, document := settle(s, called("acme")), s.Get("/openapi.json").OK()
		var calls []timed
		for _, op := range operations(s) {
			calls = append(calls, acme.timedCalls(document, op)...)
		}
		if len(calls) < 50 {
			t.Errorf("only %d times are sent", len(calls))
		}
		before := acme.everything()
		for _, c := range calls {
			for _, zero := range []string{"0001-01-01", "0001-01-01T00:00:00Z", "0001-01-01T02:00:00.0009+02:00"} {
				message := c.place.name + " must be after 0001-01-01T00:00:00Z"
				got := c.sendAt(zero)
				isNamed := slices.ContainsFunc(items(got.JSON()["errors"]), func(fault any) bool {
					return fault.(object)["path"] == c.place.name && fault.(object)["message"] == message
				})
				if got.Status != 400 || !isNamed {
					t.Errorf("%s %s, %s %s: %d %.300s", c.op.method, c.op.path, c.place.name, zero, got.Status, got.Body)
				}
			}
		}
		if acme.everything() != before {
			t.Error("a refused time changed something")
		}
	})
}

// TestTheEpochIsATime creates a record with each of its times at the beginning of 1970, which is stored as 0.
func TestTheEpochIsATime(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		acme, document := settle(s, called("acme")), s.Get("/openapi.json").OK()
		var stored []string
		for _, op := range operations(s) {
			if _, isShown := visits["GET "+op.path+"/{id}"]; op.method != "POST" || !isShown {
				continue
			}
			for _, c := range acme.timedCalls(document, op) {
				made, name := c.sendAt("1970-01-01T00:00:00Z"), c.place.name
				if made.Status == 400 && (strings.Contains(made.Body, name+" must be after ") || // the start
					strings.Contains(made.Body, name+" must be at most 30 days back")) {
					continue
				}
				id, _ := made.JSON()["id"].(string)
				if got := s.Get(op.path + "/" + id).OK()[name]; got != "1970-01-01T00:00:00.000Z" {
					t.Errorf("POST %s stored %s as %v", op.path, name, got)
				}
				stored = append(stored, name)
			}
		}
		if len(stored) < 9 {
			t.Errorf("only %v were stored", stored)
		}
	})
}
