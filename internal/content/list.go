package content

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Asset is a file that was announced, and perhaps uploaded.
type Asset struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	UserID         laurel.ID // whose file it is; zero: nobody's in particular
	Name           string    // as its address holds it
	Size           int64     // bytes
	Path           string    // what it is for
	URL            string
	ExpiresAt      time.Time // until when it can be sent; zero once it was
	UploadedAt     time.Time // zero until it was sent
	CreatedAt      time.Time
}

// List returns a page of the scope's files that can be sent or read, newest first; with users, only their files.
// Errors: Invalid for an unknown cursor.
func (s *Service) List(
	ctx context.Context, scope laurel.Scope, users []laurel.ID, page laurel.PageRequest,
) (laurel.Page[Asset], error) {
	rows, err := listAssets(ctx, s.db, whereUsable(scope, users, s.db.Now()), page)
	return laurel.MapPage(laurel.PageOf(rows, page.Limit), s.shape), err
}

// Get returns a file of the scope that can be sent or read. Errors: NotFound "File".
func (s *Service) Get(ctx context.Context, scope laurel.Scope, id laurel.ID) (Asset, error) {
	found, err := findUsable(ctx, s.db, scope, id)
	if err != nil {
		return Asset{}, err
	}
	return s.shape(found), nil
}

// Usage is the bytes of a website's files, including announced ones, and their quota.
type Usage struct{ Bytes, Quota int64 }

// Usage returns how many bytes the files of the scope's website count, and their quota. No file counts less than
// minCharge.
func (s *Service) Usage(ctx context.Context, scope laurel.Scope) (Usage, error) {
	name := (&asset{WebsiteID: scope.WebsiteID}).websiteUsage()
	counted, err := selectUsage(ctx, s.db, []string{name})
	return Usage{counted[name], s.quotas.Website}, err
}

// shape returns the file as callers see it. It has UploadedAt if the file was uploaded, and ExpiresAt otherwise.
func (s *Service) shape(a asset) Asset {
	out := Asset{ID: a.ID, OrganizationID: a.OrganizationID, WebsiteID: a.WebsiteID, UserID: a.UserID,
		Name: a.Name, Size: a.Size, Path: a.Path, URL: s.base + a.PublicPath(), CreatedAt: store.Time(a.CreatedAt)}
	if a.UploadedAt == nil {
		out.ExpiresAt = store.Time(a.ExpiresAt)
	} else {
		out.UploadedAt = store.Time(*a.UploadedAt)
	}
	return out
}
