package apptest

import "context"

// RunMemberImports runs every import of members that is due, until none is.
func (s *Server) RunMemberImports() {
	s.T.Helper()
	for range 100 {
		n, err := s.App.MemberImports.RunDue(context.Background())
		if err != nil {
			s.T.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
	s.T.Fatal("imports of members never end")
}

// ImportMembers uploads a file of members, imports it, and returns the import once it has ended. changes are properties
// of the request beside the file.
func (s *Server) ImportMembers(file string, changes Object) Object {
	s.T.Helper()
	body := Object{"csvUrl": s.Upload("members.csv", file), "loyaltyCurrencyId": s.LoyaltyCurrencyID}
	for name, value := range changes {
		body[name] = value
	}
	id := s.Post("/api/users/imports", body).OK()["id"].(string)
	s.RunMemberImports()
	return s.Get("/api/users/imports/" + id).OK()
}
