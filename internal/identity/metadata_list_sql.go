package identity

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// pageOfMetadata reads a page of metadata, newest first, by the conditions of the filter other than its search. Errors:
// Invalid for an unknown cursor.
func pageOfMetadata(
	ctx context.Context, q store.Queryer, scope laurel.Scope, f MetadataFilter, page laurel.PageRequest,
) (laurel.Page[Metadata], error) {
	out := laurel.PageOf[Metadata](nil, page.Limit)
	w := f.where(q.Engine(), scope)
	if !page.StartingAfter.IsZero() {
		var at store.Where
		at.Add("id = ?", page.StartingAfter)
		at.Tenant("", scope)
		var created int64
		err := q.Get(ctx, &created, "SELECT created_at FROM user_metadata"+at.String(), at.Args...)
		if store.IsNoRows(err) {
			return out, laurel.ErrCursor()
		}
		if err != nil {
			return out, err
		}
		w.After("d.created_at", "d.id", true, created, page.StartingAfter)
	}
	query := selectMetadata + w.String() + " ORDER BY d.created_at DESC, d.id DESC"
	rows, err := store.SelectPage[metadataRow](ctx, q, page.Limit, query, w.Args...)
	if err != nil {
		return out, err
	}
	out.HasNextPage = rows.HasNextPage
	for _, r := range rows.Data {
		m, err := r.metadata()
		if err != nil {
			return out, err
		}
		out.Data = append(out.Data, m)
	}
	return out, nil
}

// where returns the conditions of the filter on metadata d of users u. If few rows match, the tenant's index is not
// used.
func (f MetadataFilter) where(e store.Engine, scope laurel.Scope) *store.Where {
	w := &store.Where{}
	if len(f.UserIDs)+len(f.Wallets) > 0 || f.ExternalIdentifier != "" {
		w.TenantWithIDs(e, "d.", scope)
	} else {
		w.Tenant("d.", scope)
	}
	store.In(w, "d.user_id", f.UserIDs)
	if len(f.Wallets) > 0 {
		w.Add("u.organization_id = ?", scope.OrganizationID)
		store.In(w, "u.wallet_address", f.Wallets)
	}
	if f.ExternalIdentifier != "" {
		value := foldCase(f.ExternalIdentifier)
		if scope.WebsiteID.IsZero() {
			w.Add("EXISTS (SELECT 1 FROM user_identifiers i WHERE i.website_id = d.website_id AND i.user_id = d.user_id"+
				" AND i.field = 'externalIdentifier' AND i.value = ?)", value)
		} else {
			w.Add("d.user_id IN (SELECT i.user_id FROM user_identifiers i WHERE i.website_id = ?"+
				" AND i.field = 'externalIdentifier' AND i.value = ?)", scope.WebsiteID, value)
		}
	}
	return w
}

// selectMetadataByID reads the metadata with an id in the scope, or returns sql.ErrNoRows.
func selectMetadataByID(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Metadata, error) {
	var w store.Where
	w.Add("d.id = ?", id)
	w.TenantWithIDs(q.Engine(), "d.", scope)
	var row metadataRow
	if err := q.Get(ctx, &row, selectMetadata+w.String(), w.Args...); err != nil {
		return Metadata{}, err
	}
	return row.metadata()
}
