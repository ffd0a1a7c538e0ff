package identity

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// WriteMetadata creates or changes the metadata of a user in the scope's website and returns it with nothing hidden. A
// new wallet gets a user. Writing the same values again changes nothing and records no change (contract 1.8.3, 3.5).
// Errors: Forbidden unless the caller has a secret key, Invalid, NotFound "User" or "User group", Refused for an
// account that another user has connected.
func (s *Service) WriteMetadata(ctx context.Context, scope laurel.Scope, in MetadataInput) (Metadata, error) {
	if !scope.HasSecretKey() {
		return Metadata{}, laurel.Errorf(laurel.Forbidden, "API key is not allowed to perform this operation")
	}
	var f laurel.Faults
	in.Validate(&f)
	if err := f.Err(); err != nil {
		return Metadata{}, err
	}
	var out Metadata
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		p, err := s.Resolve(ctx, tx, scope, in.Ref)
		if err != nil {
			return err
		}
		locked, err := lockGroupsOf(ctx, tx, scope, p, in)
		if err != nil {
			return err
		}
		if err := insertPerson(ctx, tx, scope, p, false); err != nil {
			return err
		}
		if err := confirmUser(ctx, tx, scope, p.UserID); err != nil {
			return err
		}
		affected, err := lockAffectedMembers(ctx, tx, p, locked)
		if err == nil {
			out, err = s.writeChange(ctx, tx, scope, affected, in)
		}
		return err
	})
	return out, err
}

// confirmUser clears the temporary mark of a user that was only named before (contract 3.4).
func confirmUser(ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID) error {
	row, changed, err := clearTemporary(ctx, tx, user)
	if err != nil || !changed {
		return err
	}
	return feed.Record(ctx, tx, userChange(scope, feed.Updated, row))
}

// writeChange applies the input to the locked members and to the member's metadata record, and records the changes in
// the feed. It returns the member's new metadata.
func (s *Service) writeChange(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	affected *affectedMembers,
	in MetadataInput,
) (Metadata, error) {
	user, before := affected.self.UserID, affected.self.GroupID
	// The group comes first: accounts of other members of the group must not keep the new member from connecting them.
	changedUsers, err := s.applyGroupChange(ctx, tx, affected, in)
	if err != nil {
		return Metadata{}, err
	}
	action, err := s.saveRecord(ctx, tx, scope, *affected.self, in.apply)
	if err != nil {
		return Metadata{}, err
	}
	if hasJoined := affected.self.GroupID != before && !affected.target.IsZero(); hasJoined {
		losers, err := s.keepFirstAccounts(ctx, tx, scope, affected)
		if err != nil {
			return Metadata{}, err
		}
		for _, id := range losers {
			if !slices.Contains(changedUsers, id) {
				changedUsers = append(changedUsers, id)
			}
		}
	}
	if err := touchMetadata(ctx, tx, scope.WebsiteID, changedUsers); err != nil {
		return Metadata{}, err
	}
	metadataByUser, err := s.Metadatas(ctx, tx, scope, append(changedUsers, user))
	if err != nil {
		return Metadata{}, err
	}
	var changes []feed.Change
	if action != "" {
		changes = append(changes, metadataChange(metadataByUser[user][0], action))
	}
	for _, id := range changedUsers {
		if len(metadataByUser[id]) > 0 && (id != user || action == "") {
			changes = append(changes, metadataChange(metadataByUser[id][0], feed.Updated))
		}
	}
	return metadataByUser[user][0], feed.Record(ctx, tx, changes...)
}

// saveRecord edits the metadata record of a member, whose row is locked, and writes it. It returns whether the record
// was created or updated; "" if nothing has changed. Errors: those of checkAccountLimits.
func (s *Service) saveRecord(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	member memberRow,
	edit func(Profile) Profile,
) (feed.Action, error) {
	stored, err := selectRecord(ctx, tx, member)
	if err != nil && !store.IsNoRows(err) {
		return "", err
	}
	if err := scope.CheckUnchanged(member.UserID, store.Time(stored.UpdatedAt)); err != nil {
		return "", err
	}
	action := feed.Updated
	if store.IsNoRows(err) {
		action = feed.Created
	}
	after := edit(stored.Profile)
	record := string(store.JSON(after))
	if action == feed.Updated && record == stored.Record {
		return "", nil
	}
	before, current := stored.Profile.identifiers(), after.identifiers()
	if err := s.checkAccountLimits(ctx, tx, member, before, current); err != nil {
		return "", err
	}
	if !slices.Equal(before, current) {
		if err := replaceIdentifiers(ctx, tx, member, current); err != nil {
			return "", err
		}
	}
	return action, upsertRecord(ctx, tx, member, record, after.WalletGroupIdentifier)
}

// Enroll makes the users that references name members of the scope's website, if they are not, and returns their ids in
// the order of the references. Errors: those of Resolve.
func (s *Service) Enroll(ctx context.Context, tx *store.Tx, scope laurel.Scope, refs []Ref) ([]laurel.ID, error) {
	people, err := s.ResolveMany(ctx, tx, scope, refs)
	if err != nil {
		return nil, err
	}
	ids := make([]laurel.ID, len(people))
	for i, p := range people {
		ids[i] = p.UserID
	}
	slices.SortFunc(people, func(a, b Person) int { return a.UserID.Compare(b.UserID) })
	for i, p := range people {
		if i > 0 && people[i-1].UserID == p.UserID {
			continue
		}
		if err := insertPerson(ctx, tx, scope, p, true); err != nil {
			return nil, err
		}
	}
	return ids, nil
}
