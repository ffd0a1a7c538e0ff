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
	Type string
	ID   laurel.ID
}

// What owns lists.
const (
	OwnerRule  = "rule"
	OwnerBadge = "badge"
)

// Source is a list that a rule or a badge names.
type Source struct {
	Kind   Kind
	URL    string
	APIKey vault.Secret // sent as x-api-key to a feed
	IsFeed bool         // pages of JSON rather than a file
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

// feedPrefix begins the stored url of a feed: a file and a feed of one address are two sources.
const feedPrefix = "feed "

// storedURL is the url as it is stored.
func (s Source) storedURL() string {
	if s.IsFeed {
		return feedPrefix + s.URL
	}
	return s.URL
}

// UpdateRuleSources notes, in the transaction that saves a rule of one website, which lists the rule names, and asks
// for them to be read. A list that it names no more is forgotten. Codes are read once per address; what a rule is
// restricted to or pays by is read at every saving, and hourly.
func UpdateRuleSources(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule laurel.ID, sources []Source) error {
	stored, err := selectSources(ctx, tx, rule)
	if err != nil {
		return err
	}
	for _, s := range sources {
		before := stored[s.Kind]
		delete(stored, s.Kind)
		if s.Kind == Codes && before.URL == s.storedURL() {
			isRead, err := hasBeenRead(ctx, tx, before)
			if err != nil {
				return err
			}
			if isRead {
				continue
			}
		}
		if err := s.enqueueImport(ctx, tx, scope, Owner{OwnerRule, rule}); err != nil {
			return err
		}
	}
	for kind := range stored {
		if base, _ := kind.split(); base == Condition {
			continue
		}
		if err := removeSource(ctx, tx, rule, kind); err != nil {
			return err
		}
	}
	return nil
}

// ConditionList is the list of a condition before a rule.
type ConditionList struct {
	Rule, Condition laurel.ID
	URL             string
}

// EnqueueConditionList asks, in the transaction that saves a condition or its rule, for a condition's list to be read.
// It is read hourly from then on.
func EnqueueConditionList(ctx context.Context, tx *store.Tx, scope laurel.Scope, a ConditionList) error {
	return Source{Kind: ConditionKind(a.Condition), URL: a.URL}.enqueueImport(ctx, tx, scope, Owner{OwnerRule, a.Rule})
}

// RemoveConditionList forgets the list of a condition that is deleted.
func RemoveConditionList(ctx context.Context, tx *store.Tx, rule, condition laurel.ID) error {
	return removeSource(ctx, tx, rule, ConditionKind(condition))
}

// StopReadingRule stops, in the transaction that deletes a rule, the reading of its lists. What was read stays for when
// the rule comes back.
func StopReadingRule(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule laurel.ID) error {
	return stopReading(ctx, tx, scope, rule)
}

// enqueueImport makes an import that is due at once in place of one that is under way. Imports come before sources,
// here and where an import ends: nobody waits for one who waits for him.
func (s Source) enqueueImport(ctx context.Context, tx *store.Tx, scope laurel.Scope, owner Owner) error {
	if err := cancelUnfinished(ctx, tx, owner.ID, s.Kind); err != nil {
		return err
	}
	if err := upsertSource(ctx, tx, scope, owner, s); err != nil {
		return err
	}
	return insertImport(
		ctx,
		tx,
		source{
			OwnerID:        owner.ID,
			Owner:          owner.Type,
			Kind:           s.Kind,
			OrganizationID: scope.OrganizationID,
			WebsiteID:      scope.WebsiteID,
			URL:            s.storedURL(),
		},
	)
}

// Wake has Run look for imports at once. It is called after the commit; what is lost with the node is found by a later
// round.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default: // a round is about to begin anyhow
	}
}

// Check notes what keeps an address from being read: contract 7.2, except that files of this service are not called but
// opened.
func (s *Service) Check(ctx context.Context, scope laurel.Scope, f *laurel.Faults, path, address string) error {
	var problem laurel.Faults
	s.outbound.Check(&problem, path, address)
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
	return laurel.MapPage(rows, importRow.toImport), err
}

// plainURL is the url as the rule names it.
func plainURL(stored string) string { return strings.TrimPrefix(stored, feedPrefix) }
