package identity

import (
	"context"
	"errors"
	"slices"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/store"
)

// maxNames bounds the arguments of one statement.
const maxNames = 500

// Resolve reads who is named, without writing. scope.WebsiteID must be set. An unknown id, or one of another
// organization, is Missing("User"). An unknown wallet answers a Person with NewUser and a fresh id to a secret key,
// Missing("User") to others (contract 4).
func (s *Service) Resolve(ctx context.Context, q store.Queryer, scope laurel.Scope, ref Ref) (Person, error) {
	people, err := s.ResolveMany(ctx, q, scope, []Ref{ref})
	if err != nil {
		return Person{}, err
	}
	return people[0], nil
}

// Find is Resolve outside a transaction: as it is now, or, unless that is asked for, as this node saw the person last,
// which is good for whoever lets Check compare it under locks. It shares its read with other callers of the same
// moment.
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
		p.FirstSeenAt = s.db.Now() // not that of whoever shared the read
	default:
		s.personCache.Set(key, p)
	}
	return p, nil
}

// Presume is Find as this node saw the person last, but who is named by id and unknown here is taken for what most
// members are, without a read: in no group, not blocked, without multipliers. Check answers store.ErrStale where that
// is wrong, and Since tells what the row does; the wallet stays unknown.
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

// LoadPresumed returns the person with all that is known of it: it reads who is only presumed.
func (s *Service) LoadPresumed(ctx context.Context, scope laurel.Scope, p Person) (Person, error) {
	if !p.isPresumed {
		return p, nil
	}
	return s.Find(ctx, scope, Ref{UserID: p.UserID}, false)
}

func newPersonKey(scope laurel.Scope, ref Ref) personKey {
	return personKey{scope.OrganizationID, scope.WebsiteID, normalizeRef(ref)}
}

// maxPersonCache bounds the bytes of the people that a node remembers.
const maxPersonCache = 32 << 20

// personSize tells how many bytes a remembered person has, roughly: a member of a large group has the ids of all.
func personSize(k personKey, p Person) int {
	const fixed = 384 // of the key and the person
	return fixed + len(k.name.Wallet) + len(p.Wallet) + len(laurel.ID{})*(cap(p.Group)+cap(p.WithMultipliers))
}

// personKey names a user of one website as a caller does.
type personKey struct {
	organization, website laurel.ID
	name                  Ref
}

// loadPeople reads the people of several websites.
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

// ResolveMany is Resolve for many, in the order of refs. Equal wallets get the same fresh id.
func (s *Service) ResolveMany(ctx context.Context, q store.Queryer, scope laurel.Scope, refs []Ref) ([]Person, error) {
	if scope.WebsiteID.IsZero() {
		return nil, errors.New("identity: a user is resolved in a website")
	}
	people := make([]Person, 0, len(refs))
	newIDs := map[string]laurel.ID{}
	for part := range slices.Chunk(refs, maxNames) {
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

// normalizeRef makes refs to the same user by the same name equal.
func normalizeRef(r Ref) Ref {
	if !r.UserID.IsZero() {
		return Ref{UserID: r.UserID}
	}
	return Ref{Wallet: NormalizeWallet(r.Wallet)}
}

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
		FirstSeenAt:    s.db.Now(),
	}, nil
}

// readPeople reads the known ones of refs, by the names that refs use.
func (s *Service) readPeople(ctx context.Context, q store.Queryer, scope laurel.Scope, refs []Ref) (map[Ref]Person, error) {
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
	var grouped []laurel.ID
	for _, r := range rows {
		if !r.GroupID.IsZero() && !slices.Contains(grouped, r.GroupID) {
			grouped = append(grouped, r.GroupID)
		}
	}
	// The groups' versions came with the rows, before this read of their members: a change in between is noticed by Check.
	groupMembers, err := selectGroupMembers(ctx, q, scope.WebsiteID, grouped)
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

func (s *Service) personOf(scope laurel.Scope, r personRow, groupMembers []groupMemberRow) Person {
	p := Person{OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, UserID: r.ID}
	if r.Wallet != nil {
		p.Wallet = *r.Wallet
	}
	if r.FirstSeenAt == nil {
		p.NewMember, p.FirstSeenAt = true, s.db.Now()
		return p
	}
	p.FirstSeenAt, p.GroupID = store.Time(*r.FirstSeenAt), r.GroupID
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

// Wallets returns the wallets of the ids in the scope's organization. Ids that are unknown or have no wallet are left
// out.
func (s *Service) Wallets(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
) (map[laurel.ID]string, error) {
	out := make(map[laurel.ID]string, len(ids))
	for part := range slices.Chunk(ids, maxNames) {
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

// resolveOrCreate resolves inside a transaction and writes a new person at once.
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

// insertPerson writes the rows of a new person. A race for the same wallet reruns the transaction.
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

// CreateServiceUser makes the user that an API key acts as: without wallet, member of no website (contract 1.2). It
// fires nothing.
func (s *Service) CreateServiceUser(ctx context.Context, tx *store.Tx, organization laurel.ID) (laurel.ID, error) {
	row := &userRow{OrganizationID: organization, Service: true}
	row.create(tx.NewID(), false, tx.Now())
	return row.ID, insertUsers(ctx, tx, []*userRow{row})
}

// FindOrCreateWallet finds or makes the user of a wallet, as a member of the scope's website when it names one. The
// caller vouches for the wallet.
func (s *Service) FindOrCreateWallet(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, wallet string,
) (laurel.ID, error) {
	var f laurel.Faults
	Ref{Wallet: wallet}.Validate(&f)
	if err := f.Err(); err != nil {
		return laurel.ID{}, err
	}
	if !scope.WebsiteID.IsZero() {
		scope.Role = laurel.RoleWebsite // vouched for: the CLI has no key
		p, err := s.resolveOrCreate(ctx, tx, scope, Ref{Wallet: wallet}, true)
		return p.UserID, err
	}
	wallet = NormalizeWallet(wallet)
	id, err := selectUserOfWallet(ctx, tx, scope.OrganizationID, wallet)
	if !store.NoRows(err) {
		return id, err
	}
	row := &userRow{OrganizationID: scope.OrganizationID, Wallet: &wallet}
	row.create(tx.NewID(), true, tx.Now())
	if err := insertUsers(ctx, tx, []*userRow{row}); err != nil {
		return laurel.ID{}, err
	}
	return row.ID, feed.Record(ctx, tx, userChange(scope, feed.Created, row))
}
