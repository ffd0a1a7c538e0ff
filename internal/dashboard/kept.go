package dashboard

import (
	"bytes"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

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

// keepForm keeps the form of this request for after signing in, and returns the page that held it; empty where it was
// not kept. Forms of accounts are not: they are about passwords.
func (c *call) keepForm(r route) (page string, err error) {
	if r.kind != ofWebsite {
		return "", nil
	}
	fields := map[string][]string{}
	for name, values := range c.PostForm {
		if !secretField.MatchString(name) {
			fields[name] = values
		}
	}
	page = c.cameFrom(r)
	kept, err := c.d.Admins.Keep(c.Context(), c.token(), admins.KeptForm{
		Page: page, Action: strings.TrimPrefix(c.URL.Path, root), Fields: fields,
	})
	if !kept {
		page = ""
	}
	return page, err
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

// sentAgain forgets what is kept of the form that comes now.
func (c *call) sentAgain() error {
	if c.Method != http.MethodPost || c.d.sessions.GetString(c.session, hasKept) == "" {
		return nil
	}
	return c.d.Admins.DropKept(c.Context(), c.token(), strings.TrimPrefix(c.URL.Path, root))
}

// showKept writes what is kept for a page into it, marked as not saved. Nothing is sent by itself.
func (c *call) showKept(body *bytes.Buffer) error {
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
	var banner bytes.Buffer
	if err := c.d.templates["problem"].ExecuteTemplate(&banner, "kept", rest); err != nil {
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
	form := find(page, func(n *html.Node) bool {
		return n.DataAtom == atom.Form && attr(n, "method") == "post" && attr(n, "action") == action
	})
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
