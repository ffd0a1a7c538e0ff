package laurel

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Errors of WebhookVerifier.Verify.
var (
	ErrWebhookHeaders   = errors.New("laurel: the request lacks the headers of a webhook")
	ErrWebhookTime      = errors.New("laurel: the time of the webhook is too far off")
	ErrWebhookSignature = errors.New("laurel: the signature of the webhook is wrong")
)

// WebhookVerifier checks the requests of a subscription (version v2, as in Standard Webhooks).
type WebhookVerifier struct {
	// Tolerance is how far the time of a request may be off. Default: five minutes.
	Tolerance time.Duration
	// Now returns the current time. Default: time.Now.
	Now  func() time.Time
	keys [][]byte
}

// WebhookEvent is one event of a subscription.
type WebhookEvent struct {
	ID        string          `json:"id"` // the same in each attempt: skip an event that you have processed
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// NewWebhookVerifier returns a verifier with the signing keys of a subscription: the current one, and a former one
// while it is being replaced. It fails if a key is not of the form whsec_….
func NewWebhookVerifier(signingKeys ...string) (*WebhookVerifier, error) {
	v := &WebhookVerifier{Tolerance: 5 * time.Minute, Now: time.Now}
	for _, text := range signingKeys {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, "whsec_"))
		if err != nil || len(key) == 0 {
			return nil, errors.New("laurel: a signing key of webhooks has the form whsec_<base64>")
		}
		v.keys = append(v.keys, key)
	}
	if len(v.keys) == 0 {
		return nil, errors.New("laurel: webhooks need a signing key")
	}
	return v, nil
}

// Verify checks the signature and the time of a request, and returns its event. The body is the raw body, before
// anything has parsed it.
func (v *WebhookVerifier) Verify(body []byte, header http.Header) (WebhookEvent, error) {
	id, stamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	signatures := strings.Fields(header.Get("webhook-signature"))
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if id == "" || err != nil || len(signatures) == 0 {
		return WebhookEvent{}, ErrWebhookHeaders
	}
	if off := v.Now().Sub(time.Unix(seconds, 0)).Abs(); off > v.Tolerance {
		return WebhookEvent{}, ErrWebhookTime
	}
	if !v.hasSigned(id+"."+stamp+".", body, signatures) {
		return WebhookEvent{}, ErrWebhookSignature
	}
	var event WebhookEvent
	if err := json.Unmarshal(body, &event); err != nil {
		return WebhookEvent{}, fmt.Errorf("laurel: the body of the webhook: %w", err)
	}
	return event, nil
}

// hasSigned reports whether one of the signatures is by one of the keys. It takes the same time for each wrong one.
func (v *WebhookVerifier) hasSigned(head string, body []byte, signatures []string) bool {
	found := false
	for _, key := range v.keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(head))
		mac.Write(body)
		want := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, signature := range signatures {
			if hmac.Equal(want, []byte(signature)) {
				found = true
			}
		}
	}
	return found
}
