package tenancy

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"laurel"
	"laurel/internal/panics"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	useEvery   = time.Minute // how often the last use of a key is written at most
	flushEvery = 5 * time.Second
	flushLimit = 5 * time.Second
	flushBatch = 200 // keys in one transaction, so that requests never wait long behind it
)

// lastUses remembers when keys were last used, so that requests do not wait for it to be written.
type lastUses struct {
	mu   sync.Mutex
	keys map[laurel.ID]use
}

type use struct{ at, written time.Time }

type keyUse struct {
	key laurel.ID
	at  time.Time
}

func newUses() *lastUses { return &lastUses{keys: map[laurel.ID]use{}} }

func (u *lastUses) record(key laurel.ID, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	v := u.keys[key]
	v.at = now
	u.keys[key] = v
}

// due returns the uses to write, sorted by key, so that nodes that write at once cannot deadlock. It drops keys that
// are no longer used.
func (u *lastUses) due(now time.Time) []keyUse {
	u.mu.Lock()
	defer u.mu.Unlock()
	var list []keyUse
	for key, v := range u.keys {
		switch {
		case v.at.Sub(v.written) >= useEvery:
			list = append(list, keyUse{key, v.at})
		case now.Sub(v.at) > 2*useEvery:
			delete(u.keys, key)
		}
	}
	slices.SortFunc(list, func(a, b keyUse) int { return bytes.Compare(a.key[:], b.key[:]) })
	return list
}

func (u *lastUses) markWritten(list []keyUse) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, w := range list {
		v := u.keys[w.key]
		v.written = w.at
		u.keys[w.key] = v
	}
}

// Run writes the last uses of keys every few seconds, and once more when ctx ends; then it returns. After a failure
// the next round tries again.
func (s *Service) Run(ctx context.Context) {
	const fault = "last use of API keys not written"
	worker.Loop{Every: flushEvery, DelayFirst: true, Log: s.log, Fault: fault}.RunEach(ctx, s.flushUses)
	if err := panics.Safely(func() error { return s.flushUses(context.WithoutCancel(ctx)) }); err != nil {
		s.log.LogAttrs(ctx, worker.LogLevel(err, slog.LevelWarn), fault, slog.Any("error", err))
	}
}

func (s *Service) flushUses(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, flushLimit)
	defer cancel()
	for batch := range slices.Chunk(s.uses.due(s.db.Now()), flushBatch) {
		err := s.db.InTx(ctx, func(tx *store.Tx) error { return writeUses(ctx, tx, batch) })
		if err != nil {
			return err
		}
		s.uses.markWritten(batch)
	}
	return nil
}
