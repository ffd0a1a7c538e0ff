package identity

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// clearTemporaries clears the marks of temporary users among the users, in the order of their ids, and returns those
// that had one.
func clearTemporaries(ctx context.Context, tx *store.Tx, users []laurel.ID) ([]userRow, error) {
	if len(users) == 0 {
		return nil, nil
	}
	var w store.Where
	w.Add("t.temporary_loyalty_user")
	store.InArray(&w, tx, "t.id", "uuid", users)
	var rows []userRow
	err := tx.Select(
		ctx, &rows, "SELECT "+userColumns+" FROM users t"+w.String()+" ORDER BY t.id"+tx.ForUpdate(), w.Args...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	now := store.Micros(tx.Now())
	values := make([][]any, len(rows))
	for i := range rows {
		rows[i].Temporary, rows[i].UpdatedAt = false, now
		values[i] = []any{rows[i].ID, false, now}
	}
	_, err = tx.UpdateRows(ctx, store.Update{
		Table: "users", Keys: store.Columns("id uuid"),
		Set: store.Columns("temporary_loyalty_user boolean, updated_at bigint"),
	}, values)
	return rows, err
}

// lockMembersByID locks the rows of members, in the order of their ids, and returns them by user id.
func lockMembersByID(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, users []laurel.ID,
) (map[laurel.ID]*memberRow, error) {
	out := make(map[laurel.ID]*memberRow, len(users))
	if len(users) == 0 {
		return out, nil
	}
	var w store.Where
	w.Add("t.website_id = ?", scope.WebsiteID)
	store.InArray(&w, tx, "t.user_id", "uuid", users)
	var rows []*memberRow
	err := tx.Select(
		ctx, &rows, "SELECT "+memberColumns+" FROM members t"+w.String()+" ORDER BY t.user_id"+tx.ForUpdate(), w.Args...)
	for _, m := range rows {
		out[m.UserID] = m
	}
	return out, err
}

// updateKnownSince writes since when members are known. Each of the rows has a website, a user and a time.
func updateKnownSince(ctx context.Context, tx *store.Tx, rows [][]any) error {
	_, err := tx.UpdateRows(ctx, store.Update{
		Table: "members", Keys: store.Columns("website_id uuid, user_id uuid"),
		Set: store.Columns("first_seen_at bigint"),
	}, rows)
	return err
}

// selectRecordsOfUsers reads the metadata records of users in the scope's website, by user id.
func selectRecordsOfUsers(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, users []laurel.ID,
) (map[laurel.ID]storedRecord, error) {
	out := make(map[laurel.ID]storedRecord, len(users))
	if len(users) == 0 {
		return out, nil
	}
	type row struct {
		UserID laurel.ID `db:"user_id"`
		Record string    `db:"record"`
	}
	var w store.Where
	w.Add("website_id = ?", scope.WebsiteID)
	store.InArray(&w, tx, "user_id", "uuid", users)
	err := store.ForEachRow(ctx, tx, func(r row) error {
		record := storedRecord{Record: r.Record}
		err := json.Unmarshal([]byte(r.Record), &record.Profile)
		out[r.UserID] = record
		return err
	}, "SELECT user_id, record FROM user_metadata"+w.String(), w.Args...)
	return out, err
}

var upsertRecords = store.Insert{
	Table: "user_metadata",
	Columns: store.Columns("id uuid, organization_id uuid, website_id uuid, user_id uuid, record text, " +
		"wallet_group_identifier text, created_at bigint, updated_at bigint"),
	Conflict: `ON CONFLICT (website_id, user_id) DO UPDATE SET record = excluded.record,
		wallet_group_identifier = excluded.wallet_group_identifier,
		updated_at = ` + laterThan("user_metadata.updated_at", "excluded.updated_at"),
}

// writeRecords writes metadata records of locked members, with their identifiers.
func writeRecords(ctx context.Context, tx *store.Tx, scope laurel.Scope, writes []recordWrite) error {
	now := store.Micros(tx.Now())
	var records, identifiers [][]any
	var users []laurel.ID
	for _, w := range writes {
		records = append(records, []any{
			tx.NewID(), w.member.OrganizationID, w.member.WebsiteID, w.member.UserID, w.record,
			w.profile.WalletGroupIdentifier, now, now,
		})
		if !w.hasOtherIdentifiers {
			continue
		}
		users = append(users, w.member.UserID)
		for _, id := range w.profile.identifiers() {
			identifiers = append(identifiers, []any{w.member.WebsiteID, id.field, id.value, w.member.UserID})
		}
	}
	if err := deleteIdentifiers(ctx, tx, scope, users); err != nil {
		return err
	}
	if _, err := tx.InsertRows(ctx, insertIdentifiers, identifiers); err != nil {
		return err
	}
	_, err := tx.InsertRows(ctx, upsertRecords, records)
	return err
}

var insertIdentifiers = store.Insert{
	Table: "user_identifiers", Columns: store.Columns("website_id uuid, field text, value text, user_id uuid"),
}

// deleteIdentifiers deletes all identifiers of users in the scope's website.
func deleteIdentifiers(ctx context.Context, tx *store.Tx, scope laurel.Scope, users []laurel.ID) error {
	if len(users) == 0 {
		return nil
	}
	var w store.Where
	w.Add("website_id = ?", scope.WebsiteID)
	store.InArray(&w, tx, "user_id", "uuid", users)
	_, err := tx.Exec(ctx, "DELETE FROM user_identifiers"+w.String(), w.Args...)
	return err
}
