package providers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"laurel"
	"laurel/internal/outbound"
	"laurel/internal/rules/schema"
)

// Partner is where questions of a rule type go.
type Partner struct {
	Type      schema.Type
	WebsiteID laurel.ID // zero: of every website that has none of its own
	URL       string
	Header    string // its name; "": none is sent
	Secret    string // its value
	Within    time.Duration
}

// Partners asks the partners that the operator has configured. It is a Port.
type Partners struct {
	outside *outbound.Client
	known   map[place]Partner
	mu      sync.Mutex
	turns   map[laurel.ID]chan struct{}
}

type place struct {
	kind    schema.Type
	website laurel.ID
}

// NewPartners makes the port.
func NewPartners(outside *outbound.Client, list []Partner) *Partners {
	p := &Partners{outside: outside, known: map[place]Partner{}, turns: map[laurel.ID]chan struct{}{}}
	for _, partner := range list {
		p.known[place{partner.Type, partner.WebsiteID}] = partner
	}
	return p
}

const (
	tries       = 2
	pause       = 250 * time.Millisecond
	answerLimit = 64 << 10 // bytes
	// questions of one website that are under way at a time: no website takes all connections to a partner
	atOnce     = 24
	turnWithin = 5 * time.Second
	askAgain   = 5 // seconds
)

func (p *Partners) of(website laurel.ID, kind schema.Type) (Partner, bool) {
	if partner, ok := p.known[place{kind, website}]; ok {
		return partner, true
	}
	partner, ok := p.known[place{kind, laurel.ID{}}]
	return partner, ok
}

// Equipped reports whether there is a partner for the rule's type.
func (p *Partners) Equipped(_ context.Context, scope laurel.Scope, rule *schema.Properties) (bool, error) {
	_, ok := p.of(scope.WebsiteID, rule.Type)
	return ok, nil
}

// Ask posts the question, twice where the first try meets a fault. A host that fails for one website is left alone for
// that one only.
func (p *Partners) Ask(ctx context.Context, scope laurel.Scope, q Question) (Verdict, error) {
	partner, ok := p.of(scope.WebsiteID, q.Rule.Type)
	if !ok {
		return Verdict{}, fmt.Errorf("providers: no partner for %s", q.Rule.Type)
	}
	body, err := json.Marshal(asked(scope, q))
	if err != nil {
		return Verdict{}, err
	}
	done, err := p.turn(ctx, scope.WebsiteID)
	if err != nil {
		return Verdict{}, unanswered(msgCrowd, fmt.Errorf("%w: %w", ErrBusy, err))
	}
	defer done()
	answer, err := p.outside.Do(
		ctx,
		outbound.Call{Method: "POST", URL: partner.URL, Header: partner.headers(), Body: body, Within: partner.Within,
			Limit: answerLimit, Tries: tries, Pause: pause, For: scope.WebsiteID.String()},
	)
	switch {
	case err != nil:
		kind := told(err)
		if kind == msgBusy || kind == msgResting {
			err = fmt.Errorf("%w: %w", ErrBusy, err)
		}
		return Verdict{}, unanswered(kind, err)
	case answer.Status != 200:
		return Verdict{}, unanswered(msgInvalid, fmt.Errorf("answered with status %d", answer.Status))
	}
	v, err := readVerdict(answer.Body)
	if err == nil && v.Fulfilled && v.Value == nil && q.Rule.Meta().PaysPerValue(q.Rule.Type) {
		err = errors.New("value is required where the rule pays per value")
	}
	if err != nil {
		return Verdict{}, unanswered(msgInvalid, err)
	}
	return v, nil
}

// turn waits until the website may put another question.
func (p *Partners) turn(ctx context.Context, website laurel.ID) (done func(), err error) {
	p.mu.Lock()
	free := p.turns[website]
	if free == nil {
		free = make(chan struct{}, atOnce)
		p.turns[website] = free
	}
	p.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, turnWithin)
	defer cancel()
	select {
	case free <- struct{}{}:
		return func() { <-free }, nil
	case <-ctx.Done():
		return nil, errors.New("too many questions of the website are under way")
	}
}

func (p Partner) headers() map[string]string {
	h := map[string]string{"Content-Type": "application/json", "Accept": "application/json"}
	if p.Header != "" {
		h[p.Header] = p.Secret
	}
	return h
}

// What callers are told where there is no answer to go by (contract 5.1): the kind of the fault. Addresses and what was
// answered are for the log.
const (
	msgSlow    = "Provider did not answer in time"
	msgBusy    = "Provider is rate limited, please try again later"
	msgInvalid = "Provider did not give a valid answer"
	msgAway    = "Provider could not be reached"
	msgBroken  = "Provider broke off the connection"
	msgFailed  = "Provider failed"
	msgResting = "Provider failed several times in a row and is left alone for a while"
	msgCrowd   = "Too many questions to the provider are under way, please try again later"
)

// messages are what callers are told of the kinds of faults.
var messages = map[outbound.Kind]string{
	outbound.Answered:   msgFailed,
	outbound.Busy:       msgBusy,
	outbound.Resting:    msgResting,
	outbound.NotAllowed: msgAway,
	outbound.NotValid:   msgInvalid,
	outbound.Late:       msgSlow,
	outbound.Unreached:  msgAway,
	outbound.BrokenOff:  msgBroken,
}

// told returns what callers are told of a call that failed.
func told(err error) string {
	var fault *outbound.Fault
	if !errors.As(err, &fault) {
		return msgAway
	}
	return messages[fault.Kind()]
}

// ErrBusy is why there is no answer where that tells nothing about who was asked about: the question was not put, or
// came with too many others.
var ErrBusy = errors.New("nothing is asked at the moment")

// unanswered is the error of a question without an answer; its cause is for the log.
func unanswered(message string, cause error) error {
	return fmt.Errorf("%w: %w", &laurel.Error{Code: laurel.Unanswered, Message: message, RetryAfter: askAgain}, cause)
}
