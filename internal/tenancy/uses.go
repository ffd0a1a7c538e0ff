package tenancy

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	minWriteInterval = time.Minute // how often the last use of a key is written at most
	flushInterval    = 5 * time.Second
	flushTimeout     = 5 * time.Second
	flushBatch       = 200 // keys in one transaction, so that requests never wait long behind it
)

// lastUses remembers when keys were last used, so that requests do not wait for it to be written.
type lastUses struct {
	mu   sync.Mutex
	keys map[laurel.ID]keyTimes
}

// keyTimes is when a key was last used, and which use was last written to the database.
type keyTimes struct{ at, written time.Time }

// keyUse is the last use of a key.
type keyUse struct {
	key laurel.ID
	at  time.Time
}

func newUses() *lastUses { return &lastUses{keys: map[laurel.ID]keyTimes{}} }

// recordUse remembers that a key is used now.
func (u *lastUses) recordUse(key laurel.ID, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	v := u.keys[key]
	v.at = now
	u.keys[key] = v
}

// usesToWrite returns the last uses that are to be written: those of keys that were used at least minWriteInterval
// after their use in the database. They are sorted by key, so that nodes that write at once cannot deadlock. It forgets
// keys that are no longer used.
func (u *lastUses) usesToWrite(now time.Time) []keyUse {
	u.mu.Lock()
	defer u.mu.Unlock()
	var list []keyUse
	for key, v := range u.keys {
		switch {
		case v.at.Sub(v.written) >= minWriteInterval:
			list = append(list, keyUse{key, v.at})
		case now.Sub(v.at) > 2*minWriteInterval:
			delete(u.keys, key)
		}
	}
	slices.SortFunc(list, func(a, b keyUse) int { return bytes.Compare(a.key[:], b.key[:]) })
	return list
}

// markWritten remembers that these uses are written to the database.
func (u *lastUses) markWritten(list []keyUse) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, w := range list {
		v := u.keys[w.key]
		v.written = w.at
		u.keys[w.key] = v
	}
}

// Run writes the last uses of keys every flushInterval, and once more when ctx ends; then it returns. After a failure
// the next round tries again.
func (s *Service) Run(ctx context.Context) {
	const fault = "last use of API keys not written"
	worker.Loop{Every: flushInterval, DelayFirst: true, Log: s.log, Fault: fault}.RunEach(ctx, s.flushUses)
	if err := panics.Safely(func() error { return s.flushUses(context.WithoutCancel(ctx)) }); err != nil {
		s.log.LogAttrs(ctx, worker.LogLevel(err, slog.LevelWarn), fault, slog.Any("error", err))
	}
}

// flushUses writes the last uses of keys to the database, flushBatch in each transaction.
func (s *Service) flushUses(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, flushTimeout)
	defer cancel()
	for batch := range slices.Chunk(s.uses.usesToWrite(s.db.Now()), flushBatch) {
		err := s.db.InTx(ctx, func(tx *store.Tx) error { return writeUses(ctx, tx, batch) })
		if err != nil {
			return err
		}
		s.uses.markWritten(batch)
	}
	return nil
}
