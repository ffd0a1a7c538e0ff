package pages

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/store"
)

const sectionColumns = `id, organization_id, website_id, placement, page_id, page_section_type, title, sort_id,
	duration_start, duration_end, banner, items_grids, discovery_items, created_at, updated_at, deleted_at`

type sectionRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Placement      string    `db:"placement"`
	PageID         *string   `db:"page_id"`
	Type           *string   `db:"page_section_type"`
	Title          *string   `db:"title"`
	SortID         int64     `db:"sort_id"`
	Start          int64     `db:"duration_start"`
	End            *int64    `db:"duration_end"`
	Banner         *string   `db:"banner"`
	ItemsGrids     string    `db:"items_grids"`
	Discovery      string    `db:"discovery_items"`
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
	DeletedAt      *int64    `db:"deleted_at"`
}

// section returns the section that the row stores.
func (r sectionRow) section() (Section, error) {
	s := Section{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Placement: r.Placement, Type: r.Type,
		Title: r.Title, SortID: r.SortID, Start: store.Time(r.Start), CreatedAt: store.Time(r.CreatedAt),
		UpdatedAt: store.Time(r.UpdatedAt),
	}
	if r.PageID != nil {
		s.PageID = *r.PageID
	}
	if r.End != nil {
		s.End = store.Time(*r.End)
	}
	if r.DeletedAt != nil {
		s.DeletedAt = store.Time(*r.DeletedAt)
	}
	if r.Banner != nil {
		if err := json.Unmarshal([]byte(*r.Banner), &s.Banner); err != nil {
			return s, err
		}
	}
	if err := json.Unmarshal([]byte(r.ItemsGrids), &s.ItemsGrids); err != nil {
		return s, err
	}
	return s, json.Unmarshal([]byte(r.Discovery), &s.Discovery)
}

// rowOf returns the row that stores a section.
func rowOf(s Section) (sectionRow, error) {
	r := sectionRow{
		ID: s.ID, OrganizationID: s.OrganizationID, WebsiteID: s.WebsiteID, Placement: s.Placement, Type: s.Type,
		Title: s.Title, SortID: s.SortID, Start: store.Micros(s.Start), CreatedAt: store.Micros(s.CreatedAt),
		UpdatedAt: store.Micros(s.UpdatedAt),
	}
	if s.PageID != "" {
		r.PageID = &s.PageID
	}
	if at := store.Micros(s.End); at != 0 {
		r.End = &at
	}
	if at := store.Micros(s.DeletedAt); at != 0 {
		r.DeletedAt = &at
	}
	if s.Banner != nil {
		banner, err := json.Marshal(s.Banner)
		if err != nil {
			return r, err
		}
		text := string(banner)
		r.Banner = &text
	}
	grids, err := json.Marshal(s.ItemsGrids)
	if err != nil {
		return r, err
	}
	items, err := json.Marshal(s.Discovery)
	r.ItemsGrids, r.Discovery = string(grids), string(items)
	return r, err
}

// insertSection inserts a section.
func insertSection(ctx context.Context, tx *store.Tx, s Section) error {
	r, err := rowOf(s)
	if err != nil {
		return err
	}
	_, err = tx.Exec(
		ctx,
		"INSERT INTO page_sections ("+sectionColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
		r.ID, r.OrganizationID, r.WebsiteID, r.Placement, r.PageID, r.Type, r.Title, r.SortID, r.Start, r.End,
		r.Banner, r.ItemsGrids, r.Discovery, r.CreatedAt, r.UpdatedAt,
	)
	return err
}

// updateSection writes a section that the transaction has locked.
func updateSection(ctx context.Context, tx *store.Tx, s Section) error {
	r, err := rowOf(s)
	if err != nil {
		return err
	}
	_, err = tx.Exec(
		ctx,
		`UPDATE page_sections SET placement = ?, page_id = ?, page_section_type = ?, title = ?, sort_id = ?,
		duration_start = ?, duration_end = ?, banner = ?, items_grids = ?, discovery_items = ?, updated_at = ?,
		deleted_at = ? WHERE id = ?`,
		r.Placement, r.PageID, r.Type, r.Title, r.SortID, r.Start, r.End, r.Banner, r.ItemsGrids, r.Discovery,
		r.UpdatedAt, r.DeletedAt, r.ID,
	)
	return err
}

// findSection returns a live section; lock is the suffix that locks its row, or "". Errors: NotFound "Page section".
func findSection(
	ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID, lock string,
) (Section, error) {
	w := store.Live(scope)
	w.Add("id = ?", id)
	var r sectionRow
	err := q.Get(ctx, &r, "SELECT "+sectionColumns+" FROM page_sections"+w.String()+lock, w.Args...)
	if store.IsNoRows(err) {
		return Section{}, laurel.Missing("Page section")
	}
	if err != nil {
		return Section{}, err
	}
	return r.section()
}

// listSections returns a page of live sections by sortId. Errors: Invalid for an unknown cursor.
func listSections(
	ctx context.Context, q *store.DB, scope laurel.Scope, filter SectionFilter, page laurel.PageRequest,
) (laurel.Page[Section], error) {
	w := store.Live(scope)
	if err := (cursor{"page_sections", page.StartingAfter}).addTo(ctx, q, w, scope); err != nil {
		return laurel.Page[Section]{}, err
	}
	for column, value := range map[string]string{
		"placement": filter.Placement, "page_id": filter.PageID, "page_section_type": filter.Type,
	} {
		if value != "" {
			w.Add(column+" = ?", value)
		}
	}
	if filter.OpenOnly {
		now := store.Micros(q.Now())
		w.Add("duration_start <= ? AND (duration_end IS NULL OR duration_end > ?)", now, now)
	}
	rows, err := store.SelectPage[sectionRow](
		ctx, q, page.Limit,
		"SELECT "+sectionColumns+" FROM page_sections"+w.String()+" ORDER BY sort_id, created_at, id", w.Args...)
	if err != nil {
		return laurel.Page[Section]{}, err
	}
	return budget.TryMapPage(rows, sectionRow.section)
}

// cursor is the last row of the page before in a list by sortId. A deleted row is a valid cursor.
type cursor struct {
	table string
	id    laurel.ID
}

// addTo adds the condition for rows behind the cursor to w. The zero cursor adds none. Errors: Invalid for an unknown
// cursor.
func (at cursor) addTo(ctx context.Context, q store.Queryer, w *store.Where, scope laurel.Scope) error {
	if at.id.IsZero() {
		return nil
	}
	var c store.Where
	c.Add("id = ?", at.id)
	c.Tenant("", scope)
	var after struct {
		SortID    int64 `db:"sort_id"`
		CreatedAt int64 `db:"created_at"`
	}
	err := q.Get(ctx, &after, "SELECT sort_id, created_at FROM "+at.table+c.String(), c.Args...)
	if store.IsNoRows(err) {
		return laurel.ErrCursor()
	}
	w.Add("(sort_id, created_at, id) > (?, ?, ?)", after.SortID, after.CreatedAt, at.id)
	return err
}
