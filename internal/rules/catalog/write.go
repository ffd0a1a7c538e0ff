package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// Create makes a rule. Errors: Invalid (every fault of contract 3.12), Refused "Loyalty currency not found".
func (s *Service) Create(ctx context.Context, scope laurel.Scope, in schema.Input) (Rule, error) {
	var f laurel.Faults
	p := in.Create(&f)
	if err := s.checkListURLs(ctx, scope, &f, &schema.Properties{}, &p); err != nil {
		return Rule{}, err
	}
	if err := f.Err(); err != nil {
		return Rule{}, err
	}
	r := Rule{OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, Properties: p, Version: 1}
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		r.Properties = p // an attempt that failed may have filled a default
		if err := s.checkReferences(ctx, tx, scope, referenceCheck{rule: &r}); err != nil {
			return err
		}
		r.ID, r.CreatedAt, r.UpdatedAt = tx.NewID(), tx.Now(), tx.Now()
		var err error
		if r.Metadata, err = s.sealMetadata(r.ID, nil, r.Metadata); err != nil {
			return err
		}
		if err := insertRule(ctx, tx, r); err != nil {
			return err
		}
		if err := generateFirstCodes(ctx, tx, Rule{}, r); err != nil {
			return err
		}
		if err := enqueueImports(ctx, tx, Rule{}, r); err != nil {
			return err
		}
		_, err = s.recordChange(ctx, tx, scope, ruleChange{after: r, action: EditCreate, comment: in.EditComment.Value})
		return err
	})
	if err == nil {
		s.afterSave(r)
	}
	return r, err
}

// Update changes the properties that the input names; an input that changes nothing writes nothing. NotFound "Loyalty
// rule" outside the scope. deletedAt deletes, or brings back a deleted rule.
func (s *Service) Update(ctx context.Context, scope laurel.Scope, id laurel.ID, in schema.Input) (Rule, error) {
	return s.UpdateVersion(ctx, scope, id, 0, in)
}

// ErrVersionChanged is the error of an UpdateVersion that comes too late.
var ErrVersionChanged = laurel.Errorf(laurel.Refused, "Somebody else has changed the rule meanwhile")

// UpdateVersion is Update by whoever saw the rule in a version: ErrVersionChanged where it has another by now. Version
// 0: any.
func (s *Service) UpdateVersion(
	ctx context.Context,
	scope laurel.Scope,
	id laurel.ID,
	version int64,
	in schema.Input,
) (Rule, error) {
	return s.change(ctx, scope, id, in.EditComment.Value, func(tx *store.Tx, r *Rule) error {
		if version != 0 && r.Version != version {
			return ErrVersionChanged
		}
		if !r.DeletedAt.IsZero() && !in.DeletedAt.Set {
			return laurel.Missing("Loyalty rule")
		}
		before, isUndeleted := r.Properties, !r.DeletedAt.IsZero()
		var f laurel.Faults
		in.Update(&r.Properties, &f)
		if err := s.checkListURLs(ctx, scope.At(r.WebsiteID), &f, &before, &r.Properties); err != nil {
			return err
		}
		if err := f.Err(); err != nil {
			return err
		}
		switch {
		case in.DeletedAt.Set && in.DeletedAt.Null:
			r.DeletedAt = time.Time{}
		case in.DeletedAt.Set && r.DeletedAt.IsZero():
			r.DeletedAt = tx.Now() // the moment is the service's, so that a rule is never deleted in the future
		}
		if !r.DeletedAt.IsZero() {
			return nil // a rule that ends names nothing any more
		}
		return s.checkReferences(
			ctx, tx, scope.At(r.WebsiteID), referenceCheck{rule: r, before: &before, isUndeleted: isUndeleted},
		)
	})
}

// Deletion says how a rule is deleted.
type Deletion struct {
	Comment string
	// in the same transaction, while nobody completes the rule
	InTx func(ctx context.Context, tx *store.Tx, r Rule) error
}

// Delete ends a rule; balances stay. Deleting twice is NotFound.
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id laurel.ID, d Deletion) (Rule, error) {
	return s.change(ctx, scope, id, d.Comment, func(tx *store.Tx, r *Rule) error {
		if !r.DeletedAt.IsZero() {
			return laurel.Missing("Loyalty rule")
		}
		r.DeletedAt = tx.Now()
		if d.InTx == nil {
			return nil
		}
		return d.InTx(ctx, tx, *r)
	})
}

// checkUndelete asks whether a rule that is brought back may come back.
func (s *Service) checkUndelete(ctx context.Context, tx *store.Tx, before, after Rule) error {
	if before.DeletedAt.IsZero() || !after.DeletedAt.IsZero() || s.mayUndelete == nil {
		return nil
	}
	return s.mayUndelete(ctx, tx, after.ID)
}

// change edits a rule and writes its history.
func (s *Service) change(
	ctx context.Context,
	scope laurel.Scope,
	id laurel.ID,
	comment string,
	edit func(*store.Tx, *Rule) error,
) (Rule, error) {
	var r Rule
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		before, err := lockRule(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		r = before
		if err := edit(tx, &r); err != nil {
			return err
		}
		if r.Metadata, err = s.sealMetadata(r.ID, before.Metadata, r.Metadata); err != nil {
			return err
		}
		// also where nothing else changes: a list is read at every saving
		if err := enqueueImports(ctx, tx, before, r); err != nil {
			return err
		}
		if r.equals(before) {
			return nil
		}
		if err := s.checkUndelete(ctx, tx, before, r); err != nil {
			return err
		}
		r.Version, r.UpdatedAt = before.Version+1, tx.Now()
		if err := updateRule(ctx, tx, r); err != nil {
			return err
		}
		if err := generateFirstCodes(ctx, tx, before, r); err != nil {
			return err
		}
		c := ruleChange{before: before, after: r, action: EditUpdate, comment: comment}
		if c.feedAction() == feed.Deleted {
			c.action = EditDelete
		}
		_, err = s.recordChange(ctx, tx, scope, c)
		return err
	})
	if err == nil {
		s.afterSave(r)
	}
	return r, err
}

// equals compares the stored forms, which hold every property.
func (r Rule) equals(o Rule) bool {
	return bytes.Equal(r.encodeProperties(), o.encodeProperties()) && r.DeletedAt.Equal(o.DeletedAt)
}

// encodeProperties is the stored form of the properties.
func (r Rule) encodeProperties() []byte {
	b, err := json.Marshal(r.Properties)
	if err != nil {
		panic(err) // metadata has been decoded and encoded before
	}
	return b
}

// referenceCheck is a rule whose names are to be checked: those that it did not have before.
type referenceCheck struct {
	rule        *Rule
	before      *schema.Properties
	isUndeleted bool // from deletion: it is a new rule to its group
}

// isNewReference reports whether the id is named newly: what was deleted after it was named does not keep a rule from
// being changed.
func isNewReference(to, before *laurel.ID) bool {
	return to != nil && (before == nil || *to != *before)
}

// checkReferences checks the things that a rule names, and fills the default currency (contract 3.12).
func (s *Service) checkReferences(ctx context.Context, tx *store.Tx, scope laurel.Scope, check referenceCheck) error {
	p, before := &check.rule.Properties, check.before
	if before == nil {
		before = &schema.Properties{}
	}
	needsCurrency := p.RewardType == "points" || p.RewardType == "token" && p.TokenReward == nil
	if p.LoyaltyCurrencyID == nil && needsCurrency {
		id, err := s.ledger.OnlyCurrency(ctx, tx, scope)
		if err != nil {
			return err
		}
		if id.IsZero() {
			var f laurel.Faults
			f.Add("loyaltyCurrencyId", "is required")
			return f.Err()
		}
		p.LoyaltyCurrencyID = &id
	}
	if err := s.setTokenCurrency(ctx, tx, scope, check.rule); err != nil {
		return err
	}
	if isNewReference(p.LoyaltyCurrencyID, before.LoyaltyCurrencyID) {
		if live, err := s.ledger.PointsIn(ctx, tx, scope, *p.LoyaltyCurrencyID); err != nil || !live {
			return orFault(err, "loyaltyCurrencyId", decision.MsgCurrencyNotFound)
		}
	}
	if err := s.checkNamedReferences(ctx, tx, scope, p, before); err != nil {
		return err
	}
	if isNewReference(p.LoyaltyRuleGroupID, before.LoyaltyRuleGroupID) {
		return lockGroupWithRoom(ctx, tx, scope, *p.LoyaltyRuleGroupID)
	}
	if check.isUndeleted && p.LoyaltyRuleGroupID != nil {
		return restoreGroup(ctx, tx, scope, p)
	}
	return nil
}

// setTokenCurrency gives a rule that pays a token the currency that it is booked in.
func (s *Service) setTokenCurrency(ctx context.Context, tx *store.Tx, scope laurel.Scope, r *Rule) (err error) {
	r.TokenCurrencyID = laurel.ID{}
	if !r.PaysToken() {
		return nil
	}
	var token ledger.Token
	if r.TokenReward.ContractID != nil {
		token.ContractID = *r.TokenReward.ContractID
	}
	if r.Network != nil {
		token.Network = *r.Network
	}
	r.TokenCurrencyID, err = s.ledger.TokenCurrency(ctx, tx, scope, token)
	return err
}

// restoreGroup lets a rule come back to the group that it was in, or, where that was deleted meanwhile, without group
// like the others that were in it.
func restoreGroup(ctx context.Context, tx *store.Tx, scope laurel.Scope, p *schema.Properties) error {
	live, err := lockLiveGroup(ctx, tx, scope, *p.LoyaltyRuleGroupID)
	if err != nil {
		return err
	}
	if !live {
		p.LoyaltyRuleGroupID = nil
		return nil
	}
	return lockGroupWithRoom(ctx, tx, scope, *p.LoyaltyRuleGroupID)
}

// lockGroupWithRoom makes sure that the group exists and has room for one more rule.
func lockGroupWithRoom(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) error {
	if isLive, err := lockLiveGroup(ctx, tx, scope, id); err != nil || !isLive {
		return orFault(err, "loyaltyRuleGroupId", "Loyalty rule group not found")
	}
	if n, err := countGroupRules(ctx, tx, id); err != nil || n >= maxGroupRules {
		return orFault(err, "loyaltyRuleGroupId", fmt.Sprintf("Loyalty rule group has %d rules already", maxGroupRules))
	}
	return nil
}

// orFault returns the database's error, else that the field names something unknown.
func orFault(err error, path, message string) error {
	if err != nil {
		return err
	}
	var f laurel.Faults
	f.AddText(path, message)
	return f.Err()
}

// Rule reads one rule, deleted ones included. NotFound "Loyalty rule" outside the scope.
func (s *Service) Rule(ctx context.Context, scope laurel.Scope, id laurel.ID) (Rule, error) {
	return ReadRule(ctx, s.db, scope, id)
}

// ReadRule is Rule as a transaction, or another reader, sees it.
func ReadRule(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Rule, error) {
	return readRule(ctx, q, scope, id, "")
}

// Filter narrows List (contract 4.2).
type Filter struct {
	GroupIDs          []laurel.ID
	RuleIDs           []laurel.ID
	CollectionAddress string
	WithDeleted       bool
	Active            *bool       // true: started and not ended; false: the rest
	State             State       // only rules in it; empty: all
	Type              schema.Type // only rules of it; empty: all
	OnlyUngrouped     bool        // only rules without group
	OnlySpecial       bool        // only honeypots, which are left out otherwise
	ForClients        bool        // what a publishable key may see: not hidden, and begun or shown before
}

// List returns rules newest first; several groups share one cursor.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[Rule], error) {
	return listRules(ctx, s.db, scope, listQuery{f, page, store.Micros(s.db.Now())})
}

// Window says how a payment of a rule is recognized as closing its present window.
type Window struct {
	RuleID laurel.ID
	Key    string    // of the claim; "" for a rolling window
	Since  time.Time // rolling: payments after it; else when the window began
}

// PresentWindows returns the present windows of those rules that have one; unlimited rules never close, and where the
// code is the key no window does.
func (s *Service) PresentWindows(ctx context.Context, scope laurel.Scope, ids []laurel.ID) ([]Window, error) {
	rules, err := readRules(ctx, s.db, scope, ids)
	if err != nil {
		return nil, err
	}
	now := s.db.Now()
	var out []Window
	for _, r := range rules {
		if r.HasWindowPerCode() {
			continue
		}
		if key := schema.WindowKey(r.Interval, now); key != "" {
			out = append(out, Window{RuleID: r.ID, Key: key, Since: schema.WindowStart(r.Interval, now)})
		} else if seconds := r.Meta().CustomIntervalSeconds; r.Interval == schema.IntervalCustom && seconds != nil {
			out = append(out, Window{RuleID: r.ID, Since: now.Add(-time.Duration(*seconds) * time.Second)})
		}
	}
	return out, nil
}
