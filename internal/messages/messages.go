// Package messages sends SMS and e-mail to members through the gateway and the SMTP server of the operator, and limits
// how many one address and one member are sent (contract 1.9). In development, without a gateway, it stores messages in
// an outbox instead, which the dashboard shows. It does not own what messages say and why they are sent.
package messages

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/store"
)

// Kind is the way in which a message travels.
type Kind string

// The kinds of messages.
const (
	SMS   Kind = "sms"
	Email Kind = "email"
)

// label is the name of a kind in refusals (contract 8.8).
func (k Kind) label() string {
	if k == SMS {
		return "Phone"
	}
	return "Email"
}

// Message is a text for one person.
type Message struct {
	Kind    Kind
	To      string // a phone number in E.164 format, or an e-mail address
	Subject string // of an e-mail
	Text    string
}

// Service sends messages. It may be used by many goroutines.
type Service struct {
	Config
	gateways map[Kind]sender
	health   *outbound.Health
}

// sender delivers messages of one kind.
type sender interface {
	// send returns once the gateway has accepted the message. Errors: *failure.
	send(ctx context.Context, scope laurel.Scope, m Message) error
}

// Config holds what New needs.
type Config struct {
	DB     *store.DB
	Now    func() time.Time
	Client *outbound.Client // calls addresses of the operator
	SMS    *Gateway         // nil: there is none
	Email  *Mailer          // nil: there is none
	Limits Limits
	// Outbox stores messages in the outbox if their gateway is missing. It is for development.
	Outbox bool
	Logger *slog.Logger
}

// New returns the service.
func New(c Config) *Service {
	s := &Service{Config: c, gateways: map[Kind]sender{}, health: outbound.NewHealth(c.Now)}
	if c.Outbox {
		s.gateways[SMS], s.gateways[Email] = outbox{s}, outbox{s}
	}
	if c.SMS != nil {
		s.gateways[SMS] = smsSender{c.SMS, c.Client}
	}
	if c.Email != nil {
		s.gateways[Email] = mailSender{c.Email, c.Client}
	}
	return s
}

// CheckConfigured returns Refused "Phone is not configured" or "Email is not configured" if messages of the kind cannot
// be sent.
func (s *Service) CheckConfigured(kind Kind) error {
	if s.gateways[kind] == nil {
		return laurel.Errorf(laurel.Refused, "%s is not configured", kind.label())
	}
	return nil
}

// Send sends a message and waits until the gateway has accepted it. If the gateway certainly got nothing, the sending
// no longer counts against its limits. Errors: Unanswered "Provider …" if the gateway does not accept the message.
func (s *Service) Send(ctx context.Context, scope laurel.Scope, sending Sending, m Message) error {
	if err := s.CheckConfigured(m.Kind); err != nil {
		return err
	}
	err := s.gateways[m.Kind].send(ctx, scope, m)
	var f *failure
	isFailure := errors.As(err, &f)
	switch key := healthKey(m.Kind, scope.WebsiteID); {
	case isFailure && ctx.Err() == nil:
		s.health.Fail(key, f.cause.Error(), f.pausedFor)
	case err == nil:
		s.health.Record(key, nil)
	}
	if !isFailure {
		return err
	}
	if f.isUnsent && !sending.ID.IsZero() {
		if err := s.release(context.WithoutCancel(ctx), sending); err != nil {
			s.Logger.WarnContext(ctx, "a message that was not sent counts against its limits", slog.Any("error", err))
		}
	}
	return fmt.Errorf(
		"%w: %w", &laurel.Error{Code: laurel.Unanswered, Message: f.message, RetryAfter: retryAfterSeconds}, f.cause,
	)
}

const retryAfterSeconds = 5

// failure is the error of a message that the gateway has not accepted.
type failure struct {
	message  string // to callers, without addresses
	cause    error  // for the log, without the message and without credentials
	isUnsent bool   // the gateway certainly got nothing
	// isOfHost says that the failure counts against the gateway, and not against the message.
	isOfHost  bool
	pausedFor time.Duration // how long at most the gateway is left alone; 0: it is not
}

func (f *failure) Error() string { return f.cause.Error() }

// msgRefused is the message to callers whose message the gateway refused, beside those of all providers (contract 8.8).
const msgRefused = "Provider did not accept the message"
