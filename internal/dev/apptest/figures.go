package apptest

import (
	"context"

	"laurel"
	"laurel/internal/report/figures"
)

// UpdateFigures has the daily figures tell of everything that happened so far.
func (s *Server) UpdateFigures() {
	s.T.Helper()
	ctx := context.Background()
	if err := s.App.Refusals.Flush(ctx); err != nil {
		s.T.Fatal(err)
	}
	defer RunWorkers(func(ctx context.Context) { _ = s.App.Feed.Run(ctx, s.App.Figures.Consumer()) })()
	s.WaitUntil(func() bool {
		lag, err := s.App.Feed.Lag(ctx)
		if err != nil {
			s.T.Fatal(err)
		}
		behind, known := lag[figures.ConsumerName]
		return known && behind == 0
	})
}

// WebsiteScope is the scope of a key of the server's website.
func (s *Server) WebsiteScope() laurel.Scope {
	return laurel.Scope{OrganizationID: s.OrganizationID, WebsiteID: s.WebsiteID, Role: laurel.RoleWebsite}
}
