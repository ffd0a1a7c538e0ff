package main

import (
	"encoding/json"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"laurel"
	"laurel/internal/app"
	"laurel/internal/tenancy"
)

type initCommand struct {
	Name     string `help:"Name of the organization." required:""`
	Website  string `help:"Name of its website." required:""`
	Currency string `help:"Name of its currency." required:""`
	Symbol   string `help:"Symbol of the currency; the first letters of its name when left out."`
	JSON     bool   `help:"Print one JSON object."`
}

// Run makes the organization. Keys are shown here and never again.
func (c initCommand) Run(e environment) error {
	return e.with(func(a *app.App) error {
		made, err := a.CreateProgram(e.ctx, app.ProgramInput{Organization: c.Name, Website: c.Website, Currency: c.Currency, Symbol: c.Symbol})
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(made)
		}
		fmt.Printf("organization  %s\nwebsite       %s\ncurrency      %s\n\nKeys, shown only now:\n", made.OrganizationID, made.WebsiteID, made.LoyaltyCurrencyID)
		fmt.Printf("organization  %s\nwebsite       %s\nread-only     %s\nclient        %s\nfunction      %s\n",
			made.OrganizationAPIKey, made.WebsiteAPIKey, made.ReadOnlyAPIKey, made.ClientAPIKey, made.FunctionAPIKey)
		return nil
	})
}

type keysCommand struct {
	Create keysCreate `cmd:"" help:"Make a key and show it once."`
	List   keysList   `cmd:"" help:"List the keys of an organization."`
	Revoke keysRevoke `cmd:"" help:"Revoke a key: effective within a second on every node."`
}

type keysCreate struct {
	Organization laurel.ID     `help:"Organization id." required:""`
	Website      laurel.ID     `help:"Website id, for every role but ORGANIZATION_API_KEY."`
	Role         string        `help:"ORGANIZATION_API_KEY, WEBSITE_API_KEY, WEBSITE_READ_ONLY_API_KEY, WEBSITE_CLIENT_API_KEY or STRATUS_API_KEY." required:""`
	Name         string        `help:"What the key is for." default:"made on the command line"`
	Origins      []string      `help:"Origins that may use a client key; none: every origin."`
	ExpiresIn    time.Duration `help:"How long the key is good for; none: for ever."`
	JSON         bool          `help:"Print one JSON object."`
}

// Run makes the key.
func (c keysCreate) Run(e environment) error {
	return e.with(func(a *app.App) error {
		scope := operator(c.Organization)
		if _, err := a.Tenancy.GetOrganization(e.ctx, scope); err != nil {
			return err
		}
		in := tenancy.CreateKeyInput{Role: laurel.Role(c.Role), WebsiteID: c.Website, Name: c.Name, AllowedOrigins: c.Origins}
		if c.ExpiresIn > 0 {
			at := time.Now().Add(c.ExpiresIn)
			in.ExpiresAt = &at
		}
		key, err := a.Tenancy.CreateKey(e.ctx, scope, in)
		if err != nil {
			return err
		}
		if c.JSON {
			line := lineOf(key.APIKey)
			line.Key = key.Key
			return printJSON(line)
		}
		fmt.Printf("id   %s\nkey  %s   (shown only now)\n", key.ID, key.Key)
		return nil
	})
}

// operator is the scope of the command line: whoever can open the database may do everything in the organization.
func operator(organization laurel.ID) laurel.Scope {
	return laurel.Scope{OrganizationID: organization, Role: laurel.RoleOrganization}
}

// keyLine is a key as the command line prints it (contract 3.35).
type keyLine struct {
	ID             laurel.ID         `json:"id"`
	OrganizationID laurel.ID         `json:"organizationId"`
	WebsiteID      *laurel.ID        `json:"websiteId"`
	RoleType       laurel.Role       `json:"roleType"`
	Name           string            `json:"name"`
	Prefix         string            `json:"prefix"`
	AllowedOrigins []string          `json:"allowedOrigins"`
	UserID         laurel.ID         `json:"userId"`
	ExpiresAt      *laurel.Timestamp `json:"expiresAt"`
	LastUsedAt     *laurel.Timestamp `json:"lastUsedAt"`
	RevokedAt      *laurel.Timestamp `json:"revokedAt"`
	CreatedAt      laurel.Timestamp  `json:"createdAt"`
	Key            string            `json:"key,omitempty"`
}

func lineOf(k tenancy.APIKey) keyLine {
	stamp := func(t *time.Time) *laurel.Timestamp {
		if t == nil {
			return nil
		}
		return laurel.Stamp(*t)
	}
	origins := k.AllowedOrigins
	if origins == nil {
		origins = []string{}
	}
	return keyLine{ID: k.ID, OrganizationID: k.OrganizationID, WebsiteID: k.WebsiteID.Ptr(), RoleType: k.Role, Name: k.Name, Prefix: k.Prefix,
		AllowedOrigins: origins, UserID: k.UserID, ExpiresAt: stamp(k.ExpiresAt), LastUsedAt: stamp(k.LastUsedAt), RevokedAt: stamp(k.RevokedAt),
		CreatedAt: laurel.Timestamp{Time: k.CreatedAt}}
}

type keysList struct {
	Organization laurel.ID `help:"Organization id." required:""`
	JSON         bool      `help:"Print a JSON array."`
}

const keysPage = 1000

// Run lists every key, newest first.
func (c keysList) Run(e environment) error {
	return e.with(func(a *app.App) error {
		scope := operator(c.Organization)
		if _, err := a.Tenancy.GetOrganization(e.ctx, scope); err != nil {
			return err
		}
		lines := []keyLine{}
		for page := (laurel.PageRequest{Limit: keysPage}); ; {
			keys, err := a.Tenancy.ListKeys(e.ctx, scope, page)
			if err != nil {
				return err
			}
			for _, k := range keys.Data {
				lines = append(lines, lineOf(k))
				page.StartingAfter = k.ID
			}
			if !keys.HasNextPage {
				break
			}
		}
		if c.JSON {
			return printJSON(lines)
		}
		table := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
		for _, l := range lines {
			state := "live"
			if l.RevokedAt != nil {
				state = "revoked " + l.RevokedAt.String()
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", l.ID, l.RoleType, l.Prefix, state, l.Name)
		}
		return table.Flush()
	})
}

type keysRevoke struct {
	KeyID laurel.ID `arg:"" help:"Key id."`
}

// Run revokes the key, whatever organization it is of.
func (c keysRevoke) Run(e environment) error {
	return e.with(func(a *app.App) error {
		scope, err := a.Tenancy.ScopeOfKey(e.ctx, c.KeyID)
		if err != nil {
			return err
		}
		if _, err := a.Tenancy.RevokeKey(e.ctx, scope, c.KeyID); err != nil {
			return err
		}
		fmt.Println("revoked")
		return nil
	})
}

type secretsCommand struct {
	Rotate secretsRotate `cmd:"" help:"Make a new signing secret; tokens of the former one stay good until the next rotation."`
}

type secretsRotate struct {
	Organization laurel.ID `help:"Organization id." required:""`
	Website      laurel.ID `help:"Website id." required:""`
}

// Run rotates the member-token secrets of the website.
func (c secretsRotate) Run(e environment) error {
	return e.with(func(a *app.App) error {
		scope, err := a.Tenancy.Narrow(e.ctx, operator(c.Organization), c.Organization, c.Website, tenancy.OneWebsite)
		if err != nil {
			return err
		}
		if err := a.Identity.RotateSecrets(e.ctx, scope); err != nil {
			return err
		}
		fmt.Println("rotated")
		return nil
	})
}

func printJSON(v any) error {
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
