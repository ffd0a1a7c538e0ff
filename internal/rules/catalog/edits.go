package catalog

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// EditAction is the kind of an edit.
type EditAction string

// The actions of contract 2.
const (
	EditCreate  EditAction = "create"
	EditUpdate  EditAction = "update"
	EditDelete  EditAction = "delete"
	EditRestore EditAction = "restore"
)

// Edit records one change of a rule (contract 3.15). It is written in the transaction of the change and never modified.
type Edit struct {
	ID             laurel.ID        `db:"id" json:"id"`
	OrganizationID laurel.ID        `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID        `db:"website_id" json:"websiteId"`
	RuleID         laurel.ID        `db:"loyalty_rule_id" json:"loyaltyRuleId"`
	EditedByID     laurel.ID        `db:"edited_by_user_id" json:"editedByUserId"` // the service user of the key
	EditedAt       laurel.Timestamp `db:"edited_at" json:"editedAt"`
	Action         EditAction       `db:"action" json:"action"`
	Data           laurel.RawJSON   `db:"data" json:"data"`                  // new values of the changed properties; for a creation all properties
	PreviousData   laurel.RawJSON   `db:"previous_data" json:"previousData"` // former values of the same properties; nil for a creation
	Comment        laurel.NullText  `db:"comment" json:"comment"`
}

// ruleChange is a change of a rule that is to be recorded as an Edit.
type ruleChange struct {
	before, after Rule // before has a zero id for a creation
	action        EditAction
	comment       string
	// restored holds the properties that a restore has set. The edit lists them even if their values did not change.
	restored map[string]json.RawMessage
}

// deletedAt is the property in edits that says when the rule was deleted, or null.
const deletedAt = "deletedAt"

// historyProperties returns the rule's properties by name, in the form in which edits store them.
func (r Rule) historyProperties() map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(r.encodeProperties(), &m); err != nil {
		panic(err) // encodeProperties has just encoded it
	}
	m[deletedAt] = store.JSON(laurel.Stamp(r.DeletedAt))
	return m
}

// recordChange writes the edit of a change, and lets the follower (if there is one) update what other packages store
// about the rule.
func (s *Service) recordChange(ctx context.Context, tx *store.Tx, scope laurel.Scope, c ruleChange) (Edit, error) {
	e, err := c.writeEdit(ctx, tx, scope)
	if err == nil && s.follower != nil {
		err = s.follower.RuleSaved(ctx, tx, scope.At(c.after.WebsiteID), c.before, c.after)
	}
	return e, err
}

// writeEdit stores the edit of a change and records the change in the change feed.
func (c ruleChange) writeEdit(ctx context.Context, tx *store.Tx, scope laurel.Scope) (Edit, error) {
	e := Edit{
		ID:             tx.NewID(),
		OrganizationID: c.after.OrganizationID,
		WebsiteID:      c.after.WebsiteID,
		RuleID:         c.after.ID,
		EditedByID:     scope.ActorID,
		EditedAt:       laurel.Timestamp{Time: tx.Now()},
		Action:         c.action,
		Comment:        laurel.NullText(c.comment),
	}
	after := c.after.historyProperties()
	data, previous := after, map[string]json.RawMessage(nil)
	if c.action != EditCreate {
		data, previous = changedProperties(c.before.historyProperties(), after, c.restored)
	}
	var err error
	if e.Data, err = json.Marshal(data); err != nil {
		return Edit{}, err
	}
	if previous != nil {
		if e.PreviousData, err = json.Marshal(previous); err != nil {
			return Edit{}, err
		}
	}
	if _, err := editTable.Insert(ctx, tx, &e, ""); err != nil {
		return Edit{}, err
	}
	return e, feed.Record(
		ctx,
		tx,
		feed.Change{OrganizationID: e.OrganizationID, WebsiteID: e.WebsiteID, EntityID: e.RuleID, Table: feed.TableRule,
			Action: c.feedAction()},
	)
}

// changedProperties returns the properties whose values differ, and those that are keys of always, with their values
// after the change (data) and before it (previous).
func changedProperties(before, after, always map[string]json.RawMessage) (data, previous map[string]json.RawMessage) {
	data, previous = map[string]json.RawMessage{}, map[string]json.RawMessage{}
	for name, value := range after {
		if _, isForced := always[name]; isForced || string(value) != string(before[name]) {
			data[name], previous[name] = value, before[name]
		}
	}
	return data, previous
}

// feedAction returns the action that the change feed records for the change (contract 7.1).
func (c ruleChange) feedAction() feed.Action {
	switch {
	case c.action == EditCreate:
		return feed.Created
	case c.before.DeletedAt.IsZero() && !c.after.DeletedAt.IsZero():
		return feed.Deleted
	case c.action == EditRestore, !c.before.DeletedAt.IsZero() && c.after.DeletedAt.IsZero():
		return feed.Restored
	}
	return feed.Updated
}

// Restore undoes an edit: every property that the edit changed gets its former value back, later edits of other
// properties stay, and a rule that the edit deleted is undeleted (contract 5.8). Errors: NotFound "Rule edit"; Refused
// "A create edit cannot be restored"; Invalid if a former value is no longer possible.
func (s *Service) Restore(ctx context.Context, scope laurel.Scope, id laurel.ID, comment string) (Edit, error) {
	var f laurel.Faults
	f.Text("editComment", comment, 0, schema.MaxName)
	if err := f.Err(); err != nil {
		return Edit{}, err
	}
	var restoreEdit Edit
	var after Rule
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		edit, err := readEdit(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		if edit.Action == EditCreate {
			return decision.Refuse("A create edit cannot be restored")
		}
		before, err := lockRule(ctx, tx, scope, edit.RuleID)
		if err != nil {
			return err
		}
		var previous map[string]json.RawMessage
		if err := json.Unmarshal(edit.PreviousData, &previous); err != nil {
			return err
		}
		if after, err = s.restoredRule(ctx, tx, scope, before, previous); err != nil {
			return err
		}
		after.Version, after.UpdatedAt = before.Version+1, tx.NowAfter(before.UpdatedAt)
		if err := updateRule(ctx, tx, after); err != nil {
			return err
		}
		if err := generateFirstCodes(ctx, tx, before, after); err != nil {
			return err
		}
		if err := enqueueImports(ctx, tx, before, after); err != nil {
			return err
		}
		restoreEdit, err = s.recordChange(
			ctx,
			tx,
			scope,
			ruleChange{before: before, after: after, action: EditRestore, comment: comment, restored: previous},
		)
		return err
	})
	if err == nil {
		s.afterSave(after)
	}
	return restoreEdit, err
}

// restoredRule returns the rule before with the given former values of some properties, checked as in an update. The
// caller holds the lock of the rule's row.
func (s *Service) restoredRule(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	before Rule,
	values map[string]json.RawMessage,
) (Rule, error) {
	after, err := before.withProperties(values)
	if err != nil {
		return Rule{}, err
	}
	if after.Metadata, err = s.sealMetadata(after.ID, before.Metadata, after.Metadata); err != nil {
		return Rule{}, err
	}
	var f laurel.Faults
	if err := s.checkListURLs(
		ctx,
		scope.At(after.WebsiteID),
		&f,
		&before.Properties,
		&after.Properties,
	); err != nil ||
		len(f) > 0 {
		return Rule{}, cmp.Or(err, f.Err())
	}
	if err := s.checkReferences(
		ctx,
		tx,
		scope.At(after.WebsiteID),
		referenceCheck{&after, &before.Properties, !before.DeletedAt.IsZero()},
	); err != nil {
		return Rule{}, err
	}
	return after, s.checkUndelete(ctx, tx, before, after)
}

// withProperties returns the rule with new values of some properties, checked like the properties of an input. The
// property deletedAt sets or clears DeletedAt.
func (r Rule) withProperties(values map[string]json.RawMessage) (Rule, error) {
	properties := r.historyProperties()
	for name, value := range values {
		properties[name] = value
	}
	out := r
	if _, ok := values[deletedAt]; ok {
		var deleted *laurel.Timestamp
		if err := json.Unmarshal(values[deletedAt], &deleted); err != nil {
			return Rule{}, err
		}
		if out.DeletedAt = (time.Time{}); deleted != nil {
			out.DeletedAt = deleted.Time
		}
	}
	delete(properties, deletedAt)
	record, err := json.Marshal(properties)
	if err != nil {
		return Rule{}, err
	}
	out.Properties = schema.Properties{}
	if err := json.Unmarshal(record, &out.Properties); err != nil {
		return Rule{}, err
	}
	var f laurel.Faults
	if _, ok := values["metadata"]; ok {
		if out.Metadata, err = cleanRestoredMetadata(out.Metadata, r.Metadata, &f); err != nil {
			return Rule{}, err
		}
	}
	out.Check(&f)
	return out, f.Err()
}

// ListEdits returns the edits of a rule, newest first. Deleted rules keep their edits. The list of an unknown rule is
// empty.
func (s *Service) ListEdits(
	ctx context.Context,
	scope laurel.Scope,
	rule laurel.ID,
	page laurel.PageRequest,
) (laurel.Page[Edit], error) {
	return listEdits(ctx, s.db, scope, rule, page)
}

// Edit returns one edit. It returns NotFound "Rule edit" for an edit outside the scope.
func (s *Service) Edit(ctx context.Context, scope laurel.Scope, id laurel.ID) (Edit, error) {
	return readEdit(ctx, s.db, scope, id)
}
