package platforms

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel/internal/configfile"
	"laurel.example/laurel/internal/outbound"
)

// API switches a built-in driver on: it asks the best-known public API of the platform (contract 8.8).
type API struct {
	URL   string // the base of the API
	Token string // the operator's credential there; "": none
}

// apiDriver is a built-in driver of one platform. Each stands in a file of its own, which alone names the API.
type apiDriver struct {
	url string // the default base of the API
	// tokenURL is where the API at the default base hands out access tokens; "": the credential itself is sent.
	tokenURL string
	// needsToken says that the API refuses calls without a credential.
	needsToken bool
	// headers returns the headers that carry the credential; nil: query or path do.
	headers func(token string) map[string]string
	// answers holds what the driver can answer, by rule type.
	answers map[string]apiAnswer
}

// apiAnswer says how questions of one rule type are answered.
type apiAnswer struct {
	ask func(ctx context.Context, s *apiSession, q Question) (Finding, error)
	// needs lists the properties of the metadata without which nothing can be asked. Of names with a bar between them one
	// suffices.
	needs []string
}

// apiDrivers are the built-in drivers by platform id.
var apiDrivers = map[string]*apiDriver{
	"chat_server": &chatServer, "code_host": &codeHost, "game_store": &gameStore, "messenger": &messenger,
	"forum_platform": &forumPlatform, "microblog": &microblog, "short_video": &shortVideo,
	"video_platform": &videoPlatform,
}

// BuiltIn returns the ids of the platforms that have a built-in driver, in order.
func BuiltIn() []string { return slices.Sorted(maps.Keys(apiDrivers)) }

// canAnswer reports whether the driver can answer for a rule of a type with this metadata.
func (d *apiDriver) canAnswer(ruleType string, metadata map[string]json.RawMessage) bool {
	answer, ok := d.answers[ruleType]
	return ok && !slices.ContainsFunc(answer.needs, func(names string) bool {
		for name := range strings.SplitSeq(names, "|") {
			if isTruthy(metadata[name]) {
				return false
			}
		}
		return true
	})
}

// apiSession makes the calls that answer one question.
type apiSession struct {
	client *Client
	driver *apiDriver
	api    API
	tenant string
	health string // the key of the driver's health
	calls  int
}

const (
	// maxCalls bounds the calls that answer one question, and with them the pages of a list that are read.
	maxCalls = 8
	// maxRateLimitPause bounds how long an API is left alone after it has said that its limit is reached.
	maxRateLimitPause = 15 * time.Minute
)

// errTooManyCalls ends a search for something that the first pages of a list do not hold.
var errTooManyCalls = errors.New("platforms: the list is too long")

// apiRequest is one call of an API.
type apiRequest struct {
	method string // "": GET
	path   string // below the base; begins with /
	query  url.Values
	body   []byte
	// address replaces base and path; "": they count.
	address string
	headers map[string]string
}

// tokenURL returns where access tokens are handed out: at the default address, or below the base that the operator has
// set.
func (s *apiSession) tokenURL() string {
	if s.api.URL != s.driver.url {
		return strings.TrimRight(s.api.URL, "/") + "/api/v1/access_token"
	}
	return s.driver.tokenURL
}

// get reads an answer into target, unless that is nil or the status is none of the two hundreds, and returns the
// status. Errors: *outbound.Fault, also while the limit of the API is reached, errTooManyCalls, ErrNoAnswer.
func (s *apiSession) get(ctx context.Context, path string, query url.Values, target any) (status int, err error) {
	status, body, err := s.call(ctx, apiRequest{path: path, query: query})
	if err != nil || status < 200 || status >= 300 || target == nil {
		return status, err
	}
	if err := json.Unmarshal(body, target); err != nil {
		return status, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	return status, nil
}

// call makes one call and returns its answer, whatever its status below 500 except 429.
func (s *apiSession) call(ctx context.Context, r apiRequest) (status int, body []byte, err error) {
	s.calls++
	if s.calls > maxCalls {
		return 0, nil, errTooManyCalls
	}
	headers := map[string]string{"Accept": "application/json"}
	if s.driver.headers != nil && s.api.Token != "" {
		maps.Copy(headers, s.driver.headers(s.api.Token))
	}
	maps.Copy(headers, r.headers)
	address := cmp.Or(r.address, strings.TrimRight(s.api.URL, "/")+r.path)
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	response, err := s.client.do(ctx, limitedCall{s.api.URL + " " + s.api.Token, s.health}, outbound.Call{
		Method: r.method, URL: address, Header: headers, Body: r.body, Timeout: callTimeout, MaxBytes: maxAPIAnswer,
		Tenant: s.tenant,
	})
	return response.Status, response.Body, err
}

// errLimited is the error of calls that are not sent, because the limit of the API is reached.
var errLimited = errors.New("platforms: the limit of the API is reached")

// shortPause is the longest pause that a call waits for, in place of failing.
const shortPause = 2 * time.Second

// limitedCall names the limit that a call counts against, and the health that it tells of.
type limitedCall struct{ limit, health string }

// do makes a call unless the limit of its API is reached, and notes if it is reached now. A short
// pause it waits for. Some APIs say that by the status 403 in place of 429: do returns the same Fault for both.
func (c *Client) do(ctx context.Context, key limitedCall, call outbound.Call) (outbound.Response, error) {
	if wait := c.limits.until(key.limit).Sub(c.now()); wait > shortPause {
		return outbound.Response{}, &outbound.Fault{Status: 429, Err: errLimited}
	} else if wait > 0 {
		select {
		case <-ctx.Done():
			return outbound.Response{}, &outbound.Fault{Err: ctx.Err()}
		case <-time.After(wait):
		}
	}
	var pause time.Duration
	call.HasSecretPath = true // some APIs take the credential there
	call.OnHead = func(status int, header func(string) string) {
		pause = rateLimitPause(status, header, c.now())
		if n, err := strconv.ParseUint(remainingCalls(header), 10, 63); err == nil {
			c.health.NoteRemaining(key.health, strconv.FormatUint(n, 10))
		}
	}
	response, err := c.outbound.Do(ctx, call)
	if pause > 0 {
		c.limits.set(key.limit, c.now().Add(min(pause, maxRateLimitPause)))
	}
	if err == nil && pause > 0 && response.Status == 403 {
		err = &outbound.Fault{Status: 429, Sent: true, Err: errLimited}
	}
	return response, err
}

const maxAPIAnswer = 8 << 20 // bytes

// rateLimitPause returns how long an API is to be left alone, by the headers that public APIs use: Retry-After, and
// reset times in seconds from now or as Unix time; 0 if its limit is not reached.
func rateLimitPause(status int, header func(name string) string, now time.Time) time.Duration {
	remaining := remainingCalls(header)
	isLimited := status == 429 || remaining == "0"
	if after, err := strconv.ParseFloat(header("Retry-After"), 64); err == nil && (isLimited || status == 403) {
		return max(time.Duration(after*float64(time.Second)), time.Second)
	}
	if !isLimited {
		return 0
	}
	if after, err := strconv.ParseFloat(header("X-RateLimit-Reset-After"), 64); err == nil {
		return max(time.Duration(after*float64(time.Second)), time.Millisecond)
	}
	reset := cmp.Or(header("X-RateLimit-Reset"), header("X-Rate-Limit-Reset"))
	if at, err := strconv.ParseFloat(reset, 64); err == nil {
		return max(time.UnixMilli(int64(at*1000)).Sub(now), 0)
	}
	if status == 429 {
		return defaultRateLimitPause
	}
	return 0
}

// remainingCalls returns how many calls an API still takes, by the headers that public APIs use; "" if it says nothing.
func remainingCalls(header func(name string) string) string {
	return cmp.Or(header("X-RateLimit-Remaining"), header("X-Rate-Limit-Remaining"))
}

const defaultRateLimitPause = 30 * time.Second

// unexpected returns the error for an answer whose status says nothing about the account: nil for a 404, and for those
// of the two hundreds.
func unexpected(status int) error {
	if status == 404 || status >= 200 && status < 300 {
		return nil
	}
	return &statusError{status}
}

// askAPI asks the built-in driver. A list that is longer than what is read finds nothing.
func (c *Client) askAPI(ctx context.Context, d *Driver, q Question) (Finding, error) {
	built := apiDrivers[d.Platform]
	s := &apiSession{client: c, driver: built, api: *d.API, tenant: q.Tenant, health: d.healthKey(q.Tenant)}
	found, err := built.answers[q.RuleType].ask(ctx, s, q)
	if errors.Is(err, errTooManyCalls) {
		return Finding{}, nil
	}
	return found, err
}

// readAPI reads which built-in driver is switched on; nil: none.
func (r Reader) readAPI(o configfile.Object, platform string) *API {
	if !o.Has("api") {
		return nil
	}
	built := apiDrivers[platform]
	if built == nil {
		o.Fault("api", "is for the platforms %s", strings.Join(BuiltIn(), ", "))
		return nil
	}
	child, ok := o.Object("api", "url", "token")
	if !ok {
		return nil
	}
	api := &API{URL: cmp.Or(child.URL("url", r.Guard), built.url), Token: child.Text("token")}
	if built.needsToken {
		api.Token = child.RequiredText("token")
	}
	outbound.CheckHeaderValue(r.Faults, child.Path("token"), cmp.Or(api.Token, "none"))
	return api
}
