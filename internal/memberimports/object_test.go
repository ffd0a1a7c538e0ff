package memberimports_test

import (
	"context"
	"io"
	"strings"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

type object = apptest.Object

const path = "/api/users/imports"

// entries returns the entries of a wallet, newest first.
func entries(s *apptest.Server, wallet string) []object {
	s.T.Helper()
	return s.Get("/api/loyalty/transaction_entries?walletAddress=" + wallet).Data()
}

// metadata returns the metadata of a wallet; nil if there is none.
func metadata(s *apptest.Server, wallet string) object {
	s.T.Helper()
	list := s.Get("/api/users/metadatas?walletAddress=" + wallet).Data()
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// localFile is a file that a command has opened.
type localFile struct{ *strings.Reader }

func (localFile) Close() error { return nil }

func open(content string) io.ReadSeekCloser { return localFile{strings.NewReader(content)} }

// command imports a file as the command line does.
func command(s *apptest.Server, content string, again bool) (app.MemberImportRecord, error) {
	s.T.Helper()
	return s.App.ImportMembers(context.Background(), app.MemberFile{
		Organization: s.OrganizationID, Website: s.WebsiteID, Name: "members.csv", Content: open(content), Again: again,
	})
}
