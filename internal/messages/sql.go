package messages

import (
	"context"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var (
	sendings       = store.NewRecords[Sending]("message_sendings", "Message")
	outboxMessages = store.NewRecords[Stored]("outbox_messages", "Message")
)

// newestOutbox lists the messages of a website in the outbox, newest first.
func newestOutbox(scope laurel.Scope) store.List {
	return store.List{
		Where: store.OfTenant(scope), Cursors: store.OfTenant(scope), Order: []string{"created_at", "id"}, Newest: true,
	}
}

// lockSendings makes transactions that count messages to the same address or the same member run one after the other.
func lockSendings(ctx context.Context, tx *store.Tx, s Sending) error {
	prefix := "sendings " + s.WebsiteID.String() + " " + string(s.Kind) + " "
	names := []string{prefix + "to " + s.Address, prefix + "user " + s.UserID.String()}
	slices.SortFunc(names, strings.Compare) // one order for all transactions
	for _, name := range names {
		if err := tx.AdvisoryLock(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// selectTimes reads the times of the sendings after a moment to the same address, or to the same user, as another one.
type selectTimes func(ctx context.Context, tx *store.Tx, s Sending, after time.Time) ([]time.Time, error)

func selectTimesOfAddress(ctx context.Context, tx *store.Tx, s Sending, after time.Time) ([]time.Time, error) {
	return selectTimesWhere(ctx, tx, "website_id = ? AND kind = ? AND recipient = ? AND created_at > ?",
		s.WebsiteID, s.Kind, s.Address, store.Micros(after))
}

func selectTimesOfUser(ctx context.Context, tx *store.Tx, s Sending, after time.Time) ([]time.Time, error) {
	return selectTimesWhere(ctx, tx, "website_id = ? AND kind = ? AND user_id = ? AND created_at > ?",
		s.WebsiteID, s.Kind, s.UserID, store.Micros(after))
}

func selectTimesWhere(ctx context.Context, tx *store.Tx, condition string, args ...any) ([]time.Time, error) {
	var moments []int64
	if err := tx.Select(ctx, &moments, "SELECT created_at FROM message_sendings WHERE "+condition, args...); err != nil {
		return nil, err
	}
	times := make([]time.Time, len(moments))
	for i, m := range moments {
		times[i] = store.Time(m)
	}
	return times, nil
}

func deleteSending(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM message_sendings WHERE id = ?", id)
	return err
}

// deleteChunk bounds the rows that one transaction deletes, so that requests never wait long for it.
const deleteChunk = 1000

// deleteBefore deletes up to deleteChunk rows of a table that were created before a time, and returns how many it has
// deleted.
func deleteBefore(ctx context.Context, tx *store.Tx, table string, before time.Time) (int64, error) {
	return tx.Exec(ctx, "DELETE FROM "+table+" WHERE id IN (SELECT id FROM "+table+
		" WHERE created_at < ? ORDER BY created_at LIMIT ?)", store.Micros(before), deleteChunk)
}
