package webhooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/feed"
)

// describedBy is how events are described, which a test changes while the server runs.
type describedBy struct {
	mu  sync.Mutex
	say func(c feed.Change) (json.RawMessage, error) // nil: as the server does
}

// says has every change described by say from now on, one by one; nil: as the server does.
func (d *describedBy) says(say func(c feed.Change) (json.RawMessage, error)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.say = say
}

func describer(s *apptest.Server) *describedBy {
	d := &describedBy{}
	usual := s.App.Webhooks.Load
	s.App.Webhooks.Load = func(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
		d.mu.Lock()
		say := d.say
		d.mu.Unlock()
		out, err := usual(ctx, scope, changes)
		for i, c := range changes {
			if say == nil || err != nil {
				break
			}
			var one json.RawMessage
			if one, err = say(c); one != nil {
				out[i] = one
			}
		}
		return out, err
	}
	return d
}

// poisons are ways in which one event cannot be described, and what its attempt says.
var poisons = map[string]struct {
	say    func() (json.RawMessage, error)
	reason string
}{
	"a panic":             {func() (json.RawMessage, error) { panic("no such thing") }, "could not be described"},
	"an error":            {func() (json.RawMessage, error) { return nil, errors.New("secret cause") }, "could not be described"},
	"a record too large":  {func() (json.RawMessage, error) { return json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`), nil }, "at most 1048576"},
	"a refusal of a call": {func() (json.RawMessage, error) { return nil, laurel.Missing("Rule") }, "could not be described"},
}

func TestAnEventThatCannotBeDescribedIsKeptAsFailedAndWhatIsBehindItGoesOn(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		d := describer(s)
		sub := s.Subscribe(r.URL, nil, "LoyaltyRule")
		path := subscriptions + "/" + sub["id"].(string) + "/events"
		for name, poison := range poisons {
			d.says(nil)
			bad := s.Rule("external_rule", nil)
			d.says(func(c feed.Change) (json.RawMessage, error) {
				if c.EntityID.String() == bad {
					return poison.say()
				}
				return nil, nil
			})
			good := s.Rule("external_rule", nil)
			s.DeliverEvents()
			calls := r.TakeCalls()
			if len(calls) != 1 || !strings.Contains(calls[0].Body, good) {
				t.Fatalf("%s: of two rules only the good one is sent: %v", name, calls)
			}
			events := s.Get(path + "?limit=2").Data()
			e := events[0]
			if e["status"] != "failed" {
				e = events[1]
			}
			checkParked(t, name, e, poison.reason, "1")
			again := path + "/" + e["id"].(string) + "/redeliver"
			s.Post(again, object{}).OK()
			s.DeliverEvents()
			if calls := r.TakeCalls(); len(calls) > 0 {
				t.Errorf("%s: it is sent: %v", name, calls)
			}
			checkParked(t, name, s.Get(path + "?status=failed&limit=1").Data()[0], poison.reason, "2")
			d.says(nil)
			s.Post(again, object{}).OK()
			s.DeliverEvents()
			calls = r.TakeCalls()
			if len(calls) != 1 || !strings.Contains(calls[0].Body, bad) || calls[0].ID() != e["id"] {
				t.Errorf("%s: once it can be described it is sent: %v", name, calls)
			}
			if n := len(s.Get(path + "?status=failed").Data()); n != 0 {
				t.Errorf("%s: %d events are failed at the end", name, n)
			}
		}
	})
}

func checkParked(t *testing.T, name string, e object, reason, attempts string) {
	t.Helper()
	if e["status"] != "failed" || fmt.Sprint(e["attempts"]) != attempts || e["nextAttemptAt"] != nil || e["callback"] == nil {
		t.Fatalf("%s: %v", name, e)
	}
	response := e["callback"].(object)["response"].(object)
	text, _ := response["error"].(string)
	if !strings.Contains(text, reason) || strings.Contains(text, "secret") || response["status"] != nil {
		t.Errorf("%s: %v", name, response)
	}
	if payload := e["payload"].(object); payload["data"] != nil || payload["id"] != e["id"] {
		t.Errorf("%s: %v", name, payload)
	}
}

// What the database could not do is tried again, as often as it takes, and parks nothing.
func TestAFaultOfTheDatabaseParksNothing(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		d := describer(s)
		sub := s.Subscribe(r.URL, nil, "LoyaltyRule")
		s.Rule("external_rule", nil)
		var asked atomic.Int64
		d.says(func(feed.Change) (json.RawMessage, error) {
			switch n := asked.Add(1); {
			case n > 3:
				return nil, nil
			case n%2 == 0:
				return nil, fmt.Errorf("read: %w", context.DeadlineExceeded)
			default:
				return nil, fmt.Errorf("read: %w", &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable"})
			}
		})
		s.DeliverEvents()
		if calls := r.TakeCalls(); len(calls) != 1 || asked.Load() < 4 {
			t.Errorf("%d calls after %d tries", len(calls), asked.Load())
		}
		if e := event(s, sub); e["status"] != "delivered" {
			t.Errorf("%v", e)
		}
	})
}

// An event of a record that is gone fires nothing, and one whose change is no object is parked.
func TestChangesOfRecordsThatAreGoneOrOfNoKnownForm(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		sub := s.Subscribe("", nil, "LoyaltyRule", "User")
		bad := s.Rule("external_rule", nil)
		gone := s.Rule("external_rule", nil)
		s.User("cust_9", nil)
		db.Exec("UPDATE changes SET changes = replace(changes, '\"e\":\"" + gone + "\"', '\"e\":\"" + apptest.UnknownID + "\"')")
		db.Exec("UPDATE changes SET changes = replace(changes, '\"e\":\"" + bad + "\"', '\"e\":\"" + bad + "\",\"d\":7')")
		s.DeliverEvents()
		var got []string
		for _, e := range s.Get(subscriptions + "/" + sub["id"].(string) + "/events").Data() {
			got = append(got, fmt.Sprint(e["type"], " ", e["status"]))
		}
		if want := "[User.created skipped LoyaltyRule.created failed]"; fmt.Sprint(got) != want {
			t.Errorf("%v, want %s", got, want)
		}
	})
}
