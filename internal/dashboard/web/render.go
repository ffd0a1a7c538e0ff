package web

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
)

// themeCookie holds light or dark, where an admin has chosen.
const themeCookie = "laurel_theme"

// Screen is what templates see: the request, the page's data, and what the frames need.
type Screen struct {
	*Call
	Title  string
	Active string
	Notice string // result of the last action, shown once
	Theme  string // light, dark, or empty for the system's
	Data   any
}

// writeView sends the view of a route: a redirect, a file, or a page. It also stores a chosen theme in a cookie.
func (c *Call) writeView(w http.ResponseWriter, r Route, v View) {
	if v.Theme == "light" || v.Theme == "dark" {
		http.SetCookie(w, &http.Cookie{
			Name: themeCookie, Value: v.Theme, Path: c.Base, MaxAge: 365 * 24 * 3600, HttpOnly: true,
			SameSite: http.SameSiteLaxMode, Secure: c.Secure,
		})
	}
	if v.RedirectTo != "" {
		http.Redirect(w, c.Request, v.RedirectTo, http.StatusSeeOther)
		return
	}
	if v.Stream != nil {
		c.streamFile(w, v)
		return
	}
	c.writePage(w, r, v)
}

// signedOut is the menu item of the page that tells a script that the session has ended.
const signedOut = "signed-out"

// writePage renders the page of a view in its frame, fills in the draft of the page if there is one, and sends the
// page. If the template fails, it logs the error and sends the request's id instead.
func (c *Call) writePage(w http.ResponseWriter, r Route, v View) {
	if v.menuItem == signedOut { // the response to a script, which then asks the admin to sign in
		w.Header().Set("Hx-Trigger", signedOut)
	}
	page := c.templates.get(v.Template)
	s := Screen{Call: c, Title: v.Title, Active: v.menuItem, Notice: c.notice, Data: v.Data}
	if s.Active == "" {
		s.Active = r.MenuItem
	}
	if cookie, err := c.Cookie(themeCookie); err == nil && (cookie.Value == "light" || cookie.Value == "dark") {
		s.Theme = cookie.Value
	}
	var body bytes.Buffer
	if err := page.ExecuteTemplate(&body, frameOf(page), s); err != nil {
		c.Logger.Error("a template failed", slog.String("request", c.requestID), slog.String("page", v.Template), slog.Any("error", err))
		http.Error(w, "Something went wrong on our side. Give this ID to your server’s operator: "+c.requestID, http.StatusInternalServerError)
		return
	}
	if err := c.restoreDraft(&body); err != nil { // the page without it is better than none
		c.Logger.Error("a kept form could not be shown", slog.String("request", c.requestID), slog.Any("error", err))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Vary", "Accept-Encoding, Cookie, HX-Request")
	if c.hasFormID && c.Method == http.MethodGet {
		// The browser may keep the page: Back then shows the same form, with the id by which it counts once.
		w.Header().Set("Cache-Control", "private, no-cache")
	}
	c.writeBody(w, cmp.Or(v.Status, http.StatusOK), &body)
}

// writeBody sends a status and a body, compressed if the browser accepts gzip.
func (c *Call) writeBody(w http.ResponseWriter, status int, body *bytes.Buffer) {
	if !acceptsGzip(c.Request) {
		w.WriteHeader(status)
		_, _ = body.WriteTo(w) // a disconnected browser needs no response
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.WriteHeader(status)
	packed := gzip.NewWriter(w)
	_, _ = body.WriteTo(packed)
	_ = packed.Close()
}

// frameOf returns the name of a page's frame: "door" for pages before signing in, "shell" for all others.
func frameOf(page *template.Template) string {
	if page.Lookup("door-form") != nil {
		return "door"
	}
	return "shell"
}

// streamFile sends a file as it is written. If writing fails halfway, it aborts the connection, so that the browser
// does not take the part for the whole.
func (c *Call) streamFile(w http.ResponseWriter, v View) {
	w.Header().Set("Content-Type", v.ContentType)
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", v.FileName))
	if err := v.Stream(w); err != nil {
		c.Logger.Error("a download broke off", slog.String("request", c.requestID), slog.Any("error", err))
		panic(http.ErrAbortHandler)
	}
}

// icon returns the SVG of an icon by its name. It is hidden from screen readers, as a text stands next to it.
func (s *Server) icon(name string) template.HTML {
	return template.HTML(`<svg class="i" aria-hidden="true"><use href="` + s.Base + "/assets/" + //nolint:gosec // of our own templates
		s.assets.names["icons.svg"] + "#" + template.HTMLEscapeString(name) + `"/></svg>`)
}

// dict returns a map of its arguments, which are names and values in turn. Templates use it to pass several values to
// another template.
func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("dict takes pairs")
	}
	values := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("dict: %v is no name", pairs[i])
		}
		values[name] = pairs[i+1]
	}
	return values, nil
}

// Number writes an amount, a count, or a pointer to a count, with thousands separators: -1234.5 becomes −1,234.5.
func Number(v any) string {
	if count, ok := v.(*int64); ok && count != nil {
		v = *count
	}
	text := fmt.Sprint(v)
	sign := ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = "−", rest
	}
	whole, decimals, hasDecimals := strings.Cut(text, ".")
	var grouped strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			grouped.WriteByte(',')
		}
		grouped.WriteRune(digit)
	}
	if hasDecimals {
		return sign + grouped.String() + "." + decimals
	}
	return sign + grouped.String()
}

// Shorten cuts the middle out of a wallet, id or other text of more than 16 letters. A nil text is empty.
func Shorten(v any) string {
	text := fmt.Sprint(v)
	if pointer, ok := v.(*string); ok {
		if pointer == nil {
			return ""
		}
		text = *pointer
	}
	runes := []rune(text)
	if len(runes) <= 16 {
		return text
	}
	return string(runes[:7]) + "…" + string(runes[len(runes)-5:])
}

// initials returns the first letters of the first two words of a name, in capitals.
func initials(name string) string {
	var out []rune
	for word := range strings.FieldsSeq(name) {
		if first, _ := utf8.DecodeRuneInString(word); len(out) < 2 {
			out = append(out, first)
		}
	}
	return strings.ToUpper(string(out))
}

// Plural joins a count and a noun: "1 member", "2 members". one and many are the forms of the noun.
func Plural(count any, one, many string) string {
	if text := Number(count); text != "1" {
		return text + " " + many
	}
	return "1 " + one
}

// FormatDuration writes a duration in its largest unit, rounded down: seconds, minutes or hours.
func FormatDuration(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	default:
		return Plural(int(d.Hours()), "hour", "hours")
	}
}

// At returns the path of a page of this website.
func (s Screen) At(parts ...any) string { return s.SitePath(parts...) }

// Own returns the path of a page that belongs to no website.
func (s Screen) Own(parts ...any) string { return s.Path(parts...) }

// May reports whether the role has a right, by its short name.
func (s Screen) May(right string) bool { return admins.May(s.Role, admins.Right(right)) }

// HasSite reports whether the page is of a website.
func (s Screen) HasSite() bool { return !s.Site.ID.IsZero() }

// Organization returns the name of the website's organization.
func (s Screen) Organization() string { return s.SiteOrganization.Organization.Name }

// Moment writes a time in the admin's zone: "23 Nov, 14:02", with the year where it is another one.
func (s Screen) Moment(t any) string { return s.format(t, "2 Jan, 15:04", "2 Jan 2006, 15:04") }

// Date writes a day in the admin's zone.
func (s Screen) Date(t any) string { return s.format(t, "2 Jan", "2 Jan 2006") }

// UTC writes a time in UTC, with seconds; empty if there is none.
func (s Screen) UTC(t any) string {
	at, ok := TimeOf(t)
	if !ok {
		return ""
	}
	return at.UTC().Format("2 Jan 2006, 15:04:05 UTC")
}

// ISO writes a time in UTC as RFC 3339 has it; empty if there is none.
func (s Screen) ISO(t any) string {
	at, ok := TimeOf(t)
	if !ok {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// Ago writes how long ago a time was, after two weeks the date. It writes a time in the future as a moment, and "never"
// if there is no time.
func (s Screen) Ago(t any) string {
	at, ok := TimeOf(t)
	if !ok {
		return "never"
	}
	switch since := s.Now().Sub(at); {
	case since < 0:
		return s.Moment(at)
	case since < time.Minute:
		return "just now"
	case since < time.Hour:
		return fmt.Sprintf("%d min ago", int(since.Minutes()))
	case since < 24*time.Hour:
		return fmt.Sprintf("%d h ago", int(since.Hours()))
	case since < 14*24*time.Hour:
		return fmt.Sprintf("%d d ago", int(since.Hours()/24))
	default:
		return s.Date(at)
	}
}

// Past reports whether a time is over.
func (s Screen) Past(t any) bool {
	at, ok := TimeOf(t)
	return ok && !at.After(s.Now())
}

// Origin returns the address of the service as the browser sees it, with the path prefix.
func (s Screen) Origin() string {
	scheme := "http"
	if s.Secure || s.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + s.Host + s.Prefix
}

// Zone names the admin's zone.
func (s Screen) Zone() string { return s.timeZone.String() }

// format writes a time in the admin's time zone: in the layout thisYear if it is of this year, else in the layout
// other. It is empty if there is no time.
func (s Screen) format(t any, thisYear, other string) string {
	at, ok := TimeOf(t)
	if !ok {
		return ""
	}
	at = at.In(s.timeZone)
	if at.Year() == s.Now().In(s.timeZone).Year() {
		return at.Format(thisYear)
	}
	return at.Format(other)
}

// TimeOf returns the time in any of the types that services return times in. It returns false if the time is nil, zero
// or of another type.
func TimeOf(t any) (time.Time, bool) {
	switch t := t.(type) {
	case time.Time:
		return t, !t.IsZero()
	case *time.Time:
		if t != nil {
			return *t, true
		}
	case laurel.Timestamp:
		return t.Time, !t.IsZero()
	case *laurel.Timestamp:
		if t != nil {
			return t.Time, !t.IsZero()
		}
	case laurel.NullTimestamp:
		return t.Time, !t.IsZero()
	}
	return time.Time{}, false
}

// htmxSettings keep htmx within the content security policy, and let a refused form replace the posted one.
const htmxSettings = `{"includeIndicatorStyles":false,"allowEval":false,"allowScriptTags":false,` +
	`"selfRequestsOnly":true,"historyCacheSize":0,"refreshOnHistoryMiss":true,"defaultSwapStyle":"outerHTML",` +
	`"responseHandling":[{"code":"204","swap":false},{"code":"[23]..","swap":true},` +
	`{"code":"400","swap":true,"error":false},{"code":"[45]..","swap":false,"error":true}]}`

// Sentence begins a text with a capital.
func Sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Moved reports whether a group or rule was just moved by the named button, which then gets the focus again. If that
// button is disabled, as the item is at an end, the other one gets it.
func (s Screen) Moved(id laurel.ID, to string, otherOff bool) bool {
	query := s.URL.Query()
	return query.Get("moved") == id.String() && (query.Get("to") == to || otherOff)
}
