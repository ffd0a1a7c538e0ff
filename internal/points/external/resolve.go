package external

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	lease        = 20 * time.Second // after it another node takes over a post whose node died
	attemptLimit = 15 * time.Second // of a call and the transaction that writes an accepted post
	callLimit    = 8 * time.Second  // of one call with its second try
	tryLimit     = 5 * time.Second
	tries        = 2
	maxWait      = 10 * time.Second // how long a caller waits while another one sends its post
	pollEvery    = 50 * time.Millisecond
	// guardRetention is how long a guard is kept after its post: longer than any transaction lasts, also where the clock
	// is set forward by hours meanwhile.
	guardRetention = 24 * time.Hour
)

// retryDelays follow calls of unknown outcome. The last one is repeated until the outcome is known.
var retryDelays = [...]time.Duration{5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute}

// Resolve sends a post of the applier's kind until the post has ended, and returns it. While another caller or node is
// sending the post, Resolve waits for up to maxWait. A post of another kind is left to the Resolver, for which it is
// made due at once. Errors: NotFound "Post"; Unavailable if the external ledger cannot be reached, or the outcome is
// not known in time. Such a post is sent again in the background, unless it was cancelled.
func (s *Service) Resolve(ctx context.Context, scope laurel.Scope, applier Applier, id laurel.ID) (Post, error) {
	woken := false
	for waited := time.Duration(0); ; waited += pollEvery {
		p, err := readPost(ctx, s.DB, id)
		if err != nil {
			return p, err
		}
		if p.OrganizationID != scope.OrganizationID || p.WebsiteID != scope.WebsiteID {
			return Post{}, laurel.Missing("Post")
		}
		if !p.FinishedAt.IsZero() {
			s.cache.invalidate(p) // another node may have ended it
			return p, nil
		}
		attempted := false
		if p.Kind == applier.Kind {
			attempted, err = s.attemptUnlessLeased(ctx, scope.Request, applier, p)
		} else if !woken {
			woken, err = true, s.wake(ctx, p)
		}
		if err != nil {
			return p, err
		}
		if attempted {
			continue
		}
		if waited >= maxWait {
			return p, unavailable()
		}
		select {
		case <-ctx.Done():
			return p, ctx.Err()
		case <-time.After(pollEvery):
		}
	}
}

// Retry makes an open post due at once, without waiting for the time of its next attempt, and returns it as it was
// before. Errors: NotFound "Post"; Refused if the post has ended.
func (s *Service) Retry(ctx context.Context, scope laurel.Scope, id laurel.ID) (Post, error) {
	p, err := readPost(ctx, s.DB, id)
	if store.IsNoRows(err) || err == nil && (p.OrganizationID != scope.OrganizationID || p.WebsiteID != scope.WebsiteID) {
		return Post{}, laurel.Missing("Post")
	}
	if err != nil {
		return Post{}, err
	}
	if !p.FinishedAt.IsZero() {
		return p, laurel.Errorf(laurel.Refused, "Post is over")
	}
	return p, s.wake(ctx, p)
}

// wake makes a rescheduled post due now. It does nothing if a caller or node is sending the post already.
func (s *Service) wake(ctx context.Context, p Post) error {
	item, err := s.items.LeaseByKey(ctx, p.ID, true)
	if err != nil || item == nil {
		return err
	}
	err = item.Reschedule(ctx, s.DB.Now(), func(*store.Tx) error {
		item.Row.Message, item.Row.InDoubt = p.Message, p.InDoubt
		return nil
	})
	if errors.Is(err, worker.ErrLost) {
		return nil // another caller or node has leased the post meanwhile
	}
	return err
}

// attemptUnlessLeased sends a post once, unless another caller or node is sending it, and reports whether it did.
func (s *Service) attemptUnlessLeased(
	ctx context.Context, key *laurel.RequestKey, applier Applier, p Post,
) (bool, error) {
	item, err := s.items.LeaseByKey(ctx, p.ID, true)
	if err != nil || item == nil {
		return false, err
	}
	return true, s.attempt(ctx, key, applier, item)
}

// attempt sends the leased post once. If the external ledger accepts it, the applier writes it here, which ends it. If
// the ledger refuses it, the post ends without being written. If no call can have reached the ledger, it is cancelled,
// unless it is NeverCancelled. Otherwise the outcome is unknown, and the post is sent again later. A caller who leaves
// does not cancel the call, since its outcome must be learnt. key is that of the caller's request, or nil.
func (s *Service) attempt(ctx context.Context, key *laurel.RequestKey, applier Applier, item *worker.Item[row]) error {
	p := item.Row.post()
	// from now on a call may arrive; p.InDoubt still says whether an earlier one may have
	p.Attempts, item.Row.InDoubt = item.Attempts, true
	callCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), attemptLimit)
	defer cancel()
	outcome := s.send(callCtx, p)
	s.cache.invalidate(p)
	switch {
	case outcome.accepted:
		return s.writeAccepted(callCtx, key, applier, item, p)
	case outcome.refusal != "":
		return s.endUnwritten(callCtx, p, Refused, outcome.refusal)
	case !outcome.mayHaveArrived && !p.InDoubt && !p.NeverCancelled:
		s.Logger.Warn(
			"an external ledger could not be reached; the post is cancelled",
			slog.String("currency", p.CurrencyID.String()),
			slog.Any("reason", outcome.cause),
		)
		return s.endUnwritten(callCtx, p, Cancelled, outcome.publicReason)
	}
	s.Logger.Warn(
		"the outcome of an external post is unknown; it is sent again",
		slog.String("post", p.ID.String()),
		slog.Int64("attempt", p.Attempts),
		slog.Any("reason", outcome.cause),
	)
	p.Message, p.InDoubt = outcome.publicReason, p.InDoubt || outcome.mayHaveArrived
	return s.reschedule(callCtx, item, p)
}

// endUnwritten ends a post as refused or cancelled, without a ledger transaction.
func (s *Service) endUnwritten(ctx context.Context, p Post, status, message string) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error { return store.Run(ctx, tx, endWork{p, status, message}) })
}

// writeAccepted lets the applier write an accepted post. If that fails, the error is Unavailable, and the post is sent
// again later: it has the same key, so the external ledger only confirms once more that it has accepted it.
func (s *Service) writeAccepted(
	ctx context.Context,
	key *laurel.RequestKey,
	applier Applier,
	item *worker.Item[row],
	p Post,
) error {
	err := applier.Apply(ctx, requestKeyToClaim(p, key), p)
	// another request has claimed the key meanwhile; the accepted post is written all the same, without the key
	if errors.Is(err, store.ErrDuplicateRequest) {
		err = applier.Apply(ctx, nil, p)
	}
	if err == nil {
		return nil
	}
	s.Logger.Error(
		"an accepted external post could not be written; it is tried again",
		slog.String("post", p.ID.String()),
		slog.Int64("attempt", p.Attempts),
		slog.Any("error", err),
	)
	p.Message, p.InDoubt = "accepted, and not yet written here", true
	if refusal := (*laurel.Error)(nil); errors.As(err, &refusal) {
		p.Message += ": " + refusal.Message
	}
	return s.reschedule(ctx, item, p)
}

// reschedule sets when the post is sent again, by the number of its attempts, and ends the lease. It returns
// Unavailable, because the outcome of the post is not known yet, or the error of the database.
func (s *Service) reschedule(ctx context.Context, item *worker.Item[row], p Post) error {
	item.CountFault(false)
	until := s.DB.Now().Add(retryDelays[min(int(p.Attempts-1), len(retryDelays)-1)])
	err := item.Reschedule(ctx, until, func(*store.Tx) error {
		item.Row.Message, item.Row.InDoubt = p.Message, p.InDoubt
		return nil
	})
	if err != nil && !errors.Is(err, worker.ErrLost) {
		return err
	}
	return unavailable()
}

// requestKeyToClaim returns the Idempotency-Key that the transaction of a post claims: that of the request that caused
// the post, or nil if it had none. If own, the key of the present caller, is the same, it returns own, so that the
// caller learns that it is claimed.
func requestKeyToClaim(p Post, own *laurel.RequestKey) *laurel.RequestKey {
	switch {
	case p.Request == nil:
		return nil
	case own != nil && store.KeyIDOf(own) == p.Request.keyID():
		return own
	}
	return &laurel.RequestKey{
		APIKeyID: p.Request.APIKeyID,
		Key:      p.Request.Key,
		Path:     p.Request.Path,
		Hash:     p.Request.Hash,
	}
}

// callOutcome is the outcome of sending a post.
type callOutcome struct {
	accepted       bool
	refusal        string // the message of the external ledger
	mayHaveArrived bool   // the call may have been executed although it failed
	publicReason   string // why it failed, as tenants may know it
	cause          error  // why it failed, for the log; it may reveal details of this network
}

// msgNotSent is the public reason if a fault of this service prevented the call.
const msgNotSent = "it could not be asked"

var errNoPostURL = errors.New("the currency has no apiPostUrl any more")

// send sends a post to the currency's apiPostUrl (contract 5.15) and returns the outcome. A response of 2xx accepts the
// post, 400 refuses it. A status such as 401, which no system returns after it has written something, says that the
// post was not processed, unless an earlier try of this call may have arrived. After any other response, and after a
// call without one, the post may have arrived.
func (s *Service) send(ctx context.Context, p Post) callOutcome {
	c, err := s.Ledger.Currency(ctx, p.Scope(), p.CurrencyID)
	if err != nil {
		return callOutcome{publicReason: msgNotSent, cause: err}
	}
	if c.API.PostURL == nil {
		return callOutcome{publicReason: errNoPostURL.Error(), cause: errNoPostURL}
	}
	body, err := json.Marshal(struct {
		Key     laurel.ID `json:"idempotencyKey"`
		Entries []Entry   `json:"entries"`
	}{p.ID, p.Entries})
	if err != nil {
		return callOutcome{publicReason: msgNotSent, cause: err}
	}
	headers, err := s.callHeaders(c)
	if err != nil {
		return callOutcome{publicReason: msgNotSent, cause: err}
	}
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	response, err := s.PostClient.Do(
		ctx,
		outbound.Call{
			Method:  "POST",
			URL:     *c.API.PostURL,
			Header:  headers,
			Body:    body,
			Timeout: tryLimit,
			Tries:   tries,
			Tenant:  p.WebsiteID.String(),
		},
	)
	var fault *outbound.Fault
	switch {
	case errors.As(err, &fault):
		return callOutcome{mayHaveArrived: fault.Sent, publicReason: fault.TenantMessage(), cause: err}
	case err != nil:
		return callOutcome{mayHaveArrived: true, publicReason: "no answer", cause: err}
	case response.Status >= 200 && response.Status < 300:
		return callOutcome{accepted: true}
	case response.Status == 400:
		return callOutcome{refusal: refusalMessage(response.Body)}
	}
	notProcessed := map[int]bool{401: true, 403: true, 404: true, 405: true, 410: true, 413: true, 415: true}
	fault = &outbound.Fault{Status: response.Status}
	return callOutcome{
		mayHaveArrived: response.MayBeDuplicate || !notProcessed[response.Status],
		publicReason:   fault.TenantMessage(),
		cause:          fault,
	}
}

const maxMessage = 500

// refusalMessage returns the external ledger's own message from the body of a response, cut to maxMessage characters,
// or a default if there is none.
func refusalMessage(body []byte) string {
	var refused struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &refused) != nil || strings.TrimSpace(refused.Message) == "" {
		return "Refused by the system that keeps the balances"
	}
	return outbound.Truncate(refused.Message, maxMessage)
}

// callHeaders returns the headers of a call to an external ledger: the content types, and the currency's credentials in
// the form of its AuthType. It fails if the vault cannot open the credentials.
func (s *Service) callHeaders(c ledger.Currency) (map[string]string, error) {
	h := map[string]string{"Content-Type": "application/json", "Accept": "application/json"}
	secret, err := s.Vault.Reveal(c.AuthValue())
	if err != nil {
		return nil, err
	}
	value := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	switch value(c.API.AuthType) {
	case "basic":
		h["Authorization"] = "Basic " + base64.StdEncoding.EncodeToString([]byte(value(c.API.AuthKey)+":"+secret))
	case "bearer":
		h["Authorization"] = "Bearer " + secret
	case "apiKey":
		name := value(c.API.AuthKey)
		if name == "" {
			name = "x-api-key"
		}
		h[name] = secret
	}
	return h, nil
}

// RemoveOld deletes guards that ended more than guardRetention ago, and posts that ended more than 30 days ago.
func (s *Service) RemoveOld(ctx context.Context) error {
	return errors.Join(s.removeOldGuards(ctx, s.DB.Now().Add(-guardRetention)), s.items.Prune(ctx))
}

// removeOldGuards deletes the guards that ended before a moment, at most maxRemovedAtOnce per transaction. A guard is a
// name that only one open post may have; it ends with its post.
func (s *Service) removeOldGuards(ctx context.Context, before time.Time) error {
	for {
		var removed int64
		err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
			removed, err = deleteOldGuards(ctx, tx, before)
			return err
		})
		if err != nil || removed < maxRemovedAtOnce {
			return err
		}
	}
}

// Filter narrows List.
type Filter struct {
	CurrencyID laurel.ID
	Statuses   []string
}

// List returns a page of the posts that the filter selects and that the caller may see, newest first.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[Post], error) {
	rows, err := listPosts(ctx, s.DB, scope, f, page)
	return laurel.MapPage(rows, row.post), err
}
