package lists

import (
	"context"
	"strings"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/vault"
)

// Owner is the rule or the badge that names a list.
type Owner struct {
	Of string
	ID laurel.ID
}

// What owns lists.
const (
	OfRule  = "rule"
	OfBadge = "badge"
)

// Source is a list that a rule or a badge names.
type Source struct {
	Kind   Kind
	URL    string
	APIKey vault.Secret // sent as x-api-key to a feed
	Feed   bool         // pages of JSON rather than a file
}

// source is the row of one.
type source struct {
	OwnerID        laurel.ID `db:"owner_id"`
	Owner          string    `db:"owner"`
	Kind           Kind      `db:"kind"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	URL            string    `db:"url"`
	CurrentID      laurel.ID `db:"current_import_id"`
	NextReadAt     *int64    `db:"next_read_at"`
}

// feedMark begins the stored url of a feed: a file and a feed of one address are two sources.
const feedMark = "feed "

// address is the url as it is stored.
func (s Source) address() string {
	if s.Feed {
		return feedMark + s.URL
	}
	return s.URL
}

// Saved notes, in the transaction that saves a rule of one website, which lists the rule names, and asks for them to be
// read. A list that it names no more is forgotten. Codes are read once per address; what a rule is restricted to or
// pays by is read at every saving, and hourly.
func Saved(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule laurel.ID, named []Source) error {
	known, err := sourcesOf(ctx, tx, rule)
	if err != nil {
		return err
	}
	for _, s := range named {
		before := known[s.Kind]
		delete(known, s.Kind)
		if s.Kind == Codes && before.URL == s.address() {
			done, err := readBefore(ctx, tx, before)
			if err != nil {
				return err
			}
			if done {
				continue
			}
		}
		if err := s.ask(ctx, tx, scope, Owner{OfRule, rule}); err != nil {
			return err
		}
	}
	for kind := range known {
		if base, _ := kind.plain(); base == Condition {
			continue
		}
		if err := forgetSource(ctx, tx, rule, kind); err != nil {
			return err
		}
	}
	return nil
}

// Asked is the list of a condition before a rule.
type Asked struct {
	Rule, Condition laurel.ID
	URL             string
}

// Conditioned asks, in the transaction that saves a condition or its rule, for a condition's list to be read. It is
// read hourly from then on.
func Conditioned(ctx context.Context, tx *store.Tx, scope laurel.Scope, a Asked) error {
	return Source{Kind: ConditionKind(a.Condition), URL: a.URL}.ask(ctx, tx, scope, Owner{OfRule, a.Rule})
}

// Unconditioned forgets the list of a condition that is deleted.
func Unconditioned(ctx context.Context, tx *store.Tx, rule, condition laurel.ID) error {
	return forgetSource(ctx, tx, rule, ConditionKind(condition))
}

// Ended stops, in the transaction that deletes a rule, the reading of its lists. What was read stays for when the rule
// comes back.
func Ended(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule laurel.ID) error {
	return endSources(ctx, tx, scope, rule)
}

// ask makes an import that is due at once in place of one that is under way. Imports come before sources, here and
// where an import ends: nobody waits for one who waits for him.
func (s Source) ask(ctx context.Context, tx *store.Tx, scope laurel.Scope, owner Owner) error {
	if err := cancelOpen(ctx, tx, owner.ID, s.Kind); err != nil {
		return err
	}
	if err := putSource(ctx, tx, scope, owner, s); err != nil {
		return err
	}
	return insertImport(
		ctx,
		tx,
		source{
			OwnerID:        owner.ID,
			Owner:          owner.Of,
			Kind:           s.Kind,
			OrganizationID: scope.OrganizationID,
			WebsiteID:      scope.WebsiteID,
			URL:            s.address(),
		},
	)
}

// Wake has Run look for imports at once. It is called after the commit; what is lost with the node is found by a later
// round.
func (s *Service) Wake() {
	select {
	case s.wanted <- struct{}{}:
	default: // a round is about to begin anyhow
	}
}

// Check notes what keeps an address from being read: contract 7.2, except that files of this service are not called but
// opened.
func (s *Service) Check(ctx context.Context, scope laurel.Scope, f *laurel.Faults, path, address string) error {
	var problem laurel.Faults
	s.outside.Check(&problem, path, address)
	if len(problem) == 0 {
		return nil
	}
	file, err := s.files.Own(ctx, scope, address)
	if err == nil {
		return file.Close()
	}
	if laurel.CodeOf(err) != laurel.NotFound {
		return err
	}
	*f = append(*f, problem...)
	return nil
}

// List returns the imports of a rule that the caller may see, newest first, or with a zero rule those of all rules and
// badges.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	rule laurel.ID,
	page laurel.PageRequest,
) (laurel.Page[Import], error) {
	rows, err := listImports(ctx, s.db, scope, rule, page)
	return laurel.MapPage(rows, importRow.shape), err
}

// plainURL is the url as the rule names it.
func plainURL(stored string) string { return strings.TrimPrefix(stored, feedMark) }
