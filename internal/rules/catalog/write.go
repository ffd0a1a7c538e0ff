package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// Create creates a rule. Errors: Invalid with all faults (contract 3.12), Refused "Loyalty currency not found".
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
		r.Properties = p // an attempt of the transaction that failed may have filled in defaults
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

// Update changes the properties that the input sets. If nothing changes, nothing is written. A deletedAt in the input
// deletes the rule, null undeletes it. It returns NotFound "Loyalty rule" for a rule outside the scope.
func (s *Service) Update(ctx context.Context, scope laurel.Scope, id laurel.ID, in schema.Input) (Rule, error) {
	return s.change(ctx, scope, id, in.EditComment.Value, func(tx *store.Tx, r *Rule) error {
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
			r.DeletedAt = tx.Now() // the input's moment is ignored, so that no rule is deleted in the future
		}
		if !r.DeletedAt.IsZero() {
			return nil // the references of a deleted rule need not exist
		}
		return s.checkReferences(
			ctx, tx, scope.At(r.WebsiteID), referenceCheck{rule: r, before: &before, isUndeleted: isUndeleted},
		)
	})
}

// Deletion holds the options of Delete.
type Deletion struct {
	Comment string
	// InTx, if not nil, is called in the transaction of the deletion, while the rule is locked and nobody completes it.
	InTx func(ctx context.Context, tx *store.Tx, r Rule) error
}

// Delete deletes a rule; balances stay. d.InTx, unless nil, is called in the same transaction. It returns NotFound
// "Loyalty rule" if the rule is deleted already.
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

// checkUndelete returns the error of Follower.CheckUndelete if the change undeletes the rule.
func (s *Service) checkUndelete(ctx context.Context, tx *store.Tx, before, after Rule) error {
	if before.DeletedAt.IsZero() || !after.DeletedAt.IsZero() || s.follower == nil {
		return nil
	}
	return s.follower.CheckUndelete(ctx, tx, after.ID)
}

// change locks a rule, applies edit to it, saves it, and records the change in its history. If edit changes nothing,
// nothing is saved, but the lists of the rule are imported again.
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
		if err := scope.CheckUnchanged(before.ID, before.UpdatedAt); err != nil {
			return err
		}
		r = before
		if err := edit(tx, &r); err != nil {
			return err
		}
		if r.Metadata, err = s.sealMetadata(r.ID, before.Metadata, r.Metadata); err != nil {
			return err
		}
		// before the comparison: lists are imported at every update, even if it changes nothing
		if err := enqueueImports(ctx, tx, before, r); err != nil {
			return err
		}
		if r.equals(before) {
			return nil
		}
		if err := s.checkUndelete(ctx, tx, before, r); err != nil {
			return err
		}
		r.Version, r.UpdatedAt = before.Version+1, tx.NowAfter(before.UpdatedAt)
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

// equals reports whether both rules have equal properties and times of deletion.
func (r Rule) equals(o Rule) bool {
	return bytes.Equal(r.encodeProperties(), o.encodeProperties()) && r.DeletedAt.Equal(o.DeletedAt)
}

// encodeProperties returns the properties as JSON, the form in which they are stored.
func (r Rule) encodeProperties() []byte {
	b, err := json.Marshal(r.Properties)
	if err != nil {
		panic(err) // all properties can be encoded: the metadata was valid JSON when it was set
	}
	return b
}

// referenceCheck asks checkReferences to check the references that a rule did not have before.
type referenceCheck struct {
	rule        *Rule
	before      *schema.Properties
	isUndeleted bool // the rule was deleted, so it enters its group again
}

// isNewReference reports whether a reference is set and differs from the former one. Former references are not checked:
// a record may be deleted without blocking updates of the rules that refer to it.
func isNewReference(to, before *laurel.ID) bool {
	return to != nil && (before == nil || *to != *before)
}

// checkReferences returns a fault if the rule newly refers to a record that does not exist. It also sets in the rule
// what is left to the service (contract 3.12): the default currency, and the hidden currency of a token reward. An
// undeleted rule whose group was deleted gets no group.
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
		if live, err := s.ledger.IsPointsCurrencyIn(ctx, tx, scope, *p.LoyaltyCurrencyID); err != nil || !live {
			return orFault(err, "loyaltyCurrencyId", decision.MsgCurrencyNotFound)
		}
	}
	if err := s.checkNamedReferences(ctx, tx, scope, p, before); err != nil {
		return err
	}
	if err := s.checkContractEvent(ctx, tx, scope, p, before); err != nil {
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

// setTokenCurrency sets the rule's TokenCurrencyID: the hidden currency in which its token reward is booked, or the
// zero id if the rule has no complete token reward.
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

// restoreGroup puts an undeleted rule, whose properties are p, back into its former group. If the group was deleted
// meanwhile, the rule gets no group, like the other rules of that group. It returns a fault if the group is full by
// now.
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

// lockGroupWithRoom locks a group that a rule is to join. It returns a fault if the group does not exist or has
// maxGroupRules rules already.
func lockGroupWithRoom(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) error {
	if isLive, err := lockLiveGroup(ctx, tx, scope, id); err != nil || !isLive {
		return orFault(err, "loyaltyRuleGroupId", "Loyalty rule group not found")
	}
	if n, err := countGroupRules(ctx, tx, id); err != nil || n >= maxGroupRules {
		return orFault(err, "loyaltyRuleGroupId", fmt.Sprintf("Loyalty rule group has %d rules already", maxGroupRules))
	}
	return nil
}

// orFault returns err if it is not nil, and otherwise a fault with the message.
func orFault(err error, path, message string) error {
	if err != nil {
		return err
	}
	var f laurel.Faults
	f.AddText(path, message)
	return f.Err()
}

// Rule returns a rule, also a deleted one. It returns NotFound "Loyalty rule" for a rule outside the scope.
func (s *Service) Rule(ctx context.Context, scope laurel.Scope, id laurel.ID) (Rule, error) {
	return ReadRule(ctx, s.db, scope, id)
}

// ReadRule is Service.Rule in a transaction or by another reader.
func ReadRule(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Rule, error) {
	return readRule(ctx, q, scope, id, "")
}

// Filter selects the rules that List returns (contract 4.2).
type Filter struct {
	GroupIDs          []laurel.ID
	RuleIDs           []laurel.ID
	CollectionAddress string
	WithDeleted       bool
	Active            *bool       // true: only rules that have started and not ended; false: only the others
	State             State       // only rules in this state; empty: all
	Type              schema.Type // only rules of this type; empty: all
	OnlyUngrouped     bool        // only rules without a group
	OnlySpecial       bool        // only honeypots (isSpecial); otherwise they are left out
	ForClients        bool        // only what client keys may see: not hidden, and started or shown before the start
}

// List returns a page of the rules that the filter selects, newest first.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[Rule], error) {
	return listRules(ctx, s.db, scope, listQuery{f, page, store.Micros(s.db.Now())})
}

// Window describes how to recognize payments that close the present window of a rule.
type Window struct {
	RuleID laurel.ID
	Key    string    // the key of the paid window; "" for a rolling window
	Since  time.Time // the start of the window; for a rolling window, payments after this moment close it
}

// PresentWindows returns the present windows of rules: the spans of time in which a member may complete each of them
// once. It leaves out ids that are not in the scope, rules whose interval is unlimited, and rules with a window per
// code.
func (s *Service) PresentWindows(ctx context.Context, scope laurel.Scope, ids []laurel.ID) ([]Window, error) {
	rules, err := ReadRules(ctx, s.db, scope, ids)
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
