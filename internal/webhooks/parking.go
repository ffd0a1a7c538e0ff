package webhooks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/store"
)

const (
	// describeTries is how often an event is described before it is parked: with others, then by itself, then once more.
	describeTries = 3
	describePause = 250 * time.Millisecond // before each but the first
	// maxData bounds the data of an event, in bytes. No record that the API accepts comes near it.
	maxData = 1 << 20
)

// The reasons why an event is not sent, as its attempts show them. The log has the cause.
var (
	errUndescribed = errors.New("the event could not be described, so it was not sent; the log of the server has the reason, under the id of the event")
	errGone        = errors.New("the record of the event is gone")
	errUndecoded   = errors.New("the change describes its record in an unknown form")
)

// description is the data of an event, or the fault because of which it could not be loaded. With neither, the change
// makes no event.
type description struct {
	data  json.RawMessage
	fault error
}

// describer loads the event data of changes of one website. A fault of the database stops it, and all changes are tried
// again later. Any other fault, panics included, belongs to one change: the others are loaded without it.
type describer struct {
	load    Load
	scope   laurel.Scope
	changes []feed.Change
	out     []description
}

// describe loads the event data of changes of one website, and returns for each change, in their order, the data or the
// fault. A change that fails is tried describeTries times in all. Errors: faults of the database, because of which all
// changes are tried again later, and the end of ctx.
func (s *Service) describe(
	ctx context.Context,
	scope laurel.Scope,
	changes []feed.Change,
) ([]description, error) {
	d := &describer{load: s.Load, scope: scope, changes: changes, out: make([]description, len(changes))}
	indexes := make([]int, len(changes)) // of the changes that are still to be described
	for i := range indexes {
		indexes[i] = i
	}
	for try := 1; len(indexes) > 0 && try <= describeTries; try++ {
		if try > 1 {
			select {
			case <-time.After(describePause):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		var err error
		if indexes, err = d.describePart(ctx, indexes); err != nil {
			return nil, err
		}
	}
	return d.out, nil
}

// describePart loads the event data of the changes at the indexes, sets their descriptions, and returns the indexes of
// those that fail. If the changes fail together, it tries each half by itself, until single changes are left. Errors:
// faults of the database, and the end of ctx.
func (d *describer) describePart(ctx context.Context, indexes []int) (failed []int, err error) {
	changes := make([]feed.Change, len(indexes))
	for i, index := range indexes {
		changes[i] = d.changes[index]
	}
	data, err := panics.Try(func() ([]json.RawMessage, error) { return d.load(ctx, d.scope, changes) })
	if err == nil && len(data) != len(indexes) {
		err = fmt.Errorf("%d changes were described as %d", len(indexes), len(data))
	}
	switch {
	case err == nil:
		for i, index := range indexes {
			d.out[index] = boundedDescription(data[i])
		}
		return nil, nil
	case ctx.Err() != nil, store.IsFault(err):
		return nil, err
	case len(indexes) == 1:
		d.out[indexes[0]].fault = err
		return indexes, nil
	}
	half := len(indexes) / 2
	if failed, err = d.describePart(ctx, indexes[:half]); err != nil {
		return nil, err
	}
	others, err := d.describePart(ctx, indexes[half:])
	return append(failed, others...), err
}

// boundedDescription returns the description with the data, or with the fault that it has more than maxData bytes.
func boundedDescription(data json.RawMessage) description {
	if len(data) > maxData {
		return description{fault: sizeError(len(data))}
	}
	return description{data: data}
}

// sizeError is the fault of an event whose data has so many bytes.
type sizeError int

func (n sizeError) Error() string {
	return fmt.Sprintf("the event says %d bytes: at most %d are sent", int(n), maxData)
}

// publicReason returns the reason that the attempt of a parked event shows to its tenant. Causes that may contain
// details of the operator's systems stay in the log.
func publicReason(fault error) string {
	var size sizeError
	if errors.As(fault, &size) || errors.Is(fault, errGone) || errors.Is(fault, errUndecoded) {
		return fault.Error()
	}
	return errUndescribed.Error()
}

// parkedChange is the part of a change that is stored to describe it later.
type parkedChange struct {
	Entity laurel.ID       `json:"entity"`
	Data   json.RawMessage `json:"data"`
	Reason string          `json:"reason,omitempty"` // see publicReason
}

// park makes the event, whose data cannot be loaded, a parked one: it stores as much of the change as is needed to load
// the data later, and the fault. A parked event gets failed deliveries, and later events are not delayed by it.
func (n *fanoutEvent) park(c feed.Change, fault error) {
	stored := parkedChange{Entity: c.EntityID, Data: c.Data, Reason: publicReason(fault)}
	if errors.Is(fault, errUndecoded) {
		stored.Data = nil // it may be no JSON
	}
	text := string(store.JSON(stored))
	n.fault, n.event.Data, n.event.Parked = fault, json.RawMessage("null"), &text
}

// logParked counts and logs the parked events of the list, each in a line. Of faults that are panics, only the first is
// logged with its stack.
func (s *Service) logParked(list []fanoutEvent) {
	hasStack := false
	for _, n := range list {
		if n.fault == nil {
			continue
		}
		s.metrics.parked.Inc()
		text := panics.Line(n.fault)
		if errors.Is(n.fault, panics.ErrCaught) && !hasStack {
			hasStack, text = true, n.fault.Error()
		}
		s.log.Error("an event cannot be described; it is kept as failed and can be redelivered",
			slog.String("event", n.event.ID.String()), slog.String("type", n.event.Type),
			slog.String("website", n.event.WebsiteID.String()), slog.String("error", text))
	}
}

// failedDelivery returns the delivery of a parked event as failed, and an attempt at the moment at that shows the
// reason.
func failedDelivery(d deliveryRow, reason string, at time.Time) (deliveryRow, deliveryAttempt) {
	d.Attempts++
	d.Status, d.CallFailed, d.CallDue, d.DueAt, d.RedeliverFrom = statusFailed, true, nil, nil, ""
	return d, deliveryAttempt{Attempt{Number: d.Attempts, At: at, Error: &reason}, &d}
}

// parkedReason returns why a parked event could not be described.
func (r deliveryWithEvent) parkedReason() string {
	var stored parkedChange
	_ = json.Unmarshal([]byte(*r.Parked), &stored) // this package wrote it
	return cmp.Or(stored.Reason, errUndescribed.Error())
}

// change returns the change from which a parked event was made.
func (r deliveryWithEvent) change() (feed.Change, error) {
	var stored parkedChange
	err := json.Unmarshal([]byte(*r.Parked), &stored)
	_, action, _ := strings.Cut(r.Type, ".")
	return feed.Change{
		Seq: r.Position, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, EntityID: stored.Entity,
		Table: feed.Table(r.Table), Action: feed.Action(action), Data: stored.Data, At: store.Time(r.TriggeredAt),
	}, err
}

// describeParked returns the due deliveries that can be sent. For a delivery of a parked event, which a caller has
// requested again, it first tries again to load the event's data. If that fails, it adds the delivery to the batch, as
// failed.
func (s *Service) describeParked(
	ctx context.Context, batch *deliveryBatch, due []deliveryWithEvent,
) ([]deliveryWithEvent, error) {
	var out []deliveryWithEvent
	for _, d := range due {
		if d.Parked == nil {
			out = append(out, d)
			continue
		}
		change, err := d.change()
		if err != nil {
			return nil, err
		}
		scope := laurel.Scope{OrganizationID: d.OrganizationID, WebsiteID: d.WebsiteID, Role: laurel.RoleWebsite}
		found, err := s.describe(ctx, scope, []feed.Change{change})
		if err != nil {
			return nil, err
		}
		one := found[0]
		if one.fault == nil && one.data == nil {
			one.fault = errGone
		}
		if one.fault != nil {
			s.logParked([]fanoutEvent{{event: eventRow{Event: d.event(), WebsiteID: d.WebsiteID}, fault: one.fault}})
			row, attempt := failedDelivery(d.deliveryRow, publicReason(one.fault), s.DB.Now())
			batch.finished, batch.attempts = append(batch.finished, row), append(batch.attempts, attempt)
			continue
		}
		err = s.DB.InTx(ctx, func(tx *store.Tx) error { return saveDescription(ctx, tx, d.EventID, one.data) })
		if err != nil {
			return nil, err
		}
		d.Data, d.Parked = string(one.data), nil
		out = append(out, d)
	}
	return out, nil
}
