package integrate

import (
	"time"

	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/messages"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/rules/schema"
)

// Providers are the operator's, and what is wrong with them concerns who integrates them.
var providerRoutes = []route{web.Get("/providers", admins.SeeKeys, "providers", providersPage)}

// providerRow is a driver that serves the website, and what this node has seen of its provider.
type providerRow struct {
	Platform, Label string
	Kind            string // in words
	Redirect        string // to register at the provider; "": there is none
	Connects        bool   // members connect accounts with it
	Accounts        platforms.Status
	ChecksRules     bool
	Rules           platforms.Status
	Missing         []string // titles of rule types that it cannot answer for
}

// missingRow is a platform without a driver.
type missingRow struct {
	Platform, Label, Redirect string
	Types                     []string // titles of the rule types that are refused
}

type providersData struct {
	Providers []providerRow
	Missing   []missingRow
	Messages  []messages.Status
	Now       time.Time
}

// kindNames are the kinds of drivers in words.
var kindNames = map[platforms.Kind]string{
	platforms.OAuth2: "OAuth 2.0", platforms.OIDC: "OpenID Connect", platforms.OpenID2: "OpenID 2.0",
	platforms.SignedWidget: "Signed widget", platforms.ProfileProof: "Code in the profile", "": "Rule checks only",
}

// providersPage shows the drivers that serve the website, with what this node has seen of their providers, and the
// platforms that have none. Drivers of other websites are never shown.
func providersPage(c *call) (web.View, error) {
	data := providersData{Messages: c.Messages.Statuses(c.Site.ID), Now: c.Now()}
	types := ruleTypesByPlatform()
	for _, platform := range platforms.IDs() {
		d := c.Flows.Drivers.Find(platform, c.Site.ID)
		if d == nil {
			data.Missing = append(data.Missing, missingRow{
				platform, c.Flows.Label(nil, platform), c.redirectAddress(platform), titles(types[platform]),
			})
			continue
		}
		data.Providers = append(data.Providers, c.providerRow(d, types[platform]))
	}
	return web.Show("providers", "Providers", data)
}

// redirectAddress returns the address that the operator registers for a platform; "" if members prove its accounts
// otherwise.
func (c *call) redirectAddress(platform string) string {
	if platforms.IsProvenByProfile(platform) {
		return ""
	}
	return c.Flows.Callback(platform)
}

// providerRow returns what the page shows of a driver, given the rule types of its platform.
func (c *call) providerRow(d *platforms.Driver, types []schema.Type) providerRow {
	row := providerRow{
		Platform: d.Platform, Label: c.Flows.Label(d, d.Platform), Kind: kindNames[d.Kind], Connects: d.Kind != "",
		Accounts: c.Flows.Connector.Status(d, c.Site.ID), Rules: c.Platforms.Status(d, c.Site.ID),
	}
	if d.Kind.HasRedirect() {
		row.Redirect = c.Flows.Callback(d.Platform)
	}
	var missing []schema.Type
	for _, t := range types {
		if d.CanCheck(string(t)) {
			row.ChecksRules = true
		} else {
			missing = append(missing, t)
		}
	}
	row.Missing = titles(missing)
	return row
}

// ruleTypesByPlatform returns the rule types that ask a platform, by platform.
func ruleTypesByPlatform() map[string][]schema.Type {
	out := map[string][]schema.Type{}
	for _, t := range schema.Types() {
		if kind := t.Kind(); kind.Provider == schema.PlatformProvider {
			out[kind.Platform] = append(out[kind.Platform], t)
		}
	}
	return out
}

// titles returns the titles of rule types.
func titles(types []schema.Type) []string {
	var out []string
	for _, t := range types {
		out = append(out, t.Kind().Title)
	}
	return out
}
