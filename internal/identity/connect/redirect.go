package connect

import (
	"net/url"
	"slices"
	"strings"

	"laurel.example/laurel"
)

// ErrorCode says why a flow has failed, to programs (contract 2, connect error code).
type ErrorCode string

// The error codes of flows.
const (
	MaximumAccountLinked ErrorCode = "MAXIMUM_ACCOUNT_LINKED"
	ChannelNotFound      ErrorCode = "VIDEO_PLATFORM_CHANNEL_NOT_FOUND"
	AccessDenied         ErrorCode = "ACCESS_DENIED"
	InvalidState         ErrorCode = "INVALID_STATE"
	StateExpired         ErrorCode = "STATE_EXPIRED"
	ProviderError        ErrorCode = "PROVIDER_ERROR"
	ProfileCodeNotFound  ErrorCode = "PROFILE_CODE_NOT_FOUND"
	InvalidCode          ErrorCode = "INVALID_CODE"
	CodeExpired          ErrorCode = "CODE_EXPIRED"
	TooManyAttempts      ErrorCode = "TOO_MANY_ATTEMPTS"
)

// Outcome is how a flow has ended.
type Outcome struct {
	Platform string
	// Error is "" for a success.
	Error   ErrorCode
	Message string
	// AccountLink moves the account to the member who has proved it (accountLinkData), for MaximumAccountLinked.
	AccountLink string
}

// outcomeParameters are the query parameters by which a redirect names an outcome.
var outcomeParameters = []string{"status", "authType", "error", "accountLinkData", "message"}

// Address returns the redirect with the outcome in its query (contract 8.1). Other parameters of the redirect are kept
// as they are; those that an outcome has are replaced, so that nobody but the service names one.
func (o Outcome) Address(redirect string) string {
	if o.Error == "" {
		return setOutcome(redirect, [][2]string{{"status", "success"}, {"authType", o.Platform}})
	}
	return setOutcome(redirect, [][2]string{
		{"status", "error"}, {"error", string(o.Error)}, {"accountLinkData", o.AccountLink}, {"message", o.Message},
	})
}

// setOutcome returns the redirect with these parameters in its query, in place of those that an outcome may have.
// Parameters without a value are left out.
func setOutcome(redirect string, parameters [][2]string) string {
	u, err := url.Parse(redirect)
	if err != nil {
		return redirect // checkRedirect has accepted it
	}
	var parts []string
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		name, _, _ := strings.Cut(part, "=")
		if name, err = url.QueryUnescape(name); part != "" && err == nil && !slices.Contains(outcomeParameters, name) {
			parts = append(parts, part)
		}
	}
	for _, p := range parameters {
		if p[1] != "" {
			parts = append(parts, p[0]+"="+url.QueryEscape(p[1]))
		}
	}
	u.RawQuery, u.ForceQuery = strings.Join(parts, "&"), false
	return u.String()
}

const maxRedirect = 2048

// scriptSchemes are schemes that run scripts or read files in some browsers. No app has one of them.
var scriptSchemes = []string{
	"about", "blob", "data", "file", "filesystem", "javascript", "jar", "vbscript", "view-source",
}

// parseRedirect parses an address to which a browser is sent at the end of a flow: of http, https or an app's scheme.
// It adds a fault unless it is valid; "" is none.
func parseRedirect(f *laurel.Faults, redirect string) *url.URL {
	if redirect == "" {
		return nil
	}
	u, err := url.Parse(redirect)
	isWeb := err == nil && (strings.EqualFold(u.Scheme, "http") || strings.EqualFold(u.Scheme, "https"))
	if err != nil || len(redirect) > maxRedirect || u.Scheme == "" || u.User != nil ||
		isWeb && (u.Hostname() == "" || u.Opaque != "") || slices.Contains(scriptSchemes, strings.ToLower(u.Scheme)) ||
		strings.ContainsFunc(redirect, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }) {
		f.Add("redirect", "must be a valid url")
		return nil
	}
	return u
}

// originOf returns the origin of an address, such as https://shop.example (RFC 6454): without the default port, in
// lower case. It returns "" for an address without a host.
func originOf(u *url.URL) string {
	if u == nil || u.Host == "" {
		return ""
	}
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	switch scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return scheme + "://" + strings.TrimSuffix(host, ":")
}

// chooseRedirect returns the address to which a flow leads in the end: the one that the caller names, else the
// website's homeUrl; "" if there is neither. A client key may name an address of its allowed origins or of homeUrl
// only. Errors: Invalid, Refused "redirect is not allowed".
func chooseRedirect(scope laurel.Scope, redirect, homeURL string, allowedOrigins []string) (string, error) {
	var f laurel.Faults
	u := parseRedirect(&f, redirect)
	if err := f.Err(); err != nil {
		return "", err
	}
	if u == nil {
		if home := parseRedirect(&f, homeURL); home == nil {
			return "", nil
		}
		return homeURL, nil
	}
	home, _ := url.Parse(homeURL)
	if scope.HasSecretKey() || originOf(u) != "" && originOf(u) == originOf(home) {
		return redirect, nil
	}
	isSame := func(allowed string) bool { return strings.EqualFold(allowed, originOf(u)) }
	if originOf(u) != "" && slices.ContainsFunc(allowedOrigins, isSame) {
		return redirect, nil
	}
	return "", laurel.Errorf(laurel.Refused, "redirect is not allowed")
}
