package dashboard

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"laurel"
	"laurel/internal/admins"
	layout "laurel/internal/content/pages"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/reset"
	"laurel/internal/tenancy"
)

// templateFiles are the templates: frames and parts that pages share, and a file per page.
//
//go:embed templates
var templateFiles embed.FS

// templateSet holds the templates by name, each with the frames and parts. A template is parsed when it is first shown:
// parsing all takes longer than the rest of a server's start.
type templateSet map[string]func() (*template.Template, error)

// loadTemplates returns the set of all page templates, each with the shared frames and parts. A template is parsed when
// it is first used.
func (d *Dashboard) loadTemplates() (templateSet, error) {
	names, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		return nil, err
	}
	shared := sync.OnceValues(func() (*template.Template, error) {
		return template.New("").Funcs(d.templateFuncs()).ParseFS(templateFiles, "templates/shared/*.html")
	})
	all := templateSet{}
	for _, name := range names {
		all[strings.TrimSuffix(path.Base(name), ".html")] = sync.OnceValues(func() (*template.Template, error) {
			parts, err := shared()
			if err != nil {
				return nil, err
			}
			page, err := parts.Clone()
			if err != nil {
				return nil, err
			}
			return page.ParseFS(templateFiles, name)
		})
	}
	return all, nil
}

// get returns the template of a page. It panics if that is missing or malformed: templates are embedded, and a test
// parses all of them.
func (p templateSet) get(name string) *template.Template {
	parse, ok := p[name]
	if !ok {
		panic("no template " + name)
	}
	page, err := parse()
	if err != nil {
		panic(err)
	}
	return page
}

// themeCookie holds light or dark, where an admin has chosen.
const themeCookie = "laurel_theme"

// screen is what templates see: the request, the page's data, and what the frames need.
type screen struct {
	*request
	Title  string
	Active string
	Notice string // result of the last action, shown once
	Theme  string // light, dark, or empty for the system's
	Data   any
}

// writeView sends the view of a route: a redirect, a file, or a page. It also stores a chosen theme in a cookie.
func (c *request) writeView(w http.ResponseWriter, r route, v view) {
	if v.theme == "light" || v.theme == "dark" {
		http.SetCookie(w, &http.Cookie{
			Name: themeCookie, Value: v.theme, Path: c.d.base, MaxAge: 365 * 24 * 3600, HttpOnly: true,
			SameSite: http.SameSiteLaxMode, Secure: c.d.Secure,
		})
	}
	if v.redirectTo != "" {
		http.Redirect(w, c.Request, v.redirectTo, http.StatusSeeOther)
		return
	}
	if v.stream != nil {
		c.streamFile(w, v)
		return
	}
	c.writePage(w, r, v)
}

// signedOut is the menu item of the page that tells a script that the session has ended.
const signedOut = "signed-out"

// writePage renders the page of a view in its frame, fills in the draft of the page if there is one, and sends the
// page. If the template fails, it logs the error and sends the request's id instead.
func (c *request) writePage(w http.ResponseWriter, r route, v view) {
	if v.menuItem == signedOut { // the response to a script, which then asks the admin to sign in
		w.Header().Set("Hx-Trigger", signedOut)
	}
	page := c.d.templates.get(v.template)
	s := screen{request: c, Title: v.title, Active: v.menuItem, Notice: c.notice, Data: v.data}
	if s.Active == "" {
		s.Active = r.menuItem
	}
	if cookie, err := c.Cookie(themeCookie); err == nil && (cookie.Value == "light" || cookie.Value == "dark") {
		s.Theme = cookie.Value
	}
	var body bytes.Buffer
	if err := page.ExecuteTemplate(&body, frameOf(page), s); err != nil {
		c.d.Logger.Error("a template failed", slog.String("request", c.requestID), slog.String("page", v.template), slog.Any("error", err))
		http.Error(w, "Something went wrong on our side. Give this ID to your server’s operator: "+c.requestID, http.StatusInternalServerError)
		return
	}
	if err := c.restoreDraft(&body); err != nil { // the page without it is better than none
		c.d.Logger.Error("a kept form could not be shown", slog.String("request", c.requestID), slog.Any("error", err))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Vary", "Accept-Encoding, Cookie, HX-Request")
	if c.hasFormID && c.Method == http.MethodGet {
		// The browser may keep the page: Back then shows the same form, with the id by which it counts once.
		w.Header().Set("Cache-Control", "private, no-cache")
	}
	c.writeBody(w, cmp.Or(v.status, http.StatusOK), &body)
}

// writeBody sends a status and a body, compressed if the browser accepts gzip.
func (c *request) writeBody(w http.ResponseWriter, status int, body *bytes.Buffer) {
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
func (c *request) streamFile(w http.ResponseWriter, v view) {
	w.Header().Set("Content-Type", v.contentType)
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", v.fileName))
	if err := v.stream(w); err != nil {
		c.d.Logger.Error("a download broke off", slog.String("request", c.requestID), slog.Any("error", err))
		panic(http.ErrAbortHandler)
	}
}

// templateFuncs returns the functions that templates can call in addition to the methods of screen.
func (d *Dashboard) templateFuncs() template.FuncMap {
	return template.FuncMap{
		"icon":     d.icon,
		"asset":    func(name string) string { return d.base + "/assets/" + d.assets.names[name] },
		"num":      number,
		"short":    shorten,
		"roleName": func(r laurel.Role) string { return RoleNames[r] },
		"initials": initials,
		"sentence": sentence,
		"dict":     dict,
		"plural":   plural,
		"base":     func() string { return d.base },
		"htmx":     func() string { return htmxSettings },
		"keyKind":  keyKindName,
		"agent":    agentName,
		// of fault_labels.go
		"faultLabel": faultLabel,
		"faultField": faultField,
		"badgeJob":   badgeJobText,
		// of jobs.go
		"clearing":   func(k reset.Kind) string { return resetKindLabels[k] },
		"importKind": func(k lists.Kind) string { return importKinds[k] },
		"stateName":  stateName,
		"lasts":      formatDuration,
		"signed":     signed,
		"add1":       func(i int) int { return i + 1 },
		"runTrigger": func(trigger string) string { return triggerNames[trigger] },
		// of rules
		"ruleState":    func(s screen, r catalog.Rule) (catalog.State, error) { return s.ruleState(r) },
		"ruleTabs":     func(s screen, r catalog.Rule) []tab { return s.ruleTabs(r) },
		"missingSetup": func(s screen, r catalog.Rule) ([]setupGap, error) { return s.missingSetup(r) },
		// of content
		"blockName":    blockName,
		"byteSize":     byteSize,
		"sectionsPath": func(s screen, of layout.Section) string { return s.sectionsPath(of.Place()) },
	}
}

// icon returns the SVG of an icon by its name. It is hidden from screen readers, as a text stands next to it.
func (d *Dashboard) icon(name string) template.HTML {
	return template.HTML(`<svg class="i" aria-hidden="true"><use href="` + d.base + "/assets/" + //nolint:gosec // of our own templates
		d.assets.names["icons.svg"] + "#" + template.HTMLEscapeString(name) + `"/></svg>`)
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

// number writes an amount, a count, or a pointer to a count, with thousands separators: -1234.5 becomes −1,234.5.
func number(v any) string {
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

// shorten cuts the middle out of a wallet, id or other text of more than 16 letters. A nil text is empty.
func shorten(v any) string {
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

// plural joins a count and a noun: "1 member", "2 members". one and many are the forms of the noun.
func plural(count any, one, many string) string {
	if text := number(count); text != "1" {
		return text + " " + many
	}
	return "1 " + one
}

// formatDuration writes a duration in its largest unit, rounded down: seconds, minutes or hours.
func formatDuration(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	default:
		return plural(int(d.Hours()), "hour", "hours")
	}
}

// At returns the path of a page of this website.
func (s screen) At(parts ...any) string { return s.sitePath(parts...) }

// Own returns the path of a page that belongs to no website.
func (s screen) Own(parts ...any) string { return s.d.path(parts...) }

// May reports whether the role has a right, by its short name.
func (s screen) May(right string) bool { return admins.May(s.role, admins.Right(right)) }

// Admin returns the signed-in admin.
func (s screen) Admin() admins.Admin { return s.admin }

// Site is the website of the page.
func (s screen) Site() tenancy.Website { return s.site }

// HasSite reports whether the page is of a website.
func (s screen) HasSite() bool { return !s.site.ID.IsZero() }

// Organization returns the name of the website's organization.
func (s screen) Organization() string { return s.siteOrganization.Organization.Name }

// Organizations are the organizations and websites to switch to.
func (s screen) Organizations() []organizationAccess { return s.organizations }

// Role returns the admin's role on the website.
func (s screen) Role() laurel.Role { return s.role }

// Moment writes a time in the admin's zone: "23 Nov, 14:02", with the year where it is another one.
func (s screen) Moment(t any) string { return s.format(t, "2 Jan, 15:04", "2 Jan 2006, 15:04") }

// Date writes a day in the admin's zone.
func (s screen) Date(t any) string { return s.format(t, "2 Jan", "2 Jan 2006") }

// UTC writes a time in UTC, with seconds; empty if there is none.
func (s screen) UTC(t any) string {
	at, ok := timeOf(t)
	if !ok {
		return ""
	}
	return at.UTC().Format("2 Jan 2006, 15:04:05 UTC")
}

// ISO writes a time in UTC as RFC 3339 has it; empty if there is none.
func (s screen) ISO(t any) string {
	at, ok := timeOf(t)
	if !ok {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// Ago writes how long ago a time was, after two weeks the date. It writes a time in the future as a moment, and "never"
// if there is no time.
func (s screen) Ago(t any) string {
	at, ok := timeOf(t)
	if !ok {
		return "never"
	}
	switch since := s.d.Now().Sub(at); {
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
func (s screen) Past(t any) bool {
	at, ok := timeOf(t)
	return ok && !at.After(s.d.Now())
}

// Origin returns the address of the service as the browser sees it, with the path prefix.
func (s screen) Origin() string {
	scheme := "http"
	if s.d.Secure || s.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + s.Host + s.d.Prefix
}

// Zone names the admin's zone.
func (s screen) Zone() string { return s.timeZone.String() }

// format writes a time in the admin's time zone: in the layout thisYear if it is of this year, else in the layout
// other. It is empty if there is no time.
func (s screen) format(t any, thisYear, other string) string {
	at, ok := timeOf(t)
	if !ok {
		return ""
	}
	at = at.In(s.timeZone)
	if at.Year() == s.d.Now().In(s.timeZone).Year() {
		return at.Format(thisYear)
	}
	return at.Format(other)
}

// timeOf returns the time in any of the types that services return times in. It returns false if the time is nil, zero
// or of another type.
func timeOf(t any) (time.Time, bool) {
	switch t := t.(type) {
	case time.Time:
		return t, !t.IsZero()
	case *time.Time:
		if t != nil {
			return *t, true
		}
	case laurel.Timestamp:
		return t.Time, !t.IsZero()
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

// sentence begins a text with a capital.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
