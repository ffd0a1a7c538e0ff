package badges

import (
	"context"
	"slices"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// Create creates a badge and enqueues the jobs that judge existing members. Errors: Invalid with all faults, such as
// "<Thing> not found" with the path of the reference in a condition or reward; Refused for rewards that lead back to
// the badge.
func (s *Service) Create(ctx context.Context, scope laurel.Scope, in CreateInput) (Badge, error) {
	var f laurel.Faults
	b := Badge{OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, Version: 1}
	referencePaths := in.applyConditions(&b, &f)
	in.apply(&b, &f)
	if err := f.Err(); err != nil {
		return Badge{}, err
	}
	if err := s.checkListURLs(ctx, scope, b); err != nil {
		return Badge{}, err
	}
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := lockBadgeChanges(ctx, tx, scope); err != nil {
			return err
		}
		b.ID, b.CreatedAt.Time, b.UpdatedAt.Time = tx.NewID(), tx.Now(), tx.Now()
		b.assignIDs(tx)
		if err := s.checkReferences(ctx, tx, scope, b, referencePaths); err != nil {
			return err
		}
		if _, err := Table.Insert(ctx, tx, &b, ""); err != nil {
			return err
		}
		if err := insertWatches(ctx, tx, b); err != nil {
			return err
		}
		if err := feed.Record(ctx, tx, b.feedChange(feed.Created)); err != nil || s.Follower == nil {
			return err
		}
		return s.Follower.EnqueueJobs(ctx, tx, scope, b)
	})
	return b, err
}

// Update changes the properties that the input sets. Members who hold the badge are not paid its new rewards. Errors:
// Invalid; NotFound "Badge"; Refused for rewards that lead back to the badge.
func (s *Service) Update(ctx context.Context, scope laurel.Scope, id laurel.ID, in Input) (Badge, error) {
	if err := s.checkListURLs(ctx, scope, Badge{CSVFiles: in.listFiles()}); err != nil {
		return Badge{}, err
	}
	var b Badge
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
		if err := lockBadgeChanges(ctx, tx, scope); err != nil {
			return err
		}
		if b, err = ReadBadge(ctx, tx, scope, id); err != nil {
			return err
		}
		if err := Table.Edit(ctx, tx, scope, &b, func(tx *store.Tx, b *Badge) error {
			return s.applyInput(ctx, tx, scope.At(b.WebsiteID), in, b)
		}); err != nil {
			return err
		}
		if err := feed.Record(ctx, tx, b.feedChange(feed.Updated)); err != nil {
			return err
		}
		if !in.CSVFiles.Set || s.Follower == nil {
			return nil
		}
		return s.Follower.EnqueueJobs(ctx, tx, scope.At(b.WebsiteID), b)
	})
	return b, err
}

// applyInput applies the input to a badge and locks it. Errors: Invalid; Refused for rewards that lead back to the
// badge.
func (s *Service) applyInput(ctx context.Context, tx *store.Tx, scope laurel.Scope, in Input, b *Badge) error {
	var f laurel.Faults
	in.apply(b, &f)
	if err := f.Err(); err != nil {
		return err
	}
	if in.CSVFiles.Set {
		if err := s.cancelJobs(ctx, tx, scope, b.ID); err != nil {
			return err
		}
	}
	if in.Rewards.Set {
		if err := s.checkRewards(ctx, tx, scope, *b); err != nil {
			return err
		}
	}
	b.assignReplacedIDs(tx, in)
	b.Version++
	return lockBadge(ctx, tx, b.ID) // currencies come before badges in the order of locks
}

// cancelJobs cancels the jobs of a badge. Their transactions lock the job before the badge, so this must come before
// lockBadge.
func (s *Service) cancelJobs(ctx context.Context, tx *store.Tx, scope laurel.Scope, badge laurel.ID) error {
	if s.Follower == nil {
		return nil
	}
	return s.Follower.CancelJobs(ctx, tx, scope, badge)
}

// lockBadgeChanges lets only one transaction at a time change badges of an organization: so rewards cannot close a
// cycle together, and what a badge refers to still exists when it is saved.
func lockBadgeChanges(ctx context.Context, tx *store.Tx, scope laurel.Scope) error {
	return tx.AdvisoryLock(ctx, "badges of "+scope.OrganizationID.String())
}

// listFiles returns the addresses of the input's lists, up to maxFiles, as files without anything else.
func (in Input) listFiles() []CSVFile {
	files := make([]CSVFile, min(len(in.CSVFiles.Value), maxFiles))
	for i := range files {
		files[i].URL = in.CSVFiles.Value[i].Src
	}
	return files
}

// checkListURLs returns a fault for each list address that may not be read (contract 7.2).
func (s *Service) checkListURLs(ctx context.Context, scope laurel.Scope, b Badge) error {
	var f laurel.Faults
	for i, c := range b.Conditions {
		if c.CSVURL == nil {
			continue
		}
		if err := s.CheckListURL(ctx, scope, &f, "conditions."+strconv.Itoa(i)+".csvUrl", *c.CSVURL); err != nil {
			return err
		}
	}
	for i, file := range b.CSVFiles {
		if err := s.CheckListURL(ctx, scope, &f, "csvFiles."+strconv.Itoa(i)+".src", file.URL); err != nil {
			return err
		}
	}
	return f.Err()
}

// assignIDs sets the ids of all parts of a new badge.
func (b *Badge) assignIDs(tx *store.Tx) {
	for i := range b.Conditions {
		b.Conditions[i].ID = tx.NewID()
		for j := range b.Conditions[i].Targets {
			b.Conditions[i].Targets[j].ID = tx.NewID()
		}
	}
	// as for an input that replaces both the rewards and the lists
	b.assignReplacedIDs(tx, Input{Rewards: laurel.Some[[]RewardInput](nil), CSVFiles: laurel.Some[[]CSVInput](nil)})
}

// assignReplacedIDs sets new ids for the rewards and the lists, each if the input replaces them.
func (b *Badge) assignReplacedIDs(tx *store.Tx, in Input) {
	if in.Rewards.Set {
		for i := range b.Rewards {
			b.Rewards[i].ID = tx.NewID()
		}
	}
	if in.CSVFiles.Set {
		for i := range b.CSVFiles {
			b.CSVFiles[i].ID = tx.NewID()
		}
	}
}

// checkReferences returns a fault for each record that the badge refers to and that does not exist. referencePaths are
// the references of its conditions, with their paths in the request's body.
func (s *Service) checkReferences(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	b Badge,
	referencePaths []conditions.ReferencePath,
) error {
	referenced, existing := conditions.ReferencesOf(b.Conditions), conditions.References{}
	var err error
	if existing.Rules, err = s.Rules(ctx, tx, scope, referenced.Rules); err != nil {
		return err
	}
	if existing.Sections, err = s.Groups(ctx, tx, scope, referenced.Sections); err != nil {
		return err
	}
	for _, id := range append(referenced.Balances, referenced.Ranks...) {
		_, live, err := ledger.CurrencyIn(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		if live {
			existing.Balances = append(existing.Balances, id)
		}
	}
	if existing.Badges, err = LiveAmong(ctx, tx, scope, referenced.Badges); err != nil {
		return err
	}
	var f laurel.Faults
	existing.ReportMissing(&f, referencePaths)
	if err := f.Err(); err != nil {
		return err
	}
	return s.checkRewards(ctx, tx, scope, b)
}

// LiveAmong returns the ids of the badges that are live and belong to the scope's website.
func LiveAmong(ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID) ([]laurel.ID, error) {
	found, err := ReadBadges(ctx, q, scope, ids)
	return slices.DeleteFunc(slices.Clone(ids), func(id laurel.ID) bool {
		_, live := found[id]
		return !live
	}), err
}

// checkRewards returns a fault for each reward whose currency or badge does not exist or cannot be used, and Refused
// for rewards that lead back to the badge. It locks the currencies until tx ends.
func (s *Service) checkRewards(ctx context.Context, tx *store.Tx, scope laurel.Scope, b Badge) error {
	var f laurel.Faults
	var further []laurel.ID
	for i, r := range b.Rewards {
		path := "rewards." + strconv.Itoa(i) + "."
		switch r.Type {
		case Points, Token:
			at := rewardCurrency{path + "loyaltyCurrencyId", r.CurrencyID, r.Type}
			if err := checkPayable(ctx, tx, scope, &f, at); err != nil {
				return err
			}
		case Multiplier:
			kind := Multiplier
			if r.Retroactive {
				kind = Points // a retroactive multiplier pays points
			}
			for j, id := range r.CurrencyIDs {
				at := rewardCurrency{path + "loyaltyCurrencyIds." + strconv.Itoa(j), id, kind}
				if err := checkPayable(ctx, tx, scope, &f, at); err != nil {
					return err
				}
			}
		case FurtherBadge:
			further = append(further, r.BadgeID)
		}
	}
	live, err := LiveAmong(ctx, tx, scope, further)
	if err != nil {
		return err
	}
	for i, r := range b.Rewards { // the badge itself is a cycle, not a missing badge
		if r.Type == FurtherBadge && r.BadgeID != b.ID && !slices.Contains(live, r.BadgeID) {
			f.AddText("rewards."+strconv.Itoa(i)+".loyaltyBadgeId", "Badge not found")
		}
	}
	if err := f.Err(); err != nil || len(further) == 0 {
		return err
	}
	return s.checkRewardCycles(ctx, tx, scope, b)
}

// rewardCurrency is a currency of a reward, with its path and the reward's type.
type rewardCurrency struct {
	path string
	id   laurel.ID
	kind string
}

// checkPayable adds a fault if a currency does not exist or cannot be used for rewards of the type. It locks the
// currency until tx ends.
func checkPayable(ctx context.Context, tx *store.Tx, scope laurel.Scope, f *laurel.Faults, at rewardCurrency) error {
	c, live, err := ledger.CurrencyIn(ctx, tx, scope, at.id)
	switch {
	case err != nil:
		return err
	case !live:
		f.AddText(at.path, "Loyalty currency not found")
	case at.kind == Token && !c.IsTokenRewardCurrency:
		f.Add(at.path, "must be the currency of a token reward")
	case at.kind != Token && c.IsTokenRewardCurrency:
		f.Add(at.path, "must not be the currency of a token reward")
	case at.kind == Points && c.API.PostURL != nil:
		f.Add(at.path, "must not be a currency on an external ledger")
	}
	return nil
}

// feedChange returns the change of the badge for the change feed. The caller holds the lock of the badge.
func (b Badge) feedChange(action feed.Action) feed.Change {
	return feed.Change{
		OrganizationID: b.OrganizationID,
		WebsiteID:      b.WebsiteID,
		EntityID:       b.ID,
		Table:          feed.TableBadge,
		Action:         action,
	}
}
