package apptest

import (
	"context"
	"fmt"
	"strings"
)

// OnList is the property of a rule that names a list of wallets.
const OnList = "loyaltyUserAllotmentCsvUrl"

// NotListed is the refusal of a wallet that is not on the list.
const NotListed = "Access restricted. Your account is not on the list."

// ReadLists runs every import of a list that is due, until none is.
func (s *Server) ReadLists() {
	s.T.Helper()
	for range 100 {
		n, err := s.App.Lists.RunDue(context.Background())
		if err != nil {
			s.T.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
	s.T.Fatal("imports never end")
}

// Imports returns the imports of a rule's lists, newest first.
func (s *Server) Imports(rule string) []Object {
	s.T.Helper()
	return s.Get("/api/loyalty/rules/" + rule + "/imports").Data()
}

// Spaced returns values as one text with spaces between them.
func Spaced(values ...any) string { return strings.TrimSpace(fmt.Sprintln(values...)) }

// CSV returns a condition that holds for the wallets of a list.
func CSV(address string) Object { return Object{"type": "csv", "csvUrl": address} }
