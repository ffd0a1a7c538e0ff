package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"laurel"
	"laurel/internal/ledger"
	"laurel/internal/outbound"
	"laurel/internal/store"
)

const (
	lease     = 20 * time.Second // a post whose node died is carried on by another afterwards
	askLimit  = 15 * time.Second // of a call and the transaction that writes what it accepted
	callLimit = 8 * time.Second  // of one call, with its second try
	tryLimit  = 5 * time.Second
	tries     = 2
	patience  = 10 * time.Second // how long a caller waits for another that carries its post on
	lookEvery = 50 * time.Millisecond
	tickEvery = time.Second
	batch     = 16
	keptFor   = 30 * 24 * time.Hour
)

// pauses follow calls of unknown outcome; the last one is repeated until the outside tells.
var pauses = [...]time.Duration{5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute}

// Settle brings a post to its end, or waits for whoever is at it, and answers it. Errors: Unavailable where the outside cannot be reached or does not tell;
// a post that is not cancelled then goes on by itself.
func (s *Service) Settle(ctx context.Context, scope laurel.Scope, id laurel.ID) (Post, error) {
	for waited := time.Duration(0); ; waited += lookEvery {
		p, err := readPost(ctx, s.DB, id)
		if err != nil {
			return p, err
		}
		if p.OrganizationID != scope.OrganizationID || p.WebsiteID != scope.WebsiteID {
			return Post{}, laurel.Missing("Post")
		}
		if !p.FinishedAt.IsZero() {
			return p, nil
		}
		mine := false
		if err := s.DB.InTx(withoutKey(ctx), func(tx *store.Tx) (err error) {
			mine, err = take(ctx, tx, id, true)
			return err
		}); err != nil {
			return p, err
		}
		if mine {
			if p, err = readPost(ctx, s.DB, id); err == nil {
				err = s.carry(ctx, p)
			}
			if err != nil {
				return p, err
			}
			continue
		}
		if waited >= patience {
			return p, unavailable()
		}
		select {
		case <-ctx.Done():
			return p, ctx.Err()
		case <-time.After(lookEvery):
		}
	}
}

// withoutKey keeps a transaction that is not the effect of the request from claiming its Idempotency-Key.
func withoutKey(ctx context.Context) context.Context { return store.WithRequestKey(ctx, nil) }

// carry asks the outside and ends the post by what it says. A caller who leaves does not end the call: its outcome must be learnt.
func (s *Service) carry(ctx context.Context, p Post) error {
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), askLimit)
	defer cancel()
	said := s.ask(asking, p)
	switch {
	case said.accepted:
		return s.finish[p.Kind](s.forRequest(asking, p), p)
	case said.refused != "":
		return s.DB.InTx(withoutKey(asking), func(tx *store.Tx) error { return closePost(asking, tx, p, Refused, said.refused) })
	case !said.arrived && !p.InDoubt:
		s.Logger.Warn("balances kept outside could not be written", slog.String("currency", p.CurrencyID.String()), slog.String("reason", said.fault))
		return s.DB.InTx(withoutKey(asking), func(tx *store.Tx) error { return closePost(asking, tx, p, Cancelled, said.fault) })
	}
	p.InDoubt = p.InDoubt || said.arrived
	s.Logger.Warn("what balances kept outside were asked to write is in doubt; they are asked again", slog.String("post", p.ID.String()), slog.Int64("attempt", p.Attempts),
		slog.String("reason", said.fault))
	err := s.DB.InTx(withoutKey(asking), func(tx *store.Tx) error {
		return putOff(asking, tx, p, said.fault, tx.Now().Add(pauses[min(int(p.Attempts-1), len(pauses)-1)]))
	})
	if err != nil {
		return err
	}
	return unavailable()
}

// forRequest lets the transaction that writes a post claim the Idempotency-Key of the request that asked for it, whoever carries it on.
func (s *Service) forRequest(ctx context.Context, p Post) context.Context {
	if p.Request == nil {
		return withoutKey(ctx)
	}
	id := store.KeyID{APIKeyID: p.Request.APIKeyID, Key: p.Request.Key}
	if own := store.RequestKeyOf(ctx); own != nil && own.ID() == id {
		return ctx
	}
	return store.WithRequestKey(ctx, &store.RequestKey{APIKeyID: p.Request.APIKeyID, Key: p.Request.Key, Path: p.Request.Path, Hash: p.Request.Hash})
}

// outcome is what is known after a call.
type outcome struct {
	accepted bool
	refused  string // why
	arrived  bool   // it may have been carried out all the same
	fault    string
}

// ask calls apiPostUrl (contract 5.15): 2xx is done, 400 refused. Of any other answer that no system gives after it has written something, such as one that
// does not know the caller, nothing is in doubt.
func (s *Service) ask(ctx context.Context, p Post) outcome {
	c, err := s.Ledger.Currency(ctx, p.Scope(), p.CurrencyID)
	if err != nil {
		return outcome{fault: err.Error()}
	}
	if c.API.PostURL == nil {
		return outcome{fault: "the currency has no apiPostUrl any more"}
	}
	body, err := json.Marshal(struct {
		Key     laurel.ID `json:"idempotencyKey"`
		Entries []Entry   `json:"entries"`
	}{p.ID, p.Entries})
	if err != nil {
		return outcome{fault: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	answer, err := s.Outside.Do(ctx, outbound.Call{Method: "POST", URL: *c.API.PostURL, Header: header(c.API), Body: body, Within: tryLimit, Tries: tries, For: p.WebsiteID.String()})
	var fault *outbound.Fault
	switch {
	case errors.As(err, &fault):
		return outcome{arrived: fault.Sent, fault: fault.Error()}
	case err != nil:
		return outcome{arrived: true, fault: err.Error()}
	case answer.Status >= 200 && answer.Status < 300:
		return outcome{accepted: true}
	case answer.Status == 400:
		return outcome{refused: refusal(answer.Body)}
	}
	untouched := map[int]bool{401: true, 403: true, 404: true, 405: true, 410: true, 413: true, 415: true}
	return outcome{arrived: !untouched[answer.Status], fault: fmt.Sprintf("answered with status %d", answer.Status)}
}

const maxMessage = 500

// refusal is the outside's own word.
func refusal(body []byte) string {
	var said struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &said) != nil || strings.TrimSpace(said.Message) == "" {
		return "Refused by the system that keeps the balances"
	}
	text := []rune(strings.ToValidUTF8(strings.ReplaceAll(said.Message, "\x00", ""), ""))
	return string(text[:min(len(text), maxMessage)])
}

// header authenticates a call as the currency says.
func header(api ledger.ExternalAPI) map[string]string {
	h := map[string]string{"Content-Type": "application/json", "Accept": "application/json"}
	value := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	switch value(api.AuthType) {
	case "basic":
		h["Authorization"] = "Basic " + basic(value(api.AuthKey), value(api.AuthValue))
	case "bearer":
		h["Authorization"] = "Bearer " + value(api.AuthValue)
	case "apiKey":
		name := value(api.AuthKey)
		if name == "" {
			name = "x-api-key"
		}
		h[name] = value(api.AuthValue)
	}
	return h
}

// Run carries on what nobody carries on, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	for {
		n, err := s.RunDue(ctx)
		if err != nil && ctx.Err() == nil {
			s.Logger.Warn("posts to balances kept outside met a fault; they are tried again", slog.Any("error", err))
		}
		if n == batch && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// RunDue carries on the posts that are due now, at most one batch, and answers how many there were. That the outside is down is no error.
func (s *Service) RunDue(ctx context.Context) (int, error) {
	ids, err := due(ctx, s.DB, s.DB.Now())
	if err != nil {
		return 0, err
	}
	errs := make([]error, len(ids))
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() {
			mine := false
			errs[i] = s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
				mine, err = take(ctx, tx, id, false)
				return err
			})
			if errs[i] != nil || !mine {
				return
			}
			p, err := readPost(ctx, s.DB, id)
			if err == nil {
				err = s.carry(ctx, p)
			}
			if laurel.CodeOf(err) != laurel.Unavailable {
				errs[i] = err
			}
		})
	}
	all.Wait()
	return len(ids), errors.Join(errs...)
}

// Forget removes posts that ended long ago.
func (s *Service) Forget(ctx context.Context) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error { return deleteOld(ctx, tx, tx.Now().Add(-keptFor)) })
}

// Filter narrows List.
type Filter struct {
	CurrencyID laurel.ID
	Statuses   []string
}

// List answers the posts of a currency that the caller may see, newest first.
func (s *Service) List(ctx context.Context, scope laurel.Scope, f Filter, page laurel.PageRequest) (laurel.Page[Post], error) {
	rows, err := listPosts(ctx, s.DB, scope, f, page)
	if err != nil {
		return laurel.Page[Post]{}, err
	}
	found := make([]Post, len(rows))
	for i, r := range rows {
		if found[i], err = r.post(); err != nil {
			return laurel.Page[Post]{}, err
		}
	}
	return laurel.PageOf(found, page.Limit), nil
}
