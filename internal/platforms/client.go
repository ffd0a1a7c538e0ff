package platforms

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"laurel.example/laurel/internal/outbound"
)

// Client asks platforms about accounts. It may be used by many goroutines.
type Client struct {
	outbound  *outbound.Client
	now       func() time.Time
	health    *outbound.Health
	limits    rateLimits
	followers followerCounts
	tokens    accessTokens
}

// NewClient returns a client that calls platforms by c. now is the clock.
func NewClient(c *outbound.Client, now func() time.Time) *Client {
	return &Client{outbound: c, now: now, health: outbound.NewHealth(now)}
}

const (
	callTries   = 2
	callPause   = 250 * time.Millisecond
	callTimeout = 4 * time.Second // of one try
	maxAnswer   = 1 << 20         // bytes
)

// ErrNoAnswer means that the platform's answer says nothing about the account: it has an unexpected status or form.
var ErrNoAnswer = errors.New("platforms: the answer says nothing about the account")

// Answers reports whether a driver can be asked about a rule of a type with this metadata: by a check of the operator,
// or by the built-in driver.
func (c *Client) Answers(d *Driver, ruleType string, metadata map[string]json.RawMessage) bool {
	if check, ok := d.Checks[ruleType]; ok {
		return !check.missesMetadata(metadata)
	}
	return d.API != nil && apiDrivers[d.Platform].canAnswer(ruleType, metadata)
}

// Ask asks the platform of a driver, which must answer the question: by the operator's check for the rule type, else by
// the built-in driver. Errors: *outbound.Fault, ErrNoAnswer.
func (c *Client) Ask(ctx context.Context, d *Driver, q Question) (found Finding, err error) {
	if check, ok := d.Checks[q.RuleType]; ok {
		found, err = c.askCheck(ctx, d, check, q)
	} else {
		found, err = c.askAPI(ctx, d, q)
	}
	c.health.Record(d.healthKey(q.Tenant), err)
	return found, err
}

// askCheck makes the call of a check and reads the value from the answer. A question that lacks the value of a variable
// finds nothing. A call that may change something on the platform is left out in dry runs, and counts as found.
func (c *Client) askCheck(ctx context.Context, d *Driver, check Check, q Question) (Finding, error) {
	address, ok := q.expandURL(check.URL)
	headers := map[string]string{"Accept": "application/json"}
	for name, template := range check.Headers {
		value, hasAll := q.expandHeader(template)
		headers[name], ok = value, ok && hasAll
	}
	if !ok {
		return Finding{}, nil
	}
	if q.DryRun && check.Method != "" && check.Method != "GET" {
		return Finding{Found: true}, nil
	}
	limit := limitedCall{d.Platform + " " + d.WebsiteID.String(), d.healthKey(q.Tenant)}
	response, err := c.do(ctx, limit, outbound.Call{
		Method: check.Method, URL: address, Header: headers, Timeout: callTimeout, MaxBytes: maxAnswer, Tries: callTries,
		Pause: callPause, Tenant: q.Tenant,
	})
	switch {
	case err != nil:
		return Finding{}, err
	case response.Status == 404:
		return Finding{}, nil
	case response.Status == 204:
		return Finding{Found: true}, nil
	case response.Status < 200 || response.Status >= 300:
		return Finding{}, &statusError{response.Status}
	case check.Path == "" && len(bytes.TrimSpace(response.Body)) == 0:
		return Finding{Found: true}, nil
	case !json.Valid(response.Body):
		return Finding{}, ErrNoAnswer
	}
	return findingOf(valueAt(response.Body, check.Path)), nil
}
