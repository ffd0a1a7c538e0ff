package tenancy

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
	"unicode/utf8"

	"laurel"
	"laurel/internal/store"
)

const (
	requestLife   = 24 * time.Hour // contract 1.8.1
	maxRequestKey = 255
	pollEvery     = 50 * time.Millisecond
	storeLimit    = 5 * time.Second // for keeping an answer whose caller may be gone
)

// RequestInput names a request that carries an Idempotency-Key (contract 1.8.1).
type RequestInput struct {
	KeyID laurel.ID // of the API key
	// Member names whose keys these are, without spaces, where members share the API key: a publishable key stands in
	// every page (contract 1.8.1). Empty: the API key's own.
	Member string
	Key    string // the header's value
	Path   string
	Hash   string // of the body
}

// name is what the key is stored under. An API key either has members for all its requests or for none, so no two names
// meet.
func (in RequestInput) name() string {
	if in.Member == "" {
		return in.Key
	}
	return in.Member + " " + in.Key
}

// Replay is the answer to give instead of running the request (again).
type Replay struct {
	Status int
	Body   string
}

// Request is a request that runs under its Idempotency-Key. Finish must be called once, whatever becomes of the
// request.
type Request struct {
	service *Service
	key     *laurel.RequestKey
	done    chan struct{}
}

// BeginRequest returns a Request to run, or a Replay to give instead. A request that runs in this process under the
// same key is waited for, an effect whose answer is lost is replayed as "Already carried out". Errors: Invalid for a
// key that is not 1 to 255 characters, Refused for a key used with another path or body, RateLimited when the running
// request takes too long.
func (s *Service) BeginRequest(ctx context.Context, in RequestInput) (*Request, *Replay, error) {
	if err := in.validate(); err != nil {
		return nil, nil, err
	}
	r := &Request{
		service: s,
		key:     &laurel.RequestKey{APIKeyID: in.KeyID, Key: in.name(), Path: in.Path, Hash: in.Hash},
		done:    make(chan struct{}),
	}
	if err := s.running.acquire(ctx, r, s.requestWait); err != nil {
		return nil, nil, err
	}
	replay, err := s.replay(ctx, r.key)
	if err != nil || replay != nil {
		s.running.release(r)
		return nil, replay, err
	}
	return r, nil, nil
}

func (in RequestInput) validate() error {
	var f laurel.Faults
	if n := utf8.RuneCountInString(in.Key); n < 1 || n > maxRequestKey {
		f.Add("Idempotency-Key", "must be between 1 and %d characters", maxRequestKey)
	} else {
		f.Text("Idempotency-Key", in.Key, 0, maxRequestKey)
	}
	return f.Err()
}

// Key is what the transaction of the request's effect claims (store.DB.Write). What is committed before the effect,
// such as a user that is made on the way, leaves it alone.
func (r *Request) Key() *laurel.RequestKey { return r.key }

// Finish keeps the answer of a request that succeeded (status below 300; without its secrets) and lets those go on that
// wait for it. err is the error that the request ended with, if any. Where another node carried out the same request
// first, Finish answers the Replay to give, or Refused or RateLimited like BeginRequest. In every other case it returns
// neither, and the request's own answer stands: also when it could not be kept, because its effect is committed.
func (r *Request) Finish(ctx context.Context, status int, body string, err error) (*Replay, error) {
	defer r.service.running.release(r)
	if errors.Is(err, store.ErrDuplicateRequest) {
		return r.replayOfDuplicate(ctx)
	}
	// The caller may have gone; its repetition shall find the answer all the same.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeLimit)
	defer cancel()
	var storeErr error
	switch {
	case err == nil && status < 300:
		storeErr = r.service.db.StoreResponse(ctx, r.key, status, body)
	case isRefusal(status, err) && r.key.Claimed:
		// A refusal promises that nothing happened: the same key may try again.
		storeErr = r.service.deleteRequestKey(ctx, store.KeyIDOf(r.key), time.Microsecond)
	}
	if storeErr != nil {
		r.service.log.Warn("the answer to an Idempotency-Key was not kept", slog.Any("error", storeErr))
	}
	return nil, nil
}

func isRefusal(status int, err error) bool {
	if err == nil {
		return status >= 400 && status < 500
	}
	switch laurel.CodeOf(err) {
	case laurel.Invalid, laurel.Refused, laurel.Forbidden, laurel.NotFound, laurel.RateLimited:
		return true
	}
	return false
}

func (r *Request) replayOfDuplicate(ctx context.Context) (*Replay, error) {
	replay, err := r.service.replay(ctx, r.key)
	if err == nil && replay == nil { // the other one was refused after all: the caller may try again
		err = stillRunning()
	}
	return replay, err
}

// replay returns what the key led to, nil where it was never used or is forgotten.
func (s *Service) replay(ctx context.Context, key *laurel.RequestKey) (*Replay, error) {
	response, err := s.awaitResponse(ctx, key)
	switch {
	case store.NoRows(err):
		return nil, nil
	case err != nil:
		return nil, err
	case response.Path != key.Path || response.Hash != key.Hash:
		return nil, otherRequest()
	case response.Status == 0:
		return &Replay{Status: 200, Body: `{"message":"Already carried out"}`}, nil
	}
	return &Replay{Status: response.Status, Body: response.Body}, nil
}

// awaitResponse waits a while for an answer that is missing: its node may be about to store it. When the effect is
// older than that, the node has died between the two.
func (s *Service) awaitResponse(ctx context.Context, key *laurel.RequestKey) (store.StoredResponse, error) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for waited := time.Duration(0); ; waited += pollEvery {
		response, err := s.db.FindResponse(ctx, store.KeyIDOf(key))
		if err != nil {
			return response, err
		}
		age := s.db.Now().Sub(store.Time(response.CreatedAt))
		if age >= requestLife {
			if err := s.deleteRequestKey(ctx, store.KeyIDOf(key), -requestLife+time.Microsecond); err != nil {
				return response, err
			}
			continue
		}
		if response.Status != 0 || age >= s.responseWait || waited >= s.responseWait || response.Path != key.Path ||
			response.Hash != key.Hash {
			return response, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return response, ctx.Err()
		}
	}
}

// deleteRequestKey removes the key unless it was written later than now plus the offset.
func (s *Service) deleteRequestKey(ctx context.Context, id store.KeyID, offset time.Duration) error {
	return s.db.DeleteOldRequestKey(ctx, id, s.db.Now().Add(offset))
}

// DeleteOldRequestKeys removes keys older than the 24 hours for which a replay is promised. It is for a periodic
// worker.
func (s *Service) DeleteOldRequestKeys(ctx context.Context) error {
	return s.db.DeleteOldRequestKeys(ctx, s.db.Now().Add(-requestLife))
}

func otherRequest() error {
	return laurel.Errorf(laurel.Refused, "Idempotency-Key was already used with a different request")
}

func stillRunning() error {
	return &laurel.Error{Code: laurel.RateLimited, Message: "Too many requests, please try again later.", RetryAfter: 1}
}

// runningRequests holds the requests of this process that have a key, at most one per key.
type runningRequests struct {
	mu   sync.Mutex
	byID map[store.KeyID]*Request
}

func newRunningRequests() *runningRequests { return &runningRequests{byID: map[store.KeyID]*Request{}} }

// acquire waits until no other request runs under the key, then takes its place.
func (m *runningRequests) acquire(ctx context.Context, r *Request, wait time.Duration) error {
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	for {
		other := m.tryAcquire(r)
		if other == nil {
			return nil
		}
		if other.key.Path != r.key.Path || other.key.Hash != r.key.Hash {
			return otherRequest()
		}
		select {
		case <-other.done:
		case <-timeout.C:
			return stillRunning()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (m *runningRequests) tryAcquire(r *Request) (other *Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if other = m.byID[store.KeyIDOf(r.key)]; other == nil {
		m.byID[store.KeyIDOf(r.key)] = r
	}
	return other
}

func (m *runningRequests) release(r *Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.byID[store.KeyIDOf(r.key)] == r {
		delete(m.byID, store.KeyIDOf(r.key))
		close(r.done)
	}
}
