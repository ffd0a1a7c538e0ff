package external

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"time"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/outbound"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	lease        = 20 * time.Second // a post whose node died is carried on by another afterwards
	attemptLimit = 15 * time.Second // of a call and the transaction that writes what it accepted
	callLimit    = 8 * time.Second  // of one call, with its second try
	tryLimit     = 5 * time.Second
	tries        = 2
	maxWait      = 10 * time.Second // how long a caller waits for another that carries its post on
	pollEvery    = 50 * time.Millisecond
	// guardRetention is how long a hold stays after its post: longer than any transaction, of which a clock that was put right
	// may make hours.
	guardRetention = 24 * time.Hour
)

// retryDelays follow calls of unknown outcome; the last one is repeated until the outside tells.
var retryDelays = [...]time.Duration{5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute}

// Resolve brings a post of the payer's kind to its end, or waits for whoever is at it, and returns it. A post of another
// kind is left to the carrier, which comes to it at once even where it was put off. Errors: Unavailable where the
// outside cannot be reached or does not tell; a post that is not cancelled then goes on by itself.
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
			s.cache.invalidate(p) // another node may have carried it on
			return p, nil
		}
		attempted := false
		if p.Kind == applier.Kind {
			attempted, err = s.attemptIfFree(ctx, scope.Request, applier, p)
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

// Retry has the outside asked again at once for a post that was put off. Errors: NotFound "Post"; Refused where it is
// over.
func (s *Service) Retry(ctx context.Context, scope laurel.Scope, id laurel.ID) (Post, error) {
	p, err := readPost(ctx, s.DB, id)
	if store.NoRows(err) || err == nil && (p.OrganizationID != scope.OrganizationID || p.WebsiteID != scope.WebsiteID) {
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

// wake makes a post due that was put off and that nobody is at.
func (s *Service) wake(ctx context.Context, p Post) error {
	h, err := s.items.Take(ctx, p.ID, true)
	if err != nil || h == nil {
		return err
	}
	err = h.PutOff(ctx, s.DB.Now(), func(*store.Tx) error {
		h.Row.Message, h.Row.InDoubt = p.Message, p.InDoubt
		return nil
	})
	if errors.Is(err, worker.ErrLost) {
		return nil // somebody is at it after all
	}
	return err
}

// attemptIfFree carries a post of the payer's kind on if nobody is at it, and reports whether it did.
func (s *Service) attemptIfFree(ctx context.Context, key *laurel.RequestKey, applier Applier, p Post) (bool, error) {
	h, err := s.items.Take(ctx, p.ID, true)
	if err != nil || h == nil {
		return false, err
	}
	return true, s.attempt(ctx, key, applier, h)
}

// attempt asks the outside and ends the post by what it says. A caller who leaves does not end the call: its outcome must
// be learnt. The payer is that of the post's kind; the key is that of the caller's request, nil for none.
func (s *Service) attempt(ctx context.Context, key *laurel.RequestKey, applier Applier, h *worker.Item[row]) error {
	p, err := h.Row.post()
	if err != nil {
		return err
	}
	p.Attempts, h.Row.InDoubt = h.Attempts, true // from now on a call may arrive; the post has the doubt of earlier ones
	callCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), attemptLimit)
	defer cancel()
	outcome := s.send(callCtx, p)
	s.cache.invalidate(p)
	switch {
	case outcome.accepted:
		return s.writeAccepted(callCtx, key, applier, h, p)
	case outcome.refusal != "":
		return s.endUnwritten(callCtx, p, Refused, outcome.refusal)
	case !outcome.mayHaveArrived && !p.InDoubt && !p.NeverCancelled:
		s.Logger.Warn(
			"balances kept outside could not be written",
			slog.String("currency", p.CurrencyID.String()),
			slog.Any("reason", outcome.cause),
		)
		return s.endUnwritten(callCtx, p, Cancelled, outcome.publicReason)
	}
	s.Logger.Warn(
		"balances kept outside have not told what became of a post; they are asked again",
		slog.String("post", p.ID.String()),
		slog.Int64("attempt", p.Attempts),
		slog.Any("reason", outcome.cause),
	)
	p.Message, p.InDoubt = outcome.publicReason, p.InDoubt || outcome.mayHaveArrived
	return s.reschedule(callCtx, h, p)
}

// endUnwritten ends a post of which nothing is written.
func (s *Service) endUnwritten(ctx context.Context, p Post, status, message string) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error { return store.Run(ctx, tx, endWork{p, status, message}) })
}

// writeAccepted writes what was accepted. Where that fails it is tried again: the outside, asked with the same key, tells once
// more that it has done it.
func (s *Service) writeAccepted(
	ctx context.Context,
	key *laurel.RequestKey,
	applier Applier,
	h *worker.Item[row],
	p Post,
) error {
	err := applier.Apply(ctx, requestKeyOf(p, key), p)
	// the key is of something else by now; what was accepted is written all the same
	if errors.Is(err, store.ErrDuplicateRequest) {
		err = applier.Apply(ctx, nil, p)
	}
	if err == nil {
		return nil
	}
	s.Logger.Error(
		"what balances kept outside have accepted could not be written; it is tried again",
		slog.String("post", p.ID.String()),
		slog.Int64("attempt", p.Attempts),
		slog.Any("error", err),
	)
	p.Message, p.InDoubt = "accepted, and not yet written here", true
	if refusal := (*laurel.Error)(nil); errors.As(err, &refusal) {
		p.Message += ": " + refusal.Message
	}
	return s.reschedule(ctx, h, p)
}

// reschedule has a post asked for again later. It returns Unavailable: what becomes of it is not known yet.
func (s *Service) reschedule(ctx context.Context, h *worker.Item[row], p Post) error {
	h.Faulted(false)
	until := s.DB.Now().Add(retryDelays[min(int(p.Attempts-1), len(retryDelays)-1)])
	err := h.PutOff(ctx, until, func(*store.Tx) error {
		h.Row.Message, h.Row.InDoubt = p.Message, p.InDoubt
		return nil
	})
	if err != nil && !errors.Is(err, worker.ErrLost) {
		return err
	}
	return unavailable()
}

// requestKeyOf returns what the transaction that writes a post claims: the Idempotency-Key of the request that asked for it,
// whoever carries it on. Where that is the caller's own request, it is the caller's own key.
func requestKeyOf(p Post, own *laurel.RequestKey) *laurel.RequestKey {
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

// callOutcome is what is known after a call.
type callOutcome struct {
	accepted       bool
	refusal        string // why
	mayHaveArrived bool   // it may have been carried out all the same
	publicReason   string // what the tenant is told of it, in place of
	cause          error  // which may tell of this network, and is for the log
}

// msgNotSent is what tenants are told of a call that was not made for a fault of the service.
const msgNotSent = "it could not be asked"

var errNoPostURL = errors.New("the currency has no apiPostUrl any more")

// send calls apiPostUrl (contract 5.15): 2xx is done, 400 refused. Of any other answer that no system gives after it has
// written something, such as one that does not know the caller, nothing is in doubt, unless an earlier try may have
// arrived.
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
	header, err := s.authHeader(c.API)
	if err != nil {
		return callOutcome{publicReason: msgNotSent, cause: err}
	}
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	response, err := s.PostClient.Do(
		ctx,
		outbound.Call{
			Method: "POST",
			URL:    *c.API.PostURL,
			Header: header,
			Body:   body,
			Within: tryLimit,
			Tries:  tries,
			For:    p.WebsiteID.String(),
		},
	)
	var fault *outbound.Fault
	switch {
	case errors.As(err, &fault):
		return callOutcome{mayHaveArrived: fault.Sent, publicReason: fault.Told(), cause: err}
	case err != nil:
		return callOutcome{mayHaveArrived: true, publicReason: "no answer", cause: err}
	case response.Status >= 200 && response.Status < 300:
		return callOutcome{accepted: true}
	case response.Status == 400:
		return callOutcome{refusal: refusalMessage(response.Body)}
	}
	notProcessed := map[int]bool{401: true, 403: true, 404: true, 405: true, 410: true, 413: true, 415: true}
	fault = &outbound.Fault{Status: response.Status}
	return callOutcome{mayHaveArrived: response.Again || !notProcessed[response.Status], publicReason: fault.Told(), cause: fault}
}

const maxMessage = 500

// refusalMessage is the outside's own word.
func refusalMessage(body []byte) string {
	var refused struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &refused) != nil || strings.TrimSpace(refused.Message) == "" {
		return "Refused by the system that keeps the balances"
	}
	text := []rune(strings.ToValidUTF8(strings.ReplaceAll(refused.Message, "\x00", ""), ""))
	return string(text[:min(len(text), maxMessage)])
}

// authHeader authenticates a call as the currency says.
func (s *Service) authHeader(api ledger.ExternalAPI) (map[string]string, error) {
	h := map[string]string{"Content-Type": "application/json", "Accept": "application/json"}
	secret, err := s.Vault.Reveal(api.AuthValue)
	if err != nil {
		return nil, err
	}
	value := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	switch value(api.AuthType) {
	case "basic":
		h["Authorization"] = "Basic " + base64.StdEncoding.EncodeToString([]byte(value(api.AuthKey)+":"+secret))
	case "bearer":
		h["Authorization"] = "Bearer " + secret
	case "apiKey":
		name := value(api.AuthKey)
		if name == "" {
			name = "x-api-key"
		}
		h[name] = secret
	}
	return h, nil
}

// Prune removes posts that ended long ago, and holds that ended some time ago.
func (s *Service) Prune(ctx context.Context) error {
	return errors.Join(s.pruneGuards(ctx, s.DB.Now().Add(-guardRetention)), s.items.Prune(ctx))
}

func (s *Service) pruneGuards(ctx context.Context, before time.Time) error {
	for {
		var removed int64
		err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
			removed, err = deleteOldGuards(ctx, tx, before)
			return err
		})
		if err != nil || removed < pruneChunk {
			return err
		}
	}
}

// Filter narrows List.
type Filter struct {
	CurrencyID laurel.ID
	Statuses   []string
}

// List returns the posts of a currency that the caller may see, newest first.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[Post], error) {
	rows, err := listPosts(ctx, s.DB, scope, f, page)
	if err != nil {
		return laurel.Page[Post]{}, err
	}
	return budget.Try(rows, row.post)
}
