package identity

import (
	"cmp"
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// Nonce is the nonce of a wallet's signature, which counts once.
type Nonce interface {
	// Use uses up the nonce, before every lock of the transaction. Errors: Refused if it was used before.
	Use(ctx context.Context, tx *store.Tx, scope laurel.Scope) error
}

// WalletConnection is a wallet that a caller connects (contract 8.5).
type WalletConnection struct {
	Wallet string
	Type   string    // a wallet type
	UserID laurel.ID // the user whose group the wallet joins; zero: it joins none
	Nonce  Nonce     // of the wallet's signature; nil: it has not signed
	// IsVouched reports whether a secret key says that the wallet is the user's.
	IsVouched         bool
	ConfirmDisconnect bool // the wallet may leave another group
}

// WalletUser is the user of a connected wallet.
type WalletUser struct {
	ID        laurel.ID        `json:"id"`
	Wallet    string           `json:"walletAddress"`
	CreatedAt laurel.Timestamp `json:"createdAt"`
	UpdatedAt laurel.Timestamp `json:"updatedAt"`
}

// ConnectWallet makes sure that the wallet has a user, who is a member of the scope's website with metadata, and sets
// its type. With UserID both join one group: that of the user, else that of the wallet, else a new one. The caller has
// checked the proof, and that it may act for the user. Errors: NotFound "User"; Refused "User is already connected to
// another group", "User is not verified", and those of the nonce.
func (s *Service) ConnectWallet(
	ctx context.Context, scope laurel.Scope, in WalletConnection,
) (out WalletUser, err error) {
	trusted := scope
	if in.Nonce != nil {
		trusted.Role = laurel.RoleWebsite // so that Resolve returns new wallets
	}
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if in.Nonce != nil {
			if err := in.Nonce.Use(ctx, tx, scope); err != nil {
				return err
			}
		}
		own, err := s.ownerOf(ctx, tx, trusted, in)
		if err != nil {
			return err
		}
		pair, err := s.pairOf(ctx, tx, scope, own, in)
		if err != nil {
			return err
		}
		if err := s.insertPair(ctx, tx, trusted, pair); err != nil {
			return err
		}
		if err := keepKey(ctx, tx, scope, own, in); err != nil {
			return err
		}
		row, err := s.setWalletType(ctx, tx, scope, own.UserID, in.Type)
		if err != nil {
			return err
		}
		out = row.walletUser()
		return s.joinPair(ctx, tx, scope, pair, in)
	})
	return out, err
}

// ownerOf resolves the user of a wallet. A wallet that has signed is known by its key: of an address with several
// spellings, the user is that of the spelling that has signed first, unless this spelling has a user of its own, whom a
// secret key has named (decision 102).
func (s *Service) ownerOf(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, in WalletConnection,
) (Person, error) {
	own, err := s.Resolve(ctx, tx, scope, Ref{Wallet: in.Wallet})
	key := evm.KeyOf(in.Wallet)
	if err != nil || in.Nonce == nil || key == "" || !own.NewUser {
		return own, err
	}
	user, err := selectUserOfKey(ctx, tx, scope.OrganizationID, key)
	switch {
	case store.IsNoRows(err):
		return own, nil
	case err != nil:
		return own, err
	}
	return s.Resolve(ctx, tx, scope, Ref{UserID: user})
}

// keepKey stores whose the key of a wallet is that has signed, if the wallet is the first of the key. It returns
// store.ErrRerun if another spelling of a new wallet was first meanwhile.
func keepKey(ctx context.Context, tx *store.Tx, scope laurel.Scope, own Person, in WalletConnection) error {
	key := evm.KeyOf(in.Wallet)
	if in.Nonce == nil || key == "" {
		return nil
	}
	isFirst, err := insertWalletKey(ctx, tx, scope.OrganizationID, key, own.UserID)
	if err == nil && !isFirst && own.NewUser {
		return store.ErrRerun
	}
	return err
}

// pair is a wallet's user, and the user whose group it joins.
type pair struct {
	own    Person
	named  *Person   // nil: none
	target laurel.ID // the group that both will be in; zero: none
}

// pairOf reads the user whose group the wallet joins, and the group that both will be in, which it creates if neither
// has one. Errors: those of ConnectWallet.
func (s *Service) pairOf(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, own Person, in WalletConnection,
) (pair, error) {
	p := pair{own: own, target: own.GroupID}
	if in.UserID.IsZero() {
		return p, nil
	}
	named, err := s.Resolve(ctx, tx, scope, Ref{UserID: in.UserID})
	if err != nil || named.UserID == own.UserID {
		return p, err
	}
	if scope.Role == laurel.RoleClient {
		if err := s.checkIsVerified(ctx, tx, named); err != nil {
			return p, err
		}
	}
	p.named = &named
	switch {
	case named.GroupID.IsZero() && own.GroupID.IsZero():
		p.target, err = createGroup(ctx, tx, scope)
	case named.GroupID.IsZero():
		p.target = own.GroupID
	case !own.GroupID.IsZero() && own.GroupID != named.GroupID && !in.ConfirmDisconnect:
		err = laurel.Errorf(laurel.Refused, "User is already connected to another group")
	default:
		p.target = named.GroupID
	}
	return p, err
}

// checkIsVerified returns Refused unless the wallet of a member was proven.
func (s *Service) checkIsVerified(ctx context.Context, tx *store.Tx, p Person) error {
	stored, err := selectRecord(ctx, tx, memberRow{WebsiteID: p.WebsiteID, UserID: p.UserID})
	if err == nil && stored.Profile.VerifiedLocallyAt != nil {
		return nil
	}
	if err != nil && !store.IsNoRows(err) {
		return err
	}
	return laurel.Errorf(laurel.Refused, "User is not verified")
}

// groups returns the groups that the pair is in or will be in, sorted.
func (p pair) groups() []laurel.ID {
	ids := []laurel.ID{p.target, p.own.GroupID}
	if p.named != nil {
		ids = append(ids, p.named.GroupID)
	}
	ids = slices.DeleteFunc(ids, laurel.ID.IsZero)
	slices.SortFunc(ids, laurel.ID.Compare)
	return slices.Compact(ids)
}

// users returns the users of the pair, sorted by id.
func (p pair) users() []Person {
	people := []Person{p.own}
	if p.named != nil {
		people = append(people, *p.named)
	}
	slices.SortFunc(people, func(a, b Person) int { return a.UserID.Compare(b.UserID) })
	return people
}

// insertPair locks the groups of a pair, and inserts the rows of new people.
func (s *Service) insertPair(ctx context.Context, tx *store.Tx, scope laurel.Scope, p pair) error {
	if err := lockGroups(ctx, tx, p.groups()); err != nil {
		return err
	}
	for _, person := range p.users() {
		if err := insertPerson(ctx, tx, scope, person, false); err != nil {
			return err
		}
	}
	return nil
}

// joinPair locks the pair with all members of its groups, moves both into their group, the named user first, and
// writes their metadata. It returns store.ErrRerun if one has changed its group since it was read.
func (s *Service) joinPair(ctx context.Context, tx *store.Tx, scope laurel.Scope, p pair, in WalletConnection) error {
	var users []laurel.ID
	for _, person := range p.users() {
		users = append(users, person.UserID)
	}
	members, err := lockUsersAndGroupMembers(ctx, tx, scope, users, p.groups())
	if err != nil {
		return err
	}
	rowOf := func(person Person) *memberRow {
		i := slices.IndexFunc(members, func(m *memberRow) bool { return m.UserID == person.UserID })
		if i < 0 || members[i].GroupID != person.GroupID {
			return nil // it moved between reading and locking: other groups must be locked
		}
		return members[i]
	}
	own := rowOf(p.own)
	if own == nil {
		return store.ErrRerun
	}
	if p.named != nil {
		named := rowOf(*p.named)
		if named == nil {
			return store.ErrRerun
		}
		affected := &affectedMembers{people: members, self: named, target: p.target}
		if _, err := s.writeChange(ctx, tx, scope, affected, joining(p.target)); err != nil {
			return err
		}
	}
	change := joining(p.target)
	if in.Nonce != nil || in.IsVouched {
		change.verifiedLocallyAt = &laurel.Timestamp{Time: tx.Now()}
	}
	_, err = s.writeChange(ctx, tx, scope, &affectedMembers{people: members, self: own, target: p.target}, change)
	return err
}

// joining returns the change of a member who joins a group; zero: it stays in none.
func joining(group laurel.ID) (in MetadataInput) {
	if !group.IsZero() {
		in.UserGroupID = laurel.Some(group)
	}
	return in
}

// setWalletType stores the type of a user's wallet and clears the mark of a temporary user. It returns the user.
func (s *Service) setWalletType(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID, walletType string,
) (userRow, error) {
	isChanged, err := updateWalletType(ctx, tx, user, walletType)
	if err != nil {
		return userRow{}, err
	}
	row, err := selectUser(ctx, tx, user)
	if err == nil && isChanged {
		err = feed.Record(ctx, tx, userChange(scope, feed.Updated, &row))
	}
	return row, err
}

// walletUser returns the user as the response of a connection shows it.
func (r userRow) walletUser() WalletUser {
	return WalletUser{
		ID: r.ID, Wallet: *r.Wallet, CreatedAt: laurel.Timestamp{Time: store.Time(r.CreatedAt)},
		UpdatedAt: laurel.Timestamp{Time: store.Time(r.UpdatedAt)},
	}
}

// LeaveGroup takes a user out of its group (contract 4.6). Errors: NotFound "User"; Refused "User is not connected".
func (s *Service) LeaveGroup(ctx context.Context, scope laurel.Scope, user laurel.ID) error {
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		p, err := s.Resolve(ctx, tx, scope, Ref{UserID: user})
		if err != nil {
			return err
		}
		if p.GroupID.IsZero() {
			return laurel.Errorf(laurel.Refused, "User is not connected")
		}
		in := MetadataInput{UserGroupID: laurel.Null[laurel.ID]()}
		locked, err := lockGroupsOf(ctx, tx, scope, p, in)
		if err != nil {
			return err
		}
		affected, err := lockAffectedMembers(ctx, tx, p, locked)
		if err == nil {
			_, err = s.writeChange(ctx, tx, scope, affected, in)
		}
		return err
	})
}

// keepFirstAccounts leaves one account of each platform in the group that a member has joined: that of the user who
// connected first (contract 8.7). The others lose theirs. It returns the users whose metadata it has changed.
func (s *Service) keepFirstAccounts(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, affected *affectedMembers,
) (changed []laurel.ID, err error) {
	scope.IfMatch = nil // it was checked for the record that the caller changes
	profiles, err := selectProfilesOfGroup(ctx, tx, scope, affected.target)
	if err != nil {
		return nil, err
	}
	self := profiles[affected.self.UserID]
	for _, mate := range affected.people {
		if mate.GroupID != affected.target || mate.UserID == affected.self.UserID {
			continue
		}
		other := profiles[mate.UserID]
		for _, platform := range sharedPlatforms(self, other) {
			loser, profile := affected.self, &self
			if connectedBefore(self, other, platform) {
				loser, profile = mate, &other
			}
			*profile = profile.without(platform)
			drop := func(p Profile) Profile { return p.without(platform) }
			if _, err := s.saveRecord(ctx, tx, scope, *loser, drop); err != nil {
				return nil, err
			}
			changed = append(changed, loser.UserID)
		}
	}
	return changed, nil
}

// sharedPlatforms returns the platforms of which both have an account, in order of their ids.
func sharedPlatforms(a, b Profile) (shared []string) {
	own, others := Connections{Profile: a}.Accounts(), Connections{Profile: b}.Accounts()
	for platform := range own {
		if _, isShared := others[platform]; isShared && platform != Email && platform != Phone {
			shared = append(shared, platform)
		}
	}
	slices.Sort(shared)
	return shared
}

// connectedBefore reports whether the joining user has connected its account of a platform before a member did. An
// account that was never proved counts as connected after those that were, and the member's before the joining user's.
func connectedBefore(joining, member Profile, platform string) bool {
	own, _ := joining.accountFields(platform)
	other, _ := member.accountFields(platform)
	switch a, b := *own.verified, *other.verified; {
	case a == nil:
		return false
	case b == nil:
		return true
	default:
		return cmp.Compare(store.Micros(a.Time), store.Micros(b.Time)) < 0
	}
}
