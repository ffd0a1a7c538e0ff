package messages

import (
	"context"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// outboxRetention is how long the outbox stores messages.
const outboxRetention = 24 * time.Hour

// Stored is a message in the outbox: it was not sent, since the server runs in development without a gateway.
type Stored struct {
	ID             laurel.ID        `db:"id" json:"-"`
	OrganizationID laurel.ID        `db:"organization_id" json:"-"`
	WebsiteID      laurel.ID        `db:"website_id" json:"-"`
	Kind           Kind             `db:"kind" json:"-"`
	Recipient      string           `db:"recipient" json:"-"`
	Subject        string           `db:"subject" json:"-"` // of an e-mail
	Content        string           `db:"content" json:"-"`
	CreatedAt      laurel.Timestamp `db:"created_at" json:"-"`
}

// outbox stores messages in place of a gateway.
type outbox struct{ service *Service }

// send stores a message and logs it, with its text: only in development is there an outbox.
func (o outbox) send(ctx context.Context, scope laurel.Scope, m Message) error {
	err := o.service.DB.InTx(ctx, func(tx *store.Tx) error {
		_, err := outboxMessages.Insert(ctx, tx, &Stored{
			ID: tx.NewID(), OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, Kind: m.Kind, Recipient: m.To,
			Subject: m.Subject, Content: m.Text, CreatedAt: laurel.Timestamp{Time: tx.Now()},
		}, "")
		return err
	})
	if err == nil {
		o.service.Logger.InfoContext(ctx, "development: a message lies in the outbox",
			slog.String("kind", string(m.Kind)), slog.String("to", m.To), slog.String("text", m.Text))
	}
	return err
}

// HasOutbox reports whether messages of some kind are stored in the outbox and not sent.
func (s *Service) HasOutbox() bool { return s.HasOutboxOf(SMS) || s.HasOutboxOf(Email) }

// HasOutboxOf reports whether messages of the kind are stored in the outbox and not sent.
func (s *Service) HasOutboxOf(kind Kind) bool {
	_, ok := s.gateways[kind].(outbox)
	return ok
}

// ListOutbox returns the messages of the scope's website in the outbox, newest first. Errors: Invalid for an unknown
// cursor.
func (s *Service) ListOutbox(
	ctx context.Context, scope laurel.Scope, page laurel.PageRequest,
) (laurel.Page[Stored], error) {
	return outboxMessages.Page(ctx, s.DB, newestOutbox(scope), page)
}
