package main

import (
	"fmt"
	"os"
	"path/filepath"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
)

type membersCommand struct {
	Import membersImport `cmd:"" help:"Import members with their opening balances from a CSV file."`
}

type membersImport struct {
	organizationFlag
	File     string    `arg:"" help:"CSV file whose first row names the columns: walletAddress, and any of externalIdentifier, displayName, emailAddress, phoneNumber, joinedAt and balance." type:"path"`
	Website  laurel.ID `help:"Website ID; see laurel organizations list." required:""`
	Currency laurel.ID `help:"Currency ID of the opening balances. Optional if the website has one currency."`
	Again    bool      `help:"Import a file that was imported already once more, with its opening balances."`
	JSON     bool      `help:"Print one JSON object."`
}

// Run imports the file, or finishes an import of it that was interrupted, and prints what was imported. If one row of
// the file is bad, nothing is imported.
func (c membersImport) Run(e environment) error {
	return e.withOrganization(c.Organization, func(a *app.App, organization laurel.ID) error {
		file, err := os.Open(c.File)
		if err != nil {
			return err
		}
		done, err := a.ImportMembers(e.ctx, app.MemberFile{
			Organization: organization, Website: c.Website, Currency: c.Currency, Name: filepath.Base(c.File),
			Content: file, Again: c.Again,
		})
		if err != nil {
			return err
		}
		if done.IsEarlier {
			fmt.Fprintln(os.Stderr, "this file was imported before, and its balances count once; --again imports it once more")
		}
		if c.JSON {
			return printJSON(done)
		}
		fmt.Printf("import %s\n%s\n", done.ID, printable(done.Message))
		return nil
	})
}
