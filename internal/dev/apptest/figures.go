package apptest

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/report/figures"
)

// UpdateFigures updates the daily figures with everything that happened so far.
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
		behind, exists := lag[figures.ConsumerName]
		return exists && behind == 0
	})
}

// WebsiteScope returns the scope of a website key of the server's website.
func (s *Server) WebsiteScope() laurel.Scope {
	return laurel.Scope{OrganizationID: s.OrganizationID, WebsiteID: s.WebsiteID, Role: laurel.RoleWebsite}
}
