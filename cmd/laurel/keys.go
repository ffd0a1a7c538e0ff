package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
)

type initCommand struct {
	Name     string   `help:"Name of the organization." required:""`
	Website  string   `help:"Name of its website." required:""`
	Currency string   `help:"Name of its currency." required:""`
	Symbol   string   `help:"Symbol of the currency. Default: the first letters of its name."`
	Decimals int64    `help:"Decimal places that pages show, from 0 to 18." default:"0"`
	Origins  []string `help:"Origins that can use the client key, such as https://shop.example. Default: all origins."`
	Clock    bool     `help:"Give the database a clock of its own, for tests: laurel serve --dev --clock lets them move it forward."`
	JSON     bool     `help:"Print one JSON object."`
}

// Run creates an organization with a website, a currency and keys, and prints them. The keys are shown here and never
// again.
func (c initCommand) Run(e environment) error {
	in := app.ProgramInput{Organization: c.Name, Website: c.Website, Currency: c.Currency, Symbol: c.Symbol,
		Decimals: c.Decimals, Origins: c.Origins}
	if err := in.Validate(); err != nil { // before a database is made
		return err
	}
	return e.withAppMigrated(func(a *app.App) error {
		if c.Clock {
			if err := a.CreateClock(e.ctx); err != nil {
				return err
			}
		}
		made, err := a.CreateProgram(e.ctx, in)
		if err != nil {
			return err
		}
		printOrigins(c.Origins)
		if c.JSON {
			return printJSON(made)
		}
		fmt.Printf(
			"organization      %s\nwebsite           %s\ncurrency          %s\n\nAPI keys. They are shown only once:\n",
			made.OrganizationID,
			made.WebsiteID,
			made.LoyaltyCurrencyID,
		)
		fmt.Printf("organization key  %s\nwebsite key       %s\nread-only key     %s\nclient key        %s\nfunction key      %s\n",
			made.OrganizationAPIKey, made.WebsiteAPIKey, made.ReadOnlyAPIKey, made.ClientAPIKey, made.FunctionAPIKey)
		return nil
	})
}

// printOrigins prints, if there are no origins, that web pages of every origin can use the client key.
func printOrigins(origins []string) {
	if len(origins) == 0 {
		fmt.Fprintln(
			os.Stderr,
			"web pages of every origin can use the client key. To restrict it, use --origins, such as --origins https://shop.example",
		)
	}
}

type keysCommand struct {
	Create keysCreate `cmd:"" help:"Create a key and print it once."`
	List   keysList   `cmd:"" help:"List the keys of an organization."`
	Revoke keysRevoke `cmd:"" help:"Revoke a key. It stops working within a second on every node."`
}

type keysCreate struct {
	organizationFlag
	Website   laurel.ID `help:"Website ID, for every role except ORGANIZATION_API_KEY. Optional if the organization has one website."`
	Role      string    `help:"Role: ORGANIZATION_API_KEY, WEBSITE_API_KEY, WEBSITE_READ_ONLY_API_KEY, WEBSITE_CLIENT_API_KEY or STRATUS_API_KEY." required:""`
	Name      string    `help:"Name of the key." default:"created on the command line"`
	Origins   []string  `help:"Origins that can use the key, only for WEBSITE_CLIENT_API_KEY. Default: all origins."`
	ExpiresIn *lifetime `help:"How long the key is valid, such as 30d, 12h or 1d12h. Default: no expiry."`
	JSON      bool      `help:"Print one JSON object."`
}

// Run creates the key and prints it, the only time that it is shown.
func (c keysCreate) Run(e environment) error {
	if len(c.Origins) > 0 && c.Role != string(laurel.RoleClient) {
		var f laurel.Faults
		f.Add("--origins", "works only with %s: other keys are for servers, whose requests have no origin", laurel.RoleClient)
		return f.Err()
	}
	return e.withOrganization(c.Organization, func(a *app.App, organization laurel.ID) error {
		key, err := a.CreateKey(e.ctx, app.APIKeyInput{Organization: organization, Website: c.Website, Role: c.Role,
			Name: c.Name, Origins: c.Origins, ExpiresIn: c.ExpiresIn.duration()})
		if err != nil {
			return err
		}
		if c.Website.IsZero() && !key.WebsiteID.IsZero() { // the only website was chosen
			fmt.Fprintf(os.Stderr, "website %s\n", key.WebsiteID)
		}
		if key.Role == laurel.RoleClient {
			printOrigins(c.Origins)
		}
		if c.JSON {
			return printJSON(key)
		}
		fmt.Printf("id   %s\nkey  %s   (shown only once)\n", key.ID, key.Key)
		return nil
	})
}

type keysList struct {
	organizationFlag
	JSON bool `help:"Print a JSON array."`
}

// Run lists every key, newest first.
func (c keysList) Run(e environment) error {
	return e.withOrganization(c.Organization, func(a *app.App, organization laurel.ID) error {
		keys, err := a.ListKeys(e.ctx, organization)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(keys)
		}
		table := newTable("ID", "ROLE", "PREFIX", "WEBSITE", "STATE", "LAST USED", "EXPIRES", "NAME")
		now := app.SystemClock()
		for _, k := range keys {
			table.addRow(
				k.ID.String(),
				string(k.Role),
				k.Prefix,
				idOr(k.WebsiteID, "every"),
				keyState(k, now),
				timeOr(k.LastUsedAt, "never"),
				timeOr(k.ExpiresAt, "never"),
				k.Name,
			)
		}
		return table.print()
	})
}

// keyState returns "live" for a key that can be used now, and otherwise since when it is revoked or expired.
func keyState(k app.APIKeyRecord, now time.Time) string {
	switch {
	case !k.RevokedAt.IsZero():
		return "revoked " + k.RevokedAt.String()
	case !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt.Time):
		return "expired " + k.ExpiresAt.String()
	}
	return "live"
}

// idOr returns an id as text, or none if there is no id.
func idOr(id laurel.NullID, none string) string {
	if id.IsZero() {
		return none
	}
	return id.String()
}

// timeOr returns a time as text, or none if there is no time.
func timeOr(at laurel.NullTimestamp, none string) string {
	if at.IsZero() {
		return none
	}
	return at.String()
}

type keysRevoke struct {
	KeyID laurel.ID `arg:"" help:"Key ID."`
}

// Run revokes the key of any organization. Revoking a revoked key is not an error.
func (c keysRevoke) Run(e environment) error {
	return e.withApp(func(a *app.App) error {
		key, wasRevoked, err := a.RevokeKey(e.ctx, c.KeyID)
		switch {
		case err != nil:
			return err
		case wasRevoked: // it is as the operator wants it
			fmt.Println("was already revoked on", key.RevokedAt)
		default:
			fmt.Println("revoked")
		}
		return nil
	})
}

type secretsCommand struct {
	Rotate         secretsRotate         `cmd:"" help:"Create a new signing secret. Tokens signed with the previous secret stay valid until the next rotation."`
	RotateInstance secretsRotateInstance `cmd:"" help:"Re-encrypt all secrets with LAUREL_NEW_SECRET instead of LAUREL_SECRET."`
}

type secretsRotate struct {
	organizationFlag
	Website laurel.ID `help:"Website ID." required:""`
}

// Run creates a new signing secret for the member tokens of the website.
func (c secretsRotate) Run(e environment) error {
	e.secrets = true
	return e.withOrganization(c.Organization, func(a *app.App, organization laurel.ID) error {
		if err := a.RotateSecrets(e.ctx, organization, c.Website); err != nil {
			return err
		}
		fmt.Println("rotated")
		return nil
	})
}

type secretsRotateInstance struct {
	NewSecretFile string `help:"File with the new secret, instead of LAUREL_NEW_SECRET." type:"path"`
	SealKey       string `help:"File with the key that signs blocks, as for laurel serve." env:"LAUREL_SEAL_KEY" type:"path"`
	NewSealKey    bool   `help:"Sign blocks with the key derived from the new secret. Default: keep the current key."`
}

// Run encrypts all secrets of the database with the new secret. The old secret is LAUREL_SECRET; it is not set if the
// servers had none. Secrets come from the environment or a file, never from arguments, which other users of the machine
// could read.
func (c secretsRotateInstance) Run(e environment) error {
	in := app.RotateInput{NewSecret: os.Getenv(newSecretVariable), NewSealKey: c.NewSealKey}
	if c.NewSecretFile != "" {
		text, err := os.ReadFile(c.NewSecretFile)
		if err != nil {
			return err
		}
		in.NewSecret = strings.TrimRight(string(text), "\r\n")
	}
	config := app.Config{Database: e.database, Secret: e.secret, SealKey: c.SealKey, Logger: e.log}
	if err := app.RotateInstance(e.ctx, config, in); err != nil {
		return err
	}
	fmt.Println("all secrets are encrypted with the new LAUREL_SECRET; start the servers with it")
	return nil
}
