package platforms

import (
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/configfile"
	"laurel.example/laurel/internal/outbound"
)

// Kind says how a driver proves that a member owns an account.
type Kind string

// The kinds of drivers (contract 8.1).
const (
	OAuth2       Kind = "oauth2"        // RFC 6749 with PKCE (RFC 7636)
	OIDC         Kind = "oidc"          // OpenID Connect Core 1.0
	OpenID2      Kind = "openid2"       // OpenID Authentication 2.0
	SignedWidget Kind = "signed_widget" // a login widget whose answer is signed with the client's secret
	ProfileProof Kind = "profile_proof" // a code in the public text of a profile
)

const (
	maxDrivers = 1000
	maxScopes  = 50
	maxLabel   = 100
)

// Driver is how the operator connects a platform (contract 8.1, 8.8), as parsed and checked.
type Driver struct {
	Platform     string
	WebsiteID    laurel.ID // zero: for all websites
	Label        string    // display name; "": the default
	Kind         Kind      // "": members cannot connect accounts, and the driver only checks rules
	ClientID     string
	ClientSecret string // "": a public client
	Issuer       string // of oidc
	AuthorizeURL string // where members log in, or edit their profile
	TokenURL     string
	TokenAuth    string // of oauth2 and oidc: "basic" or "post", how the client authenticates at TokenURL
	UserInfoURL  string // holds {name} for profile_proof
	Scopes       []string
	Mapping      Mapping
	Channel      *Channel // of web_account: the video channel of the account; nil: none
	Checks       map[string]Check
	API          *API // the built-in driver; nil: it is switched off
}

// Mapping holds the dotted paths of an account's properties in the answer of the provider; "" if the provider does not
// tell one.
type Mapping struct{ ID, Name, Followers, Verified, Text string }

// Channel says where the video channel of a web account is read, with the access token of the account.
type Channel struct{ URL, Path string }

// Check says how the platform is asked whether a member has earned a rule of a type.
type Check struct {
	URL     string            // a template; its host holds no variables
	Method  string            // GET or POST
	Headers map[string]string // templates; their values may be secrets
	Path    string            // dotted path of the value in the answer; "": the answer itself
}

func (d Driver) key() driverKey { return driverKey{d.Platform, d.WebsiteID} }

// driverProperties are the properties of a driver in the configuration.
var driverProperties = []string{
	"platform", "websiteId", "label", "kind", "clientId", "clientSecret", "issuer", "authorizeUrl", "tokenUrl",
	"tokenAuth", "userInfoUrl", "scopes", "mapping", "channel", "checks", "api",
}

// Reader reads drivers from the operator's configuration.
type Reader struct {
	Faults *laurel.Faults
	Guard  *outbound.Guard
	// RuleTypes returns the rule types that a platform can check.
	RuleTypes func(platform string) []string
}

// Drivers reads the property platforms of the configuration, an array of drivers; none if it is absent. Drivers with
// faults are left out.
func (r Reader) Drivers(top configfile.Object) []Driver {
	if !top.Has("platforms") {
		return nil
	}
	var list []Driver
	found := map[driverKey]bool{}
	top.Objects("platforms", maxDrivers, driverProperties, func(o configfile.Object) {
		before := len(*r.Faults)
		d := r.driver(o)
		if len(*r.Faults) != before {
			return
		}
		if found[d.key()] {
			o.Fault("", "is the second driver of %s for the same websites", d.Platform)
		}
		found[d.key()] = true
		list = append(list, d)
	})
	return list
}

// driver reads one driver.
func (r Reader) driver(o configfile.Object) Driver {
	d := Driver{
		Platform:     o.RequiredChoice("platform", IDs()...),
		WebsiteID:    o.ID("websiteId"),
		Label:        o.Text("label"),
		ClientID:     o.Text("clientId"),
		ClientSecret: o.Text("clientSecret"),
		Issuer:       o.URL("issuer", r.Guard),
		AuthorizeURL: o.URL("authorizeUrl", r.Guard),
		TokenURL:     o.URL("tokenUrl", r.Guard),
		TokenAuth:    o.Choice("tokenAuth", "basic", "post"),
		Scopes:       o.Texts("scopes", maxScopes),
		Mapping:      readMapping(o),
		Channel:      r.channel(o),
	}
	r.Faults.Text(o.Path("label"), d.Label, 0, maxLabel)
	d.Checks = r.checks(o, d.Platform)
	d.API = r.readAPI(o, d.Platform)
	if o.Has("kind") || len(d.Checks) == 0 && d.API == nil {
		d.Kind = Kind(o.RequiredChoice("kind", string(OAuth2), string(OIDC), string(OpenID2), string(SignedWidget),
			string(ProfileProof)))
	}
	d.UserInfoURL = r.userInfoURL(o, d.Kind)
	r.checkKind(o, &d)
	return d
}

// required lists the properties that a driver of each kind needs.
var required = map[Kind][]string{
	OAuth2:       {"clientId", "authorizeUrl", "tokenUrl", "userInfoUrl", "mapping"},
	OIDC:         {"clientId", "issuer"},
	OpenID2:      {"authorizeUrl"},
	SignedWidget: {"clientId", "clientSecret", "authorizeUrl"},
	ProfileProof: {"userInfoUrl", "mapping"},
}

// checkKind adds a fault for each property that a driver of its kind needs and lacks, and fills defaults.
func (r Reader) checkKind(o configfile.Object, d *Driver) {
	for _, name := range required[d.Kind] {
		if !o.Has(name) {
			o.Fault(name, "is required for drivers of kind %s", d.Kind)
		}
	}
	switch d.Kind {
	case OIDC:
		if d.Mapping.ID == "" {
			d.Mapping.ID = "sub"
		}
		if d.Mapping.Name == "" {
			d.Mapping.Name = "preferred_username"
		}
		if len(d.Scopes) == 0 {
			d.Scopes = []string{"openid", "profile"}
		}
	case ProfileProof:
		if !slices.Contains(provenByProfile, d.Platform) {
			o.Fault("kind", "profile_proof is for the platforms %s", strings.Join(provenByProfile, ", "))
		}
		if o.Has("mapping") && d.Mapping.Text == "" {
			o.Fault("mapping", "must name the text of the profile")
		}
		fallthrough
	case OAuth2:
		if o.Has("mapping") && d.Mapping.ID == "" {
			o.Fault("mapping", "must name the id of the account")
		}
	case OpenID2, SignedWidget, "":
	}
}

// readMapping reads the paths of an account's properties.
func readMapping(o configfile.Object) Mapping {
	m, _ := o.Object("mapping", "id", "name", "followers", "verified", "text")
	return Mapping{m.Text("id"), m.Text("name"), m.Text("followers"), m.Text("verified"), m.Text("text")}
}

// channel reads where the video channel of a web account is read; nil if the driver has none.
func (r Reader) channel(o configfile.Object) *Channel {
	c, ok := o.Object("channel", "url", "path")
	if !ok {
		return nil
	}
	if o.Text("platform") != "web_account" {
		o.Fault("channel", "is for the platform web_account")
	}
	return &Channel{c.RequiredURL("url", r.Guard), c.RequiredText("path")}
}

// userInfoURL reads where the account is read. For a profile it is a template with the name of the account.
func (r Reader) userInfoURL(o configfile.Object, kind Kind) string {
	if kind != ProfileProof {
		return o.URL("userInfoUrl", r.Guard)
	}
	address := o.Text("userInfoUrl")
	if o.Has("userInfoUrl") {
		r.checkTemplate(o, "userInfoUrl", address, "name")
		if !strings.Contains(address, "{name}") {
			o.Fault("userInfoUrl", "must hold {name}")
		}
	}
	return address
}
