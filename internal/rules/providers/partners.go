package providers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/rules/schema"
)

// Partner is a system of the operator that verifies members for rules of a type.
type Partner struct {
	Type      schema.Type
	WebsiteID laurel.ID // zero: for all websites without a partner of their own
	URL       string
	Header    string // the name of the header to send; "": none
	Secret    string // the value of the header
	Timeout   time.Duration
}

// Partners verifies members by the partners that the operator has configured. It is a Provider.
type Partners struct {
	client *outbound.Client
	byKey  map[partnerKey]Partner
	slots  slots
}

// partnerKey identifies a partner by rule type and website.
type partnerKey struct {
	kind    schema.Type
	website laurel.ID
}

// NewPartners returns the provider.
func NewPartners(client *outbound.Client, list []Partner) *Partners {
	p := &Partners{client: client, byKey: map[partnerKey]Partner{}}
	for _, partner := range list {
		p.byKey[partnerKey{partner.Type, partner.WebsiteID}] = partner
	}
	return p
}

const (
	tries            = 2
	pause            = 250 * time.Millisecond
	maxResponseBytes = 64 << 10 // bytes
	// Simultaneous requests of one website, so that no website takes all connections to a partner.
	maxPerWebsite     = 24
	maxSlotWait       = 5 * time.Second
	retryAfterSeconds = 5 // seconds
)

// partnerFor returns the partner for a rule type: that of the website, or else that of all websites. It returns false
// if there is neither.
func (p *Partners) partnerFor(website laurel.ID, kind schema.Type) (Partner, bool) {
	if partner, ok := p.byKey[partnerKey{kind, website}]; ok {
		return partner, true
	}
	partner, ok := p.byKey[partnerKey{kind, laurel.ID{}}]
	return partner, ok
}

// IsAvailable reports whether there is a partner for the rule's type.
func (p *Partners) IsAvailable(_ context.Context, scope laurel.Scope, rule *schema.Properties) (bool, error) {
	_, ok := p.partnerFor(scope.WebsiteID, rule.Type)
	return ok, nil
}

// Verify posts the request to the partner, and again if the first try fails. If it gets no valid response, the error
// has the code laurel.Unanswered. If the partner fails for one website several times in a row, its breaker pauses
// requests of that website alone.
func (p *Partners) Verify(ctx context.Context, scope laurel.Scope, q VerificationRequest) (Verification, error) {
	partner, ok := p.partnerFor(scope.WebsiteID, q.Rule.Type)
	if !ok {
		return Verification{}, fmt.Errorf("providers: no partner for %s", q.Rule.Type)
	}
	body, err := json.Marshal(newPartnerRequest(scope, q))
	if err != nil {
		return Verification{}, err
	}
	done, err := p.slots.acquire(ctx, scope.WebsiteID)
	if err != nil {
		return Verification{}, unansweredError(msgTooManyRequests, fmt.Errorf("%w: %w", ErrBusy, err))
	}
	defer done()
	response, err := p.client.Do(
		ctx,
		outbound.Call{Method: "POST", URL: partner.URL, Header: partner.headers(), Body: body, Timeout: partner.Timeout,
			MaxBytes: maxResponseBytes, Tries: tries, Pause: pause, Tenant: scope.WebsiteID.String()},
	)
	switch {
	case err != nil:
		message := outbound.ProviderMessage(err)
		if isLimitReached(err) {
			err = fmt.Errorf("%w: %w", ErrBusy, err)
		}
		return Verification{}, unansweredError(message, err)
	case response.Status != 200:
		return Verification{}, unansweredError(outbound.ProviderInvalid, fmt.Errorf("answered with status %d", response.Status))
	}
	v, err := readVerification(response.Body)
	if err == nil && v.Fulfilled && v.Value == nil && q.Rule.Meta().PaysPerValue(q.Rule.Type) {
		err = errors.New("value is required if the rule pays per value")
	}
	if err != nil {
		return Verification{}, unansweredError(outbound.ProviderInvalid, err)
	}
	return v, nil
}

// headers returns the headers of the request.
func (p Partner) headers() map[string]string {
	h := map[string]string{"Content-Type": "application/json", "Accept": "application/json"}
	if p.Header != "" {
		h[p.Header] = p.Secret
	}
	return h
}

// msgTooManyRequests is the message to callers of a website that has too many calls of partners under way.
const msgTooManyRequests = "Too many questions to the provider are under way, please try again later"

// ErrBusy means that a failed verification says nothing about the member: the request was not sent, or came with too
// many others.
var ErrBusy = errors.New("no provider is asked at the moment")

// isLimitReached reports whether a call failed because the provider, or this service, limits calls.
func isLimitReached(err error) bool {
	var fault *outbound.Fault
	return errors.As(err, &fault) &&
		(fault.Kind() == outbound.KindTooManyRequests || fault.Kind() == outbound.KindCircuitOpen)
}

// unansweredError returns the error for a request without a valid response. The cause is for the log.
func unansweredError(message string, cause error) error {
	return fmt.Errorf(
		"%w: %w", &laurel.Error{Code: laurel.Unanswered, Message: message, RetryAfter: retryAfterSeconds}, cause,
	)
}
