package identity

import (
	"context"
	"errors"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// ImportedProfile is what a file says about a member.
type ImportedProfile struct {
	Metadata MetadataInput // a field that is not set keeps what is stored; groups and block marks must not be set
	JoinedAt time.Time     // when the member joined the program; zero: the file does not say
}

// AdmitMany makes the users of wallets members of the scope's website, and returns how many were none before. New
// wallets get a user, which is no temporary one. It is a transaction of its own, apart from a lease: it locks rows in
// the order of payments. Calling it again changes nothing. Errors: those of Resolve.
func (s *Service) AdmitMany(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, wallets []string,
) (newMembers int, err error) {
	people, err := s.ResolveMany(ctx, tx, scope, refsOfWallets(wallets))
	if err != nil {
		return 0, err
	}
	people = slices.DeleteFunc(people, func(p Person) bool { return !p.NewUser && !p.NewMember })
	if len(people) == 0 {
		return 0, nil
	}
	err = store.Run(ctx, tx, admitManyWork{people, scope})
	if errors.Is(err, store.ErrStale) {
		err = store.ErrRerun
	}
	return len(people), err
}

func refsOfWallets(wallets []string) []Ref {
	refs := make([]Ref, len(wallets))
	for i, wallet := range wallets {
		refs[i] = Ref{Wallet: wallet}
	}
	return refs
}

// admitManyWork is the Work that inserts people.
type admitManyWork struct {
	people []Person
	scope  laurel.Scope
}

func (a admitManyWork) String() string {
	return "imported members of website " + a.scope.WebsiteID.String()
}

// Locks returns the locks of all people.
func (a admitManyWork) Locks() []store.Lock {
	var locks []store.Lock
	for _, p := range a.people {
		locks = append(locks, p.Locks()...)
	}
	return locks
}

// Judge runs once the rows are locked: it stages the rows of one person after the other.
func (a admitManyWork) Judge(b *store.Batch) error {
	for _, p := range a.people {
		if err := p.admit(b, a.scope, false); err != nil {
			return err
		}
	}
	return nil
}

// ImportProfiles writes what a file says about members of the scope's website, whose wallets differ. A member that the
// file says joined earlier than is known has joined then; it never becomes newer. Writing the same again changes
// nothing and records no change. It is a transaction of its own, apart from a lease. Errors: NotFound "User" if a
// wallet has no member.
func (s *Service) ImportProfiles(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, profiles []ImportedProfile,
) error {
	refs := make([]Ref, len(profiles))
	for i, p := range profiles {
		refs[i] = p.Metadata.Ref
	}
	people, err := s.ResolveMany(ctx, tx, scope, refs)
	if err != nil {
		return err
	}
	users := make([]laurel.ID, len(people))
	for i, p := range people {
		if users[i] = p.UserID; p.NewUser || p.NewMember {
			return laurel.Missing("User")
		}
	}
	confirmed, err := clearTemporaries(ctx, tx, users)
	if err != nil {
		return err
	}
	rows, err := lockMembersByID(ctx, tx, scope, users)
	if err != nil {
		return err
	}
	members := make([]importedMember, len(profiles))
	for i, p := range profiles {
		members[i] = importedMember{rows[users[i]], p}
	}
	if err := setEarlierJoins(ctx, tx, members); err != nil {
		return err
	}
	changes := make([]feed.Change, 0, len(confirmed)+len(profiles))
	for i := range confirmed {
		changes = append(changes, userChange(scope, feed.Updated, &confirmed[i]))
	}
	written, err := s.saveRecords(ctx, tx, scope, members)
	if err != nil {
		return err
	}
	return feed.Record(ctx, tx, append(changes, written...)...)
}

// importedMember is a locked member with what a file says about it.
type importedMember struct {
	row     *memberRow
	profile ImportedProfile
}

// setEarlierJoins sets since when members are known, where their profiles say that they joined earlier.
func setEarlierJoins(ctx context.Context, tx *store.Tx, members []importedMember) error {
	var earlier [][]any
	for _, m := range members {
		joined := store.Micros(m.profile.JoinedAt)
		if !m.profile.JoinedAt.IsZero() && joined < m.row.KnownSince {
			earlier = append(earlier, []any{m.row.WebsiteID, m.row.UserID, joined})
		}
	}
	return updateKnownSince(ctx, tx, earlier)
}

// saveRecords applies the profiles to the metadata records of members, writes the records that are new or change, and
// returns their changes for the feed.
func (s *Service) saveRecords(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, members []importedMember,
) ([]feed.Change, error) {
	users := make([]laurel.ID, len(members))
	for i, m := range members {
		users[i] = m.row.UserID
	}
	stored, err := selectRecordsOfUsers(ctx, tx, scope, users)
	if err != nil {
		return nil, err
	}
	actions := map[laurel.ID]feed.Action{}
	var changed []laurel.ID
	var writes []recordWrite
	for i, m := range members {
		before := stored[users[i]]
		w := recordWrite{member: *m.row, profile: m.profile.Metadata.apply(before.Profile)}
		if w.record = string(store.JSON(w.profile)); w.record == before.Record {
			continue
		}
		w.hasOtherIdentifiers = !slices.Equal(before.Profile.identifiers(), w.profile.identifiers())
		actions[users[i]] = feed.Updated
		if before.Record == "" {
			actions[users[i]] = feed.Created
		}
		changed, writes = append(changed, users[i]), append(writes, w)
	}
	if err := writeRecords(ctx, tx, scope, writes); err != nil || len(writes) == 0 {
		return nil, err
	}
	metadata, err := s.Metadatas(ctx, tx, scope, changed)
	if err != nil {
		return nil, err
	}
	changes := make([]feed.Change, 0, len(changed))
	for _, user := range changed {
		for _, m := range metadata[user] {
			changes = append(changes, metadataChange(m, actions[user]))
		}
	}
	return changes, nil
}

// recordWrite is a metadata record that is to be written.
type recordWrite struct {
	member              memberRow
	profile             Profile
	record              string // the profile as JSON
	hasOtherIdentifiers bool   // than before
}
