package identity

import (
	"context"
	"errors"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// maxKeysPerQuery is how many ids or wallets one statement looks up at most.
const maxKeysPerQuery = 500

// Resolve reads the user that a reference names, as a member of the scope's website, which must be set. It writes
// nothing. An unknown id, or one of another organization, is NotFound "User". For an unknown wallet, secret keys get a
// Person with NewUser and a new id, and other keys NotFound "User" (contract 4).
func (s *Service) Resolve(ctx context.Context, q store.Queryer, scope laurel.Scope, ref Ref) (Person, error) {
	people, err := s.ResolveMany(ctx, q, scope, []Ref{ref})
	if err != nil {
		return Person{}, err
	}
	return people[0], nil
}

// Find is Resolve outside a transaction. With fresh it reads the database; without, it may return the person as this
// node read it last, which is enough if Check compares it under locks later. Concurrent callers share one read.
func (s *Service) Find(ctx context.Context, scope laurel.Scope, ref Ref, fresh bool) (Person, error) {
	key := newPersonKey(scope, ref)
	if !fresh {
		if p, ok := s.personCache.GetIfPresent(key); ok {
			return p, nil
		}
	}
	p, ok, err := s.personLoader.Get(ctx, key)
	switch {
	case err != nil:
		return Person{}, err
	case !ok:
		return s.newPerson(scope, ref, map[string]laurel.ID{})
	case p.NewMember:
		p.KnownSince = s.db.Now() // not the time of another caller that shares the read
	default:
		s.personCache.Set(key, p)
	}
	return p, nil
}

// Presume returns a person for a decision, without reading the database if possible. A person that is not cached is
// read if the reference has a wallet. If it has an id, Presume assumes a member like most, without group, block mark or
// multipliers, and leaves its wallet empty; if the assumption is wrong, Check returns store.ErrStale later.
func (s *Service) Presume(ctx context.Context, scope laurel.Scope, ref Ref) (Person, error) {
	p, ok := s.personCache.GetIfPresent(newPersonKey(scope, ref))
	switch {
	case ok:
		return p, nil
	case ref.UserID.IsZero():
		return s.Find(ctx, scope, ref, false)
	}
	return Person{
		OrganizationID: scope.OrganizationID,
		WebsiteID:      scope.WebsiteID,
		UserID:         ref.UserID,
		isPresumed:     true,
	}, nil
}

// LoadPresumed returns the person as it is, or reads it if Presume has only assumed it.
func (s *Service) LoadPresumed(ctx context.Context, scope laurel.Scope, p Person) (Person, error) {
	if !p.isPresumed {
		return p, nil
	}
	return s.Find(ctx, scope, Ref{UserID: p.UserID}, false)
}

func newPersonKey(scope laurel.Scope, ref Ref) personKey {
	return personKey{scope.OrganizationID, scope.WebsiteID, normalizeRef(ref)}
}

// maxPersonCache bounds the bytes of a node's cache of people.
const maxPersonCache = 32 << 20

// personSize returns the approximate bytes of a cached person; a member of a large group holds the ids of all.
func personSize(k personKey, p Person) int {
	const fixed = 384 // of the key and the person
	return fixed + len(k.name.Wallet) + len(p.Wallet) + len(laurel.ID{})*(cap(p.Group)+cap(p.WithMultipliers))
}

// personKey is a reference to a user in one website.
type personKey struct {
	organization, website laurel.ID
	name                  Ref
}

// loadPeople reads people for the loader, which asks for people of several websites.
func (s *Service) loadPeople(ctx context.Context, keys []personKey) (map[personKey]Person, error) {
	type website struct{ organization, website laurel.ID }
	byWebsite := map[website][]Ref{}
	for _, k := range keys {
		w := website{k.organization, k.website}
		byWebsite[w] = append(byWebsite[w], k.name)
	}
	out := make(map[personKey]Person, len(keys))
	for w, refs := range byWebsite {
		people, err := s.readPeople(ctx, s.db, laurel.Scope{OrganizationID: w.organization, WebsiteID: w.website}, refs)
		if err != nil {
			return nil, err
		}
		for name, p := range people {
			out[personKey{w.organization, w.website, name}] = p
		}
	}
	return out, nil
}

// ResolveMany is Resolve for many references, in their order. Equal unknown wallets get the same new id.
func (s *Service) ResolveMany(ctx context.Context, q store.Queryer, scope laurel.Scope, refs []Ref) ([]Person, error) {
	if scope.WebsiteID.IsZero() {
		return nil, errors.New("identity: a user is resolved in a website")
	}
	people := make([]Person, 0, len(refs))
	newIDs := map[string]laurel.ID{}
	for part := range slices.Chunk(refs, maxKeysPerQuery) {
		found, err := s.readPeople(ctx, q, scope, part)
		if err != nil {
			return nil, err
		}
		for _, ref := range part {
			p, ok := found[normalizeRef(ref)]
			if !ok {
				if p, err = s.newPerson(scope, ref, newIDs); err != nil {
					return nil, err
				}
			}
			people = append(people, p)
		}
	}
	return people, nil
}

// normalizeRef returns the form of a reference in which equal references compare as equal.
func normalizeRef(r Ref) Ref {
	if !r.UserID.IsZero() {
		return Ref{UserID: r.UserID}
	}
	return Ref{Wallet: NormalizeWallet(r.Wallet)}
}

// newPerson returns a Person for an unknown wallet: with the id that newIDs has for the wallet, or with a new one,
// which it adds to newIDs. Errors: NotFound "User" if the reference is an id, or the caller has no secret key.
func (s *Service) newPerson(scope laurel.Scope, ref Ref, newIDs map[string]laurel.ID) (Person, error) {
	name := normalizeRef(ref)
	if name.Wallet == "" || !scope.HasSecretKey() {
		return Person{}, laurel.Missing("User")
	}
	if newIDs[name.Wallet].IsZero() {
		newIDs[name.Wallet] = s.db.NewID()
	}
	return Person{
		OrganizationID: scope.OrganizationID,
		WebsiteID:      scope.WebsiteID,
		UserID:         newIDs[name.Wallet],
		Wallet:         name.Wallet,
		NewUser:        true,
		NewMember:      true,
		KnownSince:     s.db.Now(),
	}, nil
}

// readPeople reads the people that the references name. The result has each under its id and under its wallet; unknown
// ones are left out.
func (s *Service) readPeople(
	ctx context.Context, q store.Queryer, scope laurel.Scope, refs []Ref,
) (map[Ref]Person, error) {
	var ids []laurel.ID
	var wallets []string
	for _, ref := range refs {
		if name := normalizeRef(ref); name.Wallet == "" {
			ids = append(ids, name.UserID)
		} else {
			wallets = append(wallets, name.Wallet)
		}
	}
	rows, err := selectPeople(ctx, q, scope, ids, wallets)
	if err != nil {
		return nil, err
	}
	var groupIDs []laurel.ID
	for _, r := range rows {
		if !r.GroupID.IsZero() && !slices.Contains(groupIDs, r.GroupID) {
			groupIDs = append(groupIDs, r.GroupID)
		}
	}
	// The groups' versions were read with the rows, before their members, so Check notices a change in between.
	groupMembers, err := selectGroupMembers(ctx, q, scope.WebsiteID, groupIDs)
	if err != nil {
		return nil, err
	}
	out := make(map[Ref]Person, len(rows))
	for _, r := range rows {
		p := s.personOf(scope, r, groupMembers[r.GroupID])
		out[Ref{UserID: p.UserID}] = p
		if p.Wallet != "" {
			out[Ref{Wallet: p.Wallet}] = p
		}
	}
	return out, nil
}

// personOf returns the Person of a row. groupMembers are the members of its group, none if it is in no group. A person
// that is not exempt counts as blocked if any member of its group is blocked.
func (s *Service) personOf(scope laurel.Scope, r personRow, groupMembers []groupMemberRow) Person {
	p := Person{OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, UserID: r.ID}
	if r.Wallet != nil {
		p.Wallet = *r.Wallet
	}
	if r.KnownSince == nil {
		p.NewMember, p.KnownSince = true, s.db.Now()
		return p
	}
	p.KnownSince, p.GroupID = store.Time(*r.KnownSince), r.GroupID
	p.Version = Version{blocked: *r.Blocked, exempt: *r.Exempt, hasMultipliers: *r.HasMultipliers}
	if r.Version != nil {
		p.Version.group = *r.Version
	}
	p.Blocked = *r.Blocked && !*r.Exempt
	if *r.HasMultipliers && len(groupMembers) == 0 {
		p.WithMultipliers = []laurel.ID{r.ID}
	}
	for _, m := range groupMembers {
		p.Group = append(p.Group, m.UserID)
		if m.HasMultipliers {
			p.WithMultipliers = append(p.WithMultipliers, m.UserID)
		}
		p.Blocked = p.Blocked || m.Blocked && !m.Exempt && !*r.Exempt
	}
	return p
}

// Wallets returns the wallets of users in the scope's organization by user id. Unknown ids and users without a wallet
// are left out.
func (s *Service) Wallets(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
) (map[laurel.ID]string, error) {
	out := make(map[laurel.ID]string, len(ids))
	for part := range slices.Chunk(ids, maxKeysPerQuery) {
		rows, err := selectWallets(ctx, q, scope.OrganizationID, part)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if r.Wallet != nil {
				out[r.ID] = *r.Wallet
			}
		}
	}
	return out, nil
}

// resolveOrCreate resolves a reference inside a transaction and inserts the rows of a new person at once. temporary
// says whether a new user gets the mark of a temporary one.
func (s *Service) resolveOrCreate(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	ref Ref,
	temporary bool,
) (Person, error) {
	p, err := s.Resolve(ctx, tx, scope, ref)
	if err != nil {
		return p, err
	}
	return p, insertPerson(ctx, tx, scope, p, temporary)
}

// FindOrCreate returns the member of the scope's website that a reference names. It creates a new one first: a user
// with the mark of a temporary one, if the caller has a secret key, and a member. Errors: NotFound "User".
func (s *Service) FindOrCreate(ctx context.Context, scope laurel.Scope, ref Ref) (Person, error) {
	p, err := s.Resolve(ctx, s.db, scope, ref)
	if err == nil && (p.NewUser || p.NewMember) {
		err = s.db.InTx(ctx, func(tx *store.Tx) (err error) {
			p, err = s.resolveOrCreate(ctx, tx, scope, ref, true)
			return err
		})
	}
	return p, err
}

// insertPerson inserts the rows of a new person, and does nothing for an existing one. temporary says whether a new
// user gets the mark of a temporary one. It returns store.ErrRerun if another transaction has inserted the wallet
// meanwhile.
func insertPerson(ctx context.Context, tx *store.Tx, scope laurel.Scope, p Person, temporary bool) error {
	if !p.NewUser && !p.NewMember {
		return nil
	}
	err := store.Run(ctx, tx, admitWork{p, scope, temporary})
	if errors.Is(err, store.ErrStale) {
		return store.ErrRerun
	}
	return err
}

// CreateServiceUser creates the user that an API key acts as: without wallet, and member of no website (contract 1.2).
// It records no change.
func (s *Service) CreateServiceUser(ctx context.Context, tx *store.Tx, organization laurel.ID) (laurel.ID, error) {
	row := &userRow{OrganizationID: organization, Service: true}
	row.initialize(tx.NewID(), false, tx.Now())
	return row.ID, insertUsers(ctx, tx, []*userRow{row})
}

// FindOrCreateWallet returns the user of a wallet, and creates it if there is none. If the scope names a website, the
// user is made a member of it too. Whether the wallet is genuine must be checked by the caller. Errors: Invalid.
func (s *Service) FindOrCreateWallet(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, wallet string,
) (laurel.ID, error) {
	var f laurel.Faults
	Ref{Wallet: wallet}.Validate(&f)
	if err := f.Err(); err != nil {
		return laurel.ID{}, err
	}
	if !scope.WebsiteID.IsZero() {
		scope.Role = laurel.RoleWebsite // so that Resolve returns new wallets: the command line has no key
		p, err := s.resolveOrCreate(ctx, tx, scope, Ref{Wallet: wallet}, true)
		return p.UserID, err
	}
	wallet = NormalizeWallet(wallet)
	id, err := selectUserOfWallet(ctx, tx, scope.OrganizationID, wallet)
	if !store.IsNoRows(err) {
		return id, err
	}
	row := &userRow{OrganizationID: scope.OrganizationID, Wallet: &wallet}
	row.initialize(tx.NewID(), true, tx.Now())
	if err := insertUsers(ctx, tx, []*userRow{row}); err != nil {
		return laurel.ID{}, err
	}
	return row.ID, feed.Record(ctx, tx, userChange(scope, feed.Created, row))
}
