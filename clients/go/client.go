// Package laurel is a client of the API of Laurel, a loyalty service. It needs the standard library only.
//
//	client := laurel.New("https://loyalty.example", os.Getenv("LAUREL_API_KEY"))
//	done, err := client.Rules.Complete(ctx, ruleID, laurel.CompleteRuleInputBody{
//		WalletAddress:  laurel.Set("customer-1042"),
//		RangeValue:     laurel.Set(laurel.Decimal("49.90")),
//		IdempotencyKey: laurel.Set("order-7731"),
//	})
//
// The operations stand in areas of the Client, such as client.Rules and client.Users. Each write gets an
// Idempotency-Key of its own, so that it counts once, however often it is sent.
package laurel

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client calls one server with one key. It may be used by several goroutines at once.
type Client struct {
	Areas
	settings Settings
	fault    error // of the settings; each call returns it
}

// Settings say how a client calls the server. The zero value of each but BaseURL and APIKey is its default.
type Settings struct {
	BaseURL     string // of the server, with its prefix if it has one: https://loyalty.example
	APIKey      string
	MemberToken string // of POST /api/users/tokens; needed beside a client key wherever a call names a member
	// HTTP sends the requests. Default: a client that gives up a single attempt after 30 seconds. A copy of it is used,
	// which follows no redirects, since they would send the key to another server: they are an Error.
	HTTP *http.Client
	// Retries is how often a request is sent again, after the first attempt. Default 4; a negative number is none. Only
	// reads, and writes with an Idempotency-Key, are sent again.
	Retries int
	// RetryWait is the longest pause before the first retry, and doubles with each, up to 10 seconds. Default 250 ms.
	// MaxRetryAfter is the longest Retry-After of a response that the client waits for. Default one minute.
	RetryWait, MaxRetryAfter time.Duration
	// Strict has the server refuse properties and query parameters that it does not know (Prefer: handling=strict).
	Strict bool
	// UserAgent is sent with each request. Default: laurel-go.
	UserAgent string
}

// New returns a client of the server at the address, with default settings.
func New(baseURL, apiKey string) *Client {
	return NewWith(Settings{BaseURL: baseURL, APIKey: apiKey})
}

// NewWith returns a client with the settings.
func NewWith(settings Settings) *Client {
	settings.BaseURL = strings.TrimRight(settings.BaseURL, "/")
	if settings.HTTP == nil {
		settings.HTTP = &http.Client{Timeout: 30 * time.Second}
	}
	sender := *settings.HTTP
	sender.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	settings.HTTP = &sender
	if settings.Retries == 0 {
		settings.Retries = 4
	}
	if settings.RetryWait <= 0 {
		settings.RetryWait = 250 * time.Millisecond
	}
	if settings.MaxRetryAfter <= 0 {
		settings.MaxRetryAfter = time.Minute
	}
	if settings.UserAgent == "" {
		settings.UserAgent = "laurel-go"
	}
	c := &Client{settings: settings, fault: checkBaseURL(settings.BaseURL)}
	c.Areas = newAreas(c)
	return c
}

// checkBaseURL returns an error that says what is wrong with the address of a server.
func checkBaseURL(text string) error {
	address, err := url.Parse(text)
	switch {
	case err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https":
		return fmt.Errorf("laurel: BaseURL is %q: it must be an address such as https://loyalty.example", text)
	case strings.HasSuffix(address.Path, "/api"):
		return fmt.Errorf("laurel: BaseURL is %q: leave out /api, which the client adds", text)
	}
	return nil
}

// As returns a client with the same settings that sends the token of a member.
func (c *Client) As(memberToken string) *Client {
	settings := c.settings
	settings.MemberToken = memberToken
	return NewWith(settings)
}

// Option changes one call.
type Option func(http.Header)

// IdempotencyKey sends the write under a key of your own, of 1 to 255 characters. Without the option the client makes
// one, which holds for the retries of this call alone.
func IdempotencyKey(key string) Option { return Header("Idempotency-Key", key) }

// IfMatch changes the record only if its updatedAt is still as it was read. Otherwise the call returns an Error with
// CodeRecordChanged.
func IfMatch(updatedAt time.Time) Option {
	return Header("If-Match", `"`+updatedAt.UTC().Format("2006-01-02T15:04:05.000Z07:00")+`"`)
}

// Strict has the server refuse properties and query parameters of this call that it does not know.
func Strict() Option { return Header("Prefer", "handling=strict") }

// Header sets a header of the request.
func Header(name, value string) Option {
	return func(h http.Header) { h.Set(name, value) }
}
