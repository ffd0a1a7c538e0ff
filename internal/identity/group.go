package identity

import (
	"context"

	"laurel.example/laurel"
)

// Group is a user group with its users in order of joining (contract 3.6).
type Group struct {
	ID                 laurel.ID
	ExternalIdentifier *string
	Users              []UserName
}

// GroupOf returns the group of a member of the scope's website; nil without one.
func (s *Service) GroupOf(ctx context.Context, scope laurel.Scope, user laurel.ID) (*Group, error) {
	rows, err := selectGroupOf(ctx, s.db, scope, user)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	g := &Group{ID: rows[0].GroupID, ExternalIdentifier: rows[0].ExternalIdentifier}
	for _, r := range rows {
		g.Users = append(g.Users, UserName{r.UserID, r.Wallet})
	}
	return g, nil
}

// groupUserRow is a user of a group.
type groupUserRow struct {
	GroupID            laurel.ID `db:"user_group_id"`
	ExternalIdentifier *string   `db:"external_identifier"`
	UserID             laurel.ID `db:"user_id"`
	Wallet             *string   `db:"wallet_address"`
}
