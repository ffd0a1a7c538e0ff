package lists

import (
	"context"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

// Owner is the rule or badge that refers to a list.
type Owner struct {
	Type string
	ID   laurel.ID
}

// The types of owners.
const (
	OwnerRule  = "rule"
	OwnerBadge = "badge"
)

// Source is a list that a rule or badge refers to.
type Source struct {
	Kind   Kind
	URL    string
	APIKey vault.Secret // sent as x-api-key to a feed
	IsFeed bool         // the address returns pages of JSON, not a file
}

// source is the stored form of a Source, with the current import.
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

// feedPrefix precedes the stored url of a feed: a file and a feed with the same address are different sources.
const feedPrefix = "feed "

// storedURL returns the url in its stored form.
func (s Source) storedURL() string {
	if s.IsFeed {
		return feedPrefix + s.URL
	}
	return s.URL
}

// UpdateRuleSources stores which lists a rule has and enqueues imports of them, in the transaction that saves the rule.
// Codes are imported once per address; other lists whenever the rule is saved, and hourly. Sources of lists that the
// rule no longer has are removed, except those of conditions, which have functions of their own.
func UpdateRuleSources(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule laurel.ID, sources []Source) error {
	stored, err := selectSources(ctx, tx, rule)
	if err != nil {
		return err
	}
	for _, s := range sources {
		before := stored[s.Kind]
		delete(stored, s.Kind)
		if s.Kind == KindCodes && before.URL == s.storedURL() {
			isDone, err := isImportedOrPending(ctx, tx, before)
			if err != nil {
				return err
			}
			if isDone {
				continue
			}
		}
		if err := s.enqueueImport(ctx, tx, scope, Owner{OwnerRule, rule}); err != nil {
			return err
		}
	}
	for kind := range stored {
		if base, _ := kind.split(); base == KindCondition {
			continue
		}
		if err := removeSource(ctx, tx, rule, kind); err != nil {
			return err
		}
	}
	return nil
}

// ConditionList is the list of a condition in a chain.
type ConditionList struct {
	Rule, Condition laurel.ID
	URL             string
}

// EnqueueConditionList stores the list of a condition and enqueues an import of it, in the transaction that saves the
// condition or its rule. From then on it is imported hourly.
func EnqueueConditionList(ctx context.Context, tx *store.Tx, scope laurel.Scope, a ConditionList) error {
	return Source{Kind: ConditionKind(a.Condition), URL: a.URL}.enqueueImport(ctx, tx, scope, Owner{OwnerRule, a.Rule})
}

// RemoveConditionList removes the source of a deleted condition's list.
func RemoveConditionList(ctx context.Context, tx *store.Tx, rule, condition laurel.ID) error {
	return removeSource(ctx, tx, rule, ConditionKind(condition))
}

// StopImportsOfRule cancels the unfinished imports of a rule and schedules no further ones, in the transaction that
// deletes the rule. The current imports stay for the case that the rule is undeleted.
func StopImportsOfRule(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule laurel.ID) error {
	return cancelAllImports(ctx, tx, scope, rule)
}

// enqueueImport stores the source and enqueues an import that is due at once. It cancels an unfinished import of the
// same list. Imports are locked before sources, here and in saveEnd, so that no deadlock arises.
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

// Wake makes Run look for imports at once. It is called after the commit.
func (s *Service) Wake() { s.wakeup.Wake() }

// Check adds a fault for the property at a path if its address must not be called to import a list (contract 7.2).
// Addresses of files that were uploaded to this service are always allowed: they are opened, not called.
func (s *Service) Check(ctx context.Context, scope laurel.Scope, f *laurel.Faults, path, address string) error {
	var problem laurel.Faults
	s.outbound.Check(&problem, path, address)
	if len(problem) == 0 {
		return nil
	}
	file, err := s.files.FindOwn(ctx, scope, address)
	if err == nil {
		return file.Close()
	}
	if laurel.CodeOf(err) != laurel.NotFound {
		return err
	}
	*f = append(*f, problem...)
	return nil
}

// ListImports returns a page of the imports of a rule, newest first. A zero rule selects the imports of all rules and
// badges in the scope.
func (s *Service) ListImports(
	ctx context.Context,
	scope laurel.Scope,
	rule laurel.ID,
	page laurel.PageRequest,
) (laurel.Page[Import], error) {
	rows, err := listImports(ctx, s.db, scope, rule, page)
	return laurel.MapPage(rows, importRow.toImport), err
}

// plainURL returns a stored url without feedPrefix.
func plainURL(stored string) string { return strings.TrimPrefix(stored, feedPrefix) }
