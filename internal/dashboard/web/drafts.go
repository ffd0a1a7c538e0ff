package web

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
)

// browserCookie returns the cookie that binds drafts to the browser that sent them. It outlives sessions.
func (s *Server) browserCookie(token string) *http.Cookie {
	return &http.Cookie{
		Name: browserCookieName, Value: token, Path: s.Base, MaxAge: 30 * 24 * 3600, HttpOnly: true,
		SameSite: http.SameSiteLaxMode, Secure: s.Secure,
	}
}

const (
	browserCookieName = "laurel_browser"
	hasDraftsKey      = "kept" // session key, set if there are drafts for its browser
)

// BrowserToken returns the token under which drafts of this browser are stored; empty if it has none.
func (c *Call) BrowserToken() string {
	cookie, err := c.Cookie(browserCookieName)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// secretName matches names of fields whose values must not be stored.
var secretName = regexp.MustCompile(`(?i)pass|secret|confirm|token|auth_?value|credential|api_?key$|rewards.*key`)

// urlWithPassword matches a URL with a user name or password.
var urlWithPassword = regexp.MustCompile(`://[^/?#\s]*@|://[^\s@]*:[^\s@]*@`)

// saveDraft stores the posted form as a draft until the admin has signed in again, without passwords and secrets. It
// returns the path of the page that held the form, to which the admin is then led. The path is empty for forms outside
// of websites, which are about passwords, and if the draft was not accepted; then nothing is stored. A form with a file
// is not stored either, as files are not read before their sender is known, but its page is returned.
func (c *Call) saveDraft(r Route) (page string, err error) {
	if r.Access != OnWebsite {
		return "", nil
	}
	page = c.formPage(r)
	mediaType, _, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if err == nil && mediaType == "multipart/form-data" {
		return page, nil
	}
	fields := map[string][]string{}
	for name, values := range c.PostForm {
		values = slices.Clone(values)
		if name == "metadata" {
			for i, text := range values {
				values[i] = withoutSecrets(text)
			}
		}
		if !secretName.MatchString(name) && !slices.ContainsFunc(values, urlWithPassword.MatchString) {
			fields[name] = values
		}
	}
	saved, err := c.Admins.SaveDraft(c.Context(), c.BrowserToken(), admins.FormDraft{
		Page: page, Action: strings.TrimPrefix(c.URL.Path, RootPath), Fields: fields,
	})
	if !saved {
		page = ""
	}
	if err == nil && saved && !c.draftID.IsZero() { // the form was filled from an earlier draft
		err = c.Admins.DeleteDraft(c.Context(), c.BrowserToken(), c.draftID)
	}
	return page, err
}

// withoutSecrets returns a JSON object without the properties that look like secrets. It returns an empty text if the
// text is no object, or if nothing is left.
func withoutSecrets(text string) string {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var properties map[string]any
	if decoder.Decode(&properties) != nil || properties == nil {
		return ""
	}
	for name, value := range properties {
		if secretName.MatchString(name) || urlWithPassword.Match(MustEncode(value)) || containsSecretName(value) {
			delete(properties, name)
		}
	}
	if len(properties) == 0 {
		return ""
	}
	return string(MustEncode(properties))
}

// containsSecretName reports whether a JSON value contains, at any depth, a property whose name is like that of a
// secret.
func containsSecretName(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		for name, property := range v {
			if secretName.MatchString(name) || containsSecretName(property) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, containsSecretName)
	}
	return false
}

// formPage returns the path, below /admin, of the page that held the posted form. That is usually the page from which
// the browser sent it. But a form that was refused once is shown at the address that it posts to, which may be no page.
// Then its page is derived from the route: the page "new" below the address, the page of the same address, or that of
// the website.
func (c *Call) formPage(posted Route) string {
	hasPage := func(referrer string) bool {
		return slices.ContainsFunc(c.routes, func(r Route) bool {
			return r.Access == OnWebsite && r.Method == http.MethodGet && r.Path == referrer
		})
	}
	path, websitePage := strings.TrimPrefix(c.URL.Path, RootPath), "/"+c.PathValue("website")
	if from, err := url.Parse(c.Referer()); err == nil && from.Host == c.Host {
		referrer, below := strings.CutPrefix(from.Path, c.Base)
		// a form that was sent from the address that it posts to was refused before, unless that is the form's own page
		if below && IsLocalPath(referrer) && (referrer != path || hasPage(posted.Path) && !hasPage(posted.Path+"/new")) {
			from.Path = referrer
			return from.RequestURI()
		}
	}
	switch {
	case hasPage(posted.Path + "/new"):
		return path + "/new"
	case hasPage(posted.Path):
		return path
	}
	return websitePage
}

// NoteDrafts notes in a new session whether the browser has drafts of the admin. It registers a browser that has no
// token yet.
func (c *Call) NoteDrafts(admin admins.Admin) (err error) {
	if c.newBrowserToken, err = c.Admins.RegisterBrowser(c.Context(), admin.ID, c.BrowserToken()); err != nil {
		return err
	}
	list, err := c.Admins.Drafts(c.Context(), c.newBrowserToken, admin.ID)
	if len(list) > 0 {
		c.Sessions.Put(c.Session, hasDraftsKey, "yes")
	}
	return err
}

// draftField is the hidden field with the id of the draft that a form was filled from.
const draftField = "keptForm"

// takeDraftID reads which draft the posted form was filled from into c.draftID, and removes the field, so that handlers
// do not see it.
func (c *Call) takeDraftID() {
	c.draftID, _ = laurel.ParseID(c.PostForm.Get(draftField)) // an invalid id means no draft
	c.PostForm.Del(draftField)
	c.Form.Del(draftField)
}

// dropSentDraft deletes the draft that the posted form was filled from, unless the form was refused, was shown again,
// or has an unknown outcome. A failure is only logged, as the change is made.
func (c *Call) dropSentDraft(v View) {
	if c.draftID.IsZero() || v.OutcomeUnknown || v.Status >= http.StatusBadRequest || v.RedirectTo == "" && !v.FormDone {
		return
	}
	done := context.WithoutCancel(c.Context()) // even if the browser has disconnected, as the change is made
	if err := c.Admins.DeleteDraft(done, c.BrowserToken(), c.draftID); err != nil {
		c.Logger.Error("a kept form could not be forgotten", slog.String("request", c.requestID), slog.Any("error", err))
	}
}

// restoreDraft changes the rendered page in body, if the admin has a draft that matters there. A draft of the requested
// page is filled into the form that it was typed in. The form is marked as not saved, and the admin must send it again.
// A posted form that is shown again has its values already; it only gets the id of its draft back.
func (c *Call) restoreDraft(body *bytes.Buffer) error {
	if c.Method == http.MethodPost && !c.draftID.IsZero() && c.Header.Get("Hx-Request") == "" {
		page, err := html.Parse(bytes.NewReader(body.Bytes()))
		if err != nil {
			return err
		}
		form := findForm(page, c.Prefix+c.URL.Path)
		if form == nil {
			return nil
		}
		addDraftID(form, c.draftID)
		body.Reset()
		return html.Render(body, page)
	}
	if c.Session == nil || c.Admin.ID.IsZero() || c.Method != http.MethodGet ||
		c.Sessions.GetString(c.Session, hasDraftsKey) == "" {
		return nil
	}
	drafts, err := c.Admins.Drafts(c.Context(), c.BrowserToken(), c.Admin.ID)
	if err != nil {
		return err
	}
	path := strings.TrimPrefix(c.URL.RequestURI(), RootPath)
	for _, draft := range drafts {
		if draft.Page == path {
			return c.fillDraft(body, draft)
		}
	}
	return nil
}

// unplacedField is a field that was typed and that the page does not hold, such as a further row.
type unplacedField struct{ Name, Value string }

// fillDraft fills a draft into its form of the rendered page in body. At the top of the page it adds a banner that
// lists the values for which the page has no control.
func (c *Call) fillDraft(body *bytes.Buffer, draft admins.FormDraft) error {
	page, err := html.Parse(bytes.NewReader(body.Bytes()))
	if err != nil {
		return err
	}
	unplaced := fillForm(page, c.Base+draft.Action, draft.Fields)
	if form := findForm(page, c.Base+draft.Action); form != nil {
		addDraftID(form, draft.ID)
	}
	var banner bytes.Buffer
	if err := c.templates.get("problem").ExecuteTemplate(&banner, "kept", unplaced); err != nil {
		return err
	}
	main := findNode(page, func(n *html.Node) bool { return n.DataAtom == atom.Main })
	if main == nil {
		return nil
	}
	nodes, err := html.ParseFragment(&banner, &html.Node{Type: html.ElementNode, Data: "main", DataAtom: atom.Main})
	if err != nil {
		return err
	}
	for _, n := range slices.Backward(nodes) {
		main.InsertBefore(n, main.FirstChild)
	}
	body.Reset()
	return html.Render(body, page)
}

// fillForm writes values into the controls of the form that posts to an address, and returns the values for which the
// page has no control. Hidden fields are filled, too: the base version is how a conflicting change is found. Passwords
// stay empty.
func fillForm(page *html.Node, action string, fields map[string][]string) (unplaced []unplacedField) {
	remaining := map[string][]string{}
	for name, values := range fields {
		remaining[name] = slices.Clone(values)
	}
	form := findForm(page, action)
	if form != nil {
		form.Attr = append(form.Attr, html.Attribute{Key: "data-kept"})
		for node := range page.Descendants() {
			formID := attr(node, "form") // of the form that a control outside of it belongs to
			belongs := formID != "" && formID == attr(form, "id") || formID == "" && isWithin(node, form)
			if node.Type == html.ElementNode && belongs {
				fillControl(node, fields, remaining)
			}
		}
	}
	for name, values := range remaining {
		for _, value := range values {
			if value != "" {
				unplaced = append(unplaced, unplacedField{name, value})
			}
		}
	}
	slices.SortFunc(unplaced, func(a, b unplacedField) int { return strings.Compare(a.Name, b.Name) })
	return unplaced
}

// findForm returns the form of a page that posts to an address; nil if there is none.
func findForm(page *html.Node, action string) *html.Node {
	return findNode(page, func(n *html.Node) bool {
		return n.DataAtom == atom.Form && attr(n, "method") == "post" &&
			strings.TrimSuffix(attr(n, "action"), "?form") == action
	})
}

// addDraftID adds to a form the hidden field that says which draft it was filled from.
func addDraftID(form *html.Node, id laurel.ID) {
	form.AppendChild(&html.Node{Type: html.ElementNode, Data: "input", DataAtom: atom.Input, Attr: []html.Attribute{
		{Key: "type", Val: "hidden"}, {Key: "name", Val: draftField}, {Key: "value", Val: id.String()},
	}})
}

// fillControl writes the value of its field into one control. fields holds all values of each field, and remaining
// those that are not written into a control yet: repeated controls take them in turn. Controls for secrets stay as they
// are.
func fillControl(control *html.Node, fields, remaining map[string][]string) {
	name := attr(control, "name")
	values, isSent := fields[name]
	next := func() string {
		if len(remaining[name]) == 0 {
			return ""
		}
		value := remaining[name][0]
		remaining[name] = remaining[name][1:]
		return value
	}
	switch {
	case name == "" || secretName.MatchString(name):
		// has no value to fill in, or must be entered again
	case control.DataAtom == atom.Textarea && isSent:
		for control.FirstChild != nil {
			control.RemoveChild(control.FirstChild)
		}
		control.AppendChild(&html.Node{Type: html.TextNode, Data: next()})
	case control.DataAtom == atom.Select && isSent:
		value := next()
		for option := range control.Descendants() {
			if option.DataAtom == atom.Option {
				setAttribute(option, "selected", attr(option, "value") == value)
			}
		}
	case control.DataAtom == atom.Button: // its value was sent if it was pressed
		remaining[name] = slices.DeleteFunc(remaining[name], func(v string) bool { return v == attr(control, "value") })
	case control.DataAtom != atom.Input:
		// no control, or one whose field was not sent
	case attr(control, "type") == "checkbox" || attr(control, "type") == "radio":
		value := attr(control, "value")
		if value == "" {
			value = "on"
		}
		setAttribute(control, "checked", slices.Contains(values, value))
		remaining[name] = slices.DeleteFunc(remaining[name], func(v string) bool { return v == value })
	case attr(control, "type") != "password" && isSent:
		setAttribute(control, "value", false)
		control.Attr = append(control.Attr, html.Attribute{Key: "value", Val: next()})
	}
}

// attr returns the value of an attribute; empty if the node does not have it.
func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// setAttribute adds an attribute without a value to a node if isSet is true; otherwise it removes it.
func setAttribute(n *html.Node, name string, isSet bool) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
	if isSet {
		n.Attr = append(n.Attr, html.Attribute{Key: name})
	}
}

// findNode returns the first element of a page that matches; nil if there is none.
func findNode(page *html.Node, matches func(*html.Node) bool) *html.Node {
	for n := range page.Descendants() {
		if n.Type == html.ElementNode && matches(n) {
			return n
		}
	}
	return nil
}

// isWithin reports whether a node is the other one or a descendant of it.
func isWithin(n, other *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == other {
			return true
		}
	}
	return false
}
