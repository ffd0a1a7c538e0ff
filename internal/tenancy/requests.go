package tenancy

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
	"unicode/utf8"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

const (
	requestLifetime = 24 * time.Hour // contract 1.8.1
	maxRequestKey   = 255
	pollInterval    = 50 * time.Millisecond
	storeTimeout    = 5 * time.Second // for storing a response after its caller may be gone
)

// RequestInput describes a request that carries an Idempotency-Key (contract 1.8.1).
type RequestInput struct {
	KeyID laurel.ID // of the API key
	// Member is the member whose keys these are, without spaces, if many members share the API key: a client key is
	// part of every page (contract 1.8.1). Empty: the keys belong to the API key itself.
	Member string
	Key    string // the header's value
	Path   string
	Hash   string // of the body
}

// name returns the name under which the key is stored. An API key has members for all its requests or for none, so
// names cannot collide.
func (in RequestInput) name() string {
	if in.Member == "" {
		return in.Key
	}
	return in.Member + " " + in.Key
}

// Replay is the response to send instead of running the request again.
type Replay struct {
	Status int
	Body   string
}

// Request is a request that runs under its Idempotency-Key. Finish must be called once, whether the request succeeds
// or fails.
type Request struct {
	service *Service
	key     *laurel.RequestKey
	done    chan struct{}
}

// BeginRequest returns a Request to run, or a Replay to send instead. If a request with the same key runs in this
// process, it waits for that. If the effect was committed but its response is lost, the Replay says "Already carried
// out". Errors: Invalid for a key that is not 1 to 255 characters long, Refused for a key that was used with another
// path or body, RateLimited if the running request takes too long.
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

// validate returns Invalid for an Idempotency-Key that is empty, too long or no valid text.
func (in RequestInput) validate() error {
	var f laurel.Faults
	if n := utf8.RuneCountInString(in.Key); n < 1 || n > maxRequestKey {
		f.Add("Idempotency-Key", "must be between 1 and %d characters", maxRequestKey)
	} else {
		f.Text("Idempotency-Key", in.Key, 0, maxRequestKey)
	}
	return f.Err()
}

// Key returns the key that the transaction with the request's effect claims (store.DB.Write). Transactions before it,
// such as one that creates a user, do not claim it.
func (r *Request) Key() *laurel.RequestKey { return r.key }

// Finish stores the response of a request that succeeded (status below 300; body without secrets) and wakes the
// requests that wait for it. err is the error that the request ended with, if any. If another node has run the same
// request first, Finish returns the Replay to send, or Refused or RateLimited like BeginRequest. In all other cases it
// returns neither, and the request's own response is sent, even if it could not be stored, because its effect is
// committed.
func (r *Request) Finish(ctx context.Context, status int, body string, err error) (*Replay, error) {
	defer r.service.running.release(r)
	if errors.Is(err, store.ErrDuplicateRequest) {
		return r.replayOfDuplicate(ctx)
	}
	if isRefusal(status, err) && !r.key.Claimed { // perhaps for what the same request has changed, on another node
		if replay, err := r.service.replay(ctx, r.key); err != nil || replay != nil {
			return replay, err
		}
	}
	// The caller may be gone, but its retry must find the response.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	var storeErr error
	switch {
	case err == nil && status < 300:
		storeErr = r.service.db.StoreResponse(ctx, r.key, status, body)
	case isRefusal(status, err) && r.key.Claimed:
		// After a refusal nothing has happened, so the same key may be used again.
		storeErr = r.service.deleteRequestKey(ctx, store.KeyIDOf(r.key), time.Microsecond /* also a key claimed just now */)
	}
	if storeErr != nil {
		r.service.log.Warn("the response to an Idempotency-Key was not stored", slog.Any("error", storeErr))
	}
	return nil, nil
}

// isRefusal reports whether a request ended with an error of the caller, and so has changed nothing. If err is not nil,
// its code decides, else the status of the response.
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

// replayOfDuplicate returns the response of the request that claimed the key first, on another node. Errors: those of
// replay; RateLimited where that request was refused in the end, so that the caller may try again.
func (r *Request) replayOfDuplicate(ctx context.Context) (*Replay, error) {
	replay, err := r.service.replay(ctx, r.key)
	if err == nil && replay == nil { // the other request was refused in the end: the caller may try again
		err = errStillRunning()
	}
	return replay, err
}

// replay returns the response to the request that used this key before, or nil if there was none or it has expired. If
// that request took effect but its response is lost, the response says "Already carried out". Errors: Refused if that
// request had another path or body.
func (s *Service) replay(ctx context.Context, key *laurel.RequestKey) (*Replay, error) {
	response, err := s.awaitResponse(ctx, key)
	switch {
	case store.IsNoRows(err):
		return nil, nil
	case err != nil:
		return nil, err
	case response.Path != key.Path || response.Hash != key.Hash:
		return nil, errOtherRequest()
	case response.Status == 0:
		return &Replay{Status: 200, Body: `{"message":"Already carried out"}`}, nil
	}
	return &Replay{Status: response.Status, Body: response.Body}, nil
}

// awaitResponse reads the stored response of a key; sql.ErrNoRows if the key was not used. If the request took effect
// but has no response yet, it waits up to responseWait for one, since its node may be about to store it; after that the
// response counts as lost, and is returned with status 0. A key that has expired is deleted and counts as not used.
func (s *Service) awaitResponse(ctx context.Context, key *laurel.RequestKey) (store.StoredResponse, error) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for waited := time.Duration(0); ; waited += pollInterval {
		response, err := s.db.FindResponse(ctx, store.KeyIDOf(key))
		if err != nil {
			return response, err
		}
		age := s.db.Now().Sub(store.Time(response.CreatedAt))
		if age >= requestLifetime {
			// The extra microsecond is for a key that expires at this very moment.
			if err := s.deleteRequestKey(ctx, store.KeyIDOf(key), -requestLifetime+time.Microsecond); err != nil {
				return response, err
			}
			continue // the next read finds no rows
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

// deleteRequestKey deletes a key if it was claimed before now plus the offset, which may be negative.
func (s *Service) deleteRequestKey(ctx context.Context, id store.KeyID, offset time.Duration) error {
	return s.db.DeleteOldRequestKey(ctx, id, s.db.Now().Add(offset))
}

// DeleteOldRequestKeys deletes the keys that are older than the 24 hours of replays that the contract promises. It is
// for a periodic worker.
func (s *Service) DeleteOldRequestKeys(ctx context.Context) error {
	return s.db.DeleteOldRequestKeys(ctx, s.db.Now().Add(-requestLifetime))
}

func errOtherRequest() error {
	return laurel.Errorf(laurel.Refused, "Idempotency-Key was already used with a different request")
}

func errStillRunning() error {
	return &laurel.Error{Code: laurel.RateLimited, Message: "Too many requests, please try again later.", RetryAfter: 1}
}

// runningRequests holds the requests with a key that run in this process, at most one per key.
type runningRequests struct {
	mu   sync.Mutex
	byID map[store.KeyID]*Request
}

func newRunningRequests() *runningRequests { return &runningRequests{byID: map[store.KeyID]*Request{}} }

// acquire registers the request as the one that runs under its key. While another one is registered, it waits for its
// end, at most for the duration wait. Errors: Refused if the other request has another path or body; RateLimited if the
// other one does not end in time.
func (m *runningRequests) acquire(ctx context.Context, r *Request, wait time.Duration) error {
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	for {
		other := m.tryAcquire(r)
		if other == nil {
			return nil
		}
		if other.key.Path != r.key.Path || other.key.Hash != r.key.Hash {
			return errOtherRequest()
		}
		select {
		case <-other.done:
		case <-timeout.C:
			return errStillRunning()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// tryAcquire registers the request as the one that runs under its key, and returns nil. If another one is registered,
// it returns that one and changes nothing.
func (m *runningRequests) tryAcquire(r *Request) (other *Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if other = m.byID[store.KeyIDOf(r.key)]; other == nil {
		m.byID[store.KeyIDOf(r.key)] = r
	}
	return other
}

// release ends the registration of the request under its key, and wakes the requests that wait for it.
func (m *runningRequests) release(r *Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.byID[store.KeyIDOf(r.key)] == r {
		delete(m.byID, store.KeyIDOf(r.key))
		close(r.done)
	}
}
