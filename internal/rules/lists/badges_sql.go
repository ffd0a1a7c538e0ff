package lists

import (
	"context"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// selectLatestImports reads the newest import of each list that a badge has now, oldest first. Lists that have another
// address by now are left out until an import of that address is enqueued.
func selectLatestImports(
	ctx context.Context, q store.Queryer, scope laurel.Scope, badge laurel.ID,
) ([]importRow, error) {
	var w store.Where
	w.Add("t.owner_id = ?", badge)
	w.Tenant("t.", scope)
	w.Add(`EXISTS (SELECT 1 FROM list_sources s WHERE s.owner_id = t.owner_id AND s.kind = t.kind AND s.url = t.url)`)
	w.Add(`NOT EXISTS (SELECT 1 FROM list_imports o WHERE o.owner_id = t.owner_id AND o.kind = t.kind
		AND (o.created_at, o.id) > (t.created_at, t.id))`)
	return importTable.As("t").Select(ctx, q, &w, "t.created_at, t.id")
}

// selectImportedSources reads the sources of some badges, without those that have no current import.
func selectImportedSources(
	ctx context.Context, q store.Queryer, scope laurel.Scope, badges []laurel.ID,
) ([]source, error) {
	var w store.Where
	store.In(&w, "owner_id", badges)
	w.Add(q.Engine().NoIndexPrefix()+"organization_id = ? AND current_import_id IS NOT NULL", scope.OrganizationID)
	var rows []source
	err := q.Select(ctx, &rows, selectSource+w.String(), w.Args...)
	return rows, err
}

// selectListedWallets returns which of the wallets an import contains.
func selectListedWallets(ctx context.Context, q store.Queryer, imp laurel.ID, wallets []string) ([]string, error) {
	var w store.Where
	w.Add("import_id = ?", imp)
	store.InArray(&w, q, "wallet_address", "text", wallets)
	var names []string
	err := q.Select(ctx, &names, "SELECT wallet_address FROM allotments"+w.String(), w.Args...)
	return names, err
}

// selectWallets reads a page of the wallets of several imports, each wallet once, after a wallet. The database merges
// the imports, because its order of texts need not be that of bytes.
func selectWallets(
	ctx context.Context,
	q store.Queryer,
	imports []laurel.ID,
	after string,
	limit int,
) (names []string, err error) {
	if len(imports) == 0 {
		return nil, nil
	}
	parts, args := make([]string, len(imports)), []any{}
	for i, id := range imports {
		parts[i] = "SELECT * FROM (SELECT wallet_address FROM allotments WHERE import_id = ? AND wallet_address > ? " +
			"ORDER BY wallet_address LIMIT ?) l" + strconv.Itoa(i)
		args = append(args, id, after, limit)
	}
	query := strings.Join(parts, " UNION ") + " ORDER BY wallet_address LIMIT ?"
	err = q.Select(ctx, &names, query, append(args, limit)...)
	return names, err
}
