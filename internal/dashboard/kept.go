package dashboard

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

	"laurel"
	"laurel/internal/admins"
)

// browserCookie binds the forms that are kept to the browser that sent them. It lasts longer than sessions do.
func (d *Dashboard) browserCookie(token string) *http.Cookie {
	return &http.Cookie{
		Name: browserCookieName, Value: token, Path: d.base, MaxAge: 30 * 24 * 3600, HttpOnly: true,
		SameSite: http.SameSiteLaxMode, Secure: d.Secure,
	}
}

const (
	browserCookieName = "laurel_browser"
	hasKept           = "kept" // what the session holds while forms are kept for its browser
)

// token is the one under which this browser's forms are kept; empty for none.
func (c *call) token() string {
	cookie, err := c.Cookie(browserCookieName)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// secretField is what names of fields say that hold what must not be kept.
var secretField = regexp.MustCompile(`(?i)pass|secret|confirm|token|auth_?value|credential|api_?key$|rewards.*key`)

// holdsPassword finds an address with the name or password of somebody in it.
var holdsPassword = regexp.MustCompile(`://[^/?#\s]*@|://[^\s@]*:[^\s@]*@`)

// keepForm keeps the form of this request for after signing in, and returns the page that held it; empty where it was
// not kept. Forms of accounts are not: they are about passwords. Of forms with a file nothing is read before it is
// known who sends them, so their page opens as it is.
func (c *call) keepForm(r route) (page string, err error) {
	if r.kind != ofWebsite {
		return "", nil
	}
	page = c.cameFrom(r)
	if kind, _, err := mime.ParseMediaType(c.Header.Get("Content-Type")); err == nil && kind == "multipart/form-data" {
		return page, nil
	}
	fields := map[string][]string{}
	for name, values := range c.PostForm {
		values = slices.Clone(values)
		if name == "metadata" {
			for i, text := range values {
				values[i] = openMetadata(text)
			}
		}
		if !secretField.MatchString(name) && !slices.ContainsFunc(values, holdsPassword.MatchString) {
			fields[name] = values
		}
	}
	kept, err := c.d.Admins.Keep(c.Context(), c.token(), admins.KeptForm{
		Page: page, Action: strings.TrimPrefix(c.URL.Path, root), Fields: fields,
	})
	if !kept {
		page = ""
	}
	if err == nil && kept && !c.kept.IsZero() { // it was sent from what was kept before
		err = c.d.Admins.DropKept(c.Context(), c.token(), c.kept)
	}
	return page, err
}

// openMetadata returns free metadata without what must not be kept; nothing of what is no object.
func openMetadata(text string) string {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var properties map[string]any
	if decoder.Decode(&properties) != nil || properties == nil {
		return ""
	}
	for name, value := range properties {
		if secretField.MatchString(name) || holdsPassword.Match(encoded(value)) || secretWithin(value) {
			delete(properties, name)
		}
	}
	if len(properties) == 0 {
		return ""
	}
	return string(encoded(properties))
}

// secretWithin reports whether something within a value of metadata is named like a secret.
func secretWithin(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		for name, one := range v {
			if secretField.MatchString(name) || secretWithin(one) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, secretWithin)
	}
	return false
}

// cameFrom returns the page that held a form, below the root. A form that was refused stood at the address it went to,
// which may be another page or none.
func (c *call) cameFrom(sent route) string {
	has := func(path string) bool {
		return slices.ContainsFunc(routes(), func(r route) bool {
			return r.kind == ofWebsite && r.method == get && r.path == path
		})
	}
	at, website := strings.TrimPrefix(c.URL.Path, root), "/"+c.PathValue("website")
	if from, err := url.Parse(c.Referer()); err == nil && from.Host == c.Host {
		path, below := strings.CutPrefix(from.Path, c.d.base)
		if below && local(path) && (path != at || has(sent.path) && !has(sent.path+"/new")) {
			from.Path = path
			return from.RequestURI()
		}
	}
	switch {
	case has(sent.path + "/new"):
		return at + "/new"
	case has(sent.path):
		return at
	}
	return website
}

// keptBefore notes in a new session whether forms wait for its admin and browser.
func (c *call) keptBefore(admin admins.Admin) (err error) {
	if c.browser, err = c.d.Admins.Browser(c.Context(), admin.ID, c.token()); err != nil {
		return err
	}
	list, err := c.d.Admins.Kept(c.Context(), c.browser, admin.ID)
	if len(list) > 0 {
		c.d.sessions.Put(c.session, hasKept, "yes")
	}
	return err
}

// keptField is the hidden control by which a form tells which kept one it was filled from.
const keptField = "keptForm"

// takeKept notes which kept form comes, and leaves its id out of what pages read.
func (c *call) takeKept() {
	c.kept, _ = laurel.ParseID(c.PostForm.Get(keptField)) // what is no id is of none
	c.PostForm.Del(keptField)
	c.Form.Del(keptField)
}

// sentAgain forgets the kept form that came, after what it asked for was done.
func (c *call) sentAgain(v view) {
	if c.kept.IsZero() || v.unknown || v.status >= http.StatusBadRequest || v.goTo == "" && !v.made {
		return
	}
	done := context.WithoutCancel(c.Context()) // the browser may have gone, and the change is made
	if err := c.d.Admins.DropKept(done, c.token(), c.kept); err != nil {
		c.d.Logger.Error("a kept form could not be forgotten", slog.String("request", c.id), slog.Any("error", err))
	}
}

// showKept writes what is kept for a page into it, marked as not saved. Nothing is sent by itself. A form that is shown
// again stays that of what was kept.
func (c *call) showKept(body *bytes.Buffer) error {
	if c.Method == http.MethodPost && !c.kept.IsZero() && c.Header.Get("Hx-Request") == "" {
		page, err := html.Parse(bytes.NewReader(body.Bytes()))
		if err != nil {
			return err
		}
		form := formTo(page, c.d.Prefix+c.URL.Path)
		if form == nil {
			return nil
		}
		mark(form, c.kept)
		body.Reset()
		return html.Render(body, page)
	}
	if c.session == nil || c.admin.ID.IsZero() || c.Method != http.MethodGet ||
		c.d.sessions.GetString(c.session, hasKept) == "" {
		return nil
	}
	list, err := c.d.Admins.Kept(c.Context(), c.token(), c.admin.ID)
	if err != nil {
		return err
	}
	here := strings.TrimPrefix(c.URL.RequestURI(), root)
	for _, form := range list {
		if form.Page == here {
			return c.fillKept(body, form)
		}
	}
	return nil
}

// unplaced is a field that was typed and that the page does not hold, such as a further row.
type unplaced struct{ Name, Value string }

func (c *call) fillKept(body *bytes.Buffer, form admins.KeptForm) error {
	page, err := html.Parse(bytes.NewReader(body.Bytes()))
	if err != nil {
		return err
	}
	rest := fill(page, c.d.base+form.Action, form.Fields)
	if to := formTo(page, c.d.base+form.Action); to != nil {
		mark(to, form.ID)
	}
	var banner bytes.Buffer
	if err := c.d.templates.page("problem").ExecuteTemplate(&banner, "kept", rest); err != nil {
		return err
	}
	main := find(page, func(n *html.Node) bool { return n.DataAtom == atom.Main })
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

// fill puts values into the controls of the form of a page that goes to an address, and returns those without a place.
// Hidden controls are among them: what the form was made from is how a change of somebody else is found. Passwords stay
// empty.
func fill(page *html.Node, action string, fields map[string][]string) (rest []unplaced) {
	left := map[string][]string{}
	for name, values := range fields {
		left[name] = slices.Clone(values)
	}
	form := formTo(page, action)
	if form != nil {
		form.Attr = append(form.Attr, html.Attribute{Key: "data-kept"})
		for n := range page.Descendants() {
			if of := attr(n, "form"); n.Type == html.ElementNode && (of != "" && of == attr(form, "id") || of == "" && within(n, form)) {
				place(n, fields, left)
			}
		}
	}
	for name, values := range left {
		for _, value := range values {
			if value != "" {
				rest = append(rest, unplaced{name, value})
			}
		}
	}
	slices.SortFunc(rest, func(a, b unplaced) int { return strings.Compare(a.Name, b.Name) })
	return rest
}

// formTo finds the form of a page that goes to an address.
func formTo(page *html.Node, action string) *html.Node {
	return find(page, func(n *html.Node) bool {
		return n.DataAtom == atom.Form && attr(n, "method") == "post" &&
			strings.TrimSuffix(attr(n, "action"), "?form") == action
	})
}

// mark has a form tell which kept one it was filled from.
func mark(form *html.Node, id laurel.ID) {
	form.AppendChild(&html.Node{Type: html.ElementNode, Data: "input", DataAtom: atom.Input, Attr: []html.Attribute{
		{Key: "type", Val: "hidden"}, {Key: "name", Val: keptField}, {Key: "value", Val: id.String()},
	}})
}

// place gives one control what was typed into it. left are the values that have found no control yet.
func place(n *html.Node, fields, left map[string][]string) {
	name := attr(n, "name")
	typed, sent := fields[name]
	next := func() string {
		if len(left[name]) == 0 {
			return ""
		}
		value := left[name][0]
		left[name] = left[name][1:]
		return value
	}
	switch {
	case name == "" || secretField.MatchString(name):
	case n.DataAtom == atom.Textarea && sent:
		for n.FirstChild != nil {
			n.RemoveChild(n.FirstChild)
		}
		n.AppendChild(&html.Node{Type: html.TextNode, Data: next()})
	case n.DataAtom == atom.Select && sent:
		value := next()
		for o := range n.Descendants() {
			if o.DataAtom == atom.Option {
				set(o, "selected", attr(o, "value") == value)
			}
		}
	case n.DataAtom == atom.Button:
		left[name] = slices.DeleteFunc(left[name], func(v string) bool { return v == attr(n, "value") })
	case n.DataAtom != atom.Input:
	case attr(n, "type") == "checkbox" || attr(n, "type") == "radio":
		value := attr(n, "value")
		if value == "" {
			value = "on"
		}
		set(n, "checked", slices.Contains(typed, value))
		left[name] = slices.DeleteFunc(left[name], func(v string) bool { return v == value })
	case attr(n, "type") != "password" && sent:
		set(n, "value", false)
		n.Attr = append(n.Attr, html.Attribute{Key: "value", Val: next()})
	}
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// set puts an attribute without value on a node, or takes it away.
func set(n *html.Node, name string, on bool) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
	if on {
		n.Attr = append(n.Attr, html.Attribute{Key: name})
	}
}

func find(page *html.Node, is func(*html.Node) bool) *html.Node {
	for n := range page.Descendants() {
		if n.Type == html.ElementNode && is(n) {
			return n
		}
	}
	return nil
}

func within(n, other *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == other {
			return true
		}
	}
	return false
}
