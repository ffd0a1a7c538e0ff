package app

import (
	"context"
	"fmt"
	"io"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/memberimports"
	"laurel.example/laurel/internal/tenancy"
)

// MemberFile is a file of members that the operator imports.
type MemberFile struct {
	Organization, Website laurel.ID
	Currency              laurel.ID // of the opening balances; zero: the website's only currency
	Name                  string
	Content               io.ReadSeekCloser // is closed in any case
	Again                 bool              // imports a file that was imported already once more
}

// MemberImportRecord is an import of members as the command line prints it.
type MemberImportRecord struct {
	ID         laurel.ID `json:"id"`
	Status     string    `json:"status"`
	Message    string    `json:"message"`
	Members    int64     `json:"members"`
	NewMembers int64     `json:"newMembers"`
	Openings   int64     `json:"openingBalances"`
	IsEarlier  bool      `json:"isEarlier"` // the file was imported before, and nothing was done
}

// ImportMembers imports a file of members and returns the import once it has ended. Errors: Invalid for a file with a
// fault, of which nothing is written; NotFound "Website"; if the import fails later, an error that says why.
func (a *App) ImportMembers(ctx context.Context, in MemberFile) (MemberImportRecord, error) {
	scope, err := a.operatorScope(ctx, in.Organization)
	if err == nil {
		scope, err = a.Tenancy.Narrow(ctx, scope, in.Organization, in.Website, tenancy.WebsiteRequired)
	}
	if err != nil {
		_ = in.Content.Close()
		return MemberImportRecord{}, inFlagTerms(err)
	}
	i, isEarlier, err := a.MemberImports.ImportFile(ctx, scope, memberimports.File{
		Name: in.Name, Content: in.Content, CurrencyID: in.Currency, Again: in.Again,
	})
	if err != nil {
		return MemberImportRecord{}, err
	}
	if i.Status != memberimports.Complete {
		return MemberImportRecord{}, fmt.Errorf("import %s: %s", i.ID, i.Message)
	}
	return MemberImportRecord{
		ID: i.ID, Status: i.Status, Message: i.Message, Members: i.Written, NewMembers: i.NewMembers,
		Openings: i.Openings, IsEarlier: isEarlier,
	}, nil
}
