package content

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// CreateInput is the announcement of a file (contract 3.31).
type CreateInput struct {
	FileName string
	FileSize laurel.Optional[int64] // bytes
	FilePath string                 // empty: images
	UserID   laurel.ID              // whose file it is; zero: nobody's in particular
}

// Created is where to send a file and where it can be read afterwards.
type Created struct {
	ID        laurel.ID
	SignedURL string // secret; good for one upload within UploadLifetime
	URL       string
}

// asset is one file.
type asset struct {
	filePlace
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	UserID         laurel.ID `db:"user_id"`
	CreatedByID    laurel.ID `db:"created_by_id"`
	Size           int64     `db:"file_size"`
	Host           string    `db:"host"` // of the public address that it was given out under; empty: as a path
	TokenHash      string    `db:"token_hash"`
	ExpiresAt      int64     `db:"expires_at"`
	UploadedAt     *int64    `db:"uploaded_at"`
	CreatedAt      int64     `db:"created_at"`
}

// Validate adds a fault for each invalid property of the input.
func (in CreateInput) Validate(f *laurel.Faults) {
	f.Text("fileName", in.FileName, 1, maxFileName)
	if _, known := mediaTypes[extension(in.FileName)]; !known && strings.TrimSpace(in.FileName) != "" {
		f.AddText("fileName", "fileName must end with one of: "+extensions)
	}
	switch size := in.FileSize; {
	case !size.Set || size.Null:
		f.Add("fileSize", "is required")
	case size.Value < 1 || size.Value > MaxSize:
		f.Add("fileSize", "must be between 1 and %d", MaxSize)
	}
	if in.FilePath != "" && !slices.Contains(Paths(), in.FilePath) {
		f.Add("filePath", "must be one of: %s", strings.Join(Paths(), ", "))
	}
}

// Create announces a file, and returns the address to which it is to be sent and the one at which it can be read
// afterwards. The scope names one website. If the file would exceed a quota, announced files that were not sent in time
// are removed first. Errors: Invalid; Refused if the file would exceed a quota nevertheless.
func (s *Service) Create(ctx context.Context, scope laurel.Scope, in CreateInput) (Created, error) {
	var f laurel.Faults
	in.Validate(&f)
	if len(f) > 0 {
		return Created{}, f.Err()
	}
	if in.FilePath == "" {
		in.FilePath = Paths()[0]
	}
	for removed := 1; ; { // how many files the last call of expire has removed; 1 before the first call
		made, err := s.announce(ctx, scope, in)
		var full quotaError
		if !errors.As(err, &full) || removed == 0 {
			return made, err
		}
		// Files that were not sent in time are removed, so that they no longer count. Even if none was left to remove, the
		// file is announced once more: another request may have removed some meanwhile.
		if removed, err = s.expire(ctx); err != nil {
			return made, err
		}
	}
}

// announce stores the record of a file that is to be uploaded, with a new upload token, and counts its size against the
// quotas. Errors: a quotaError if that exceeds a quota.
func (s *Service) announce(ctx context.Context, scope laurel.Scope, in CreateInput) (out Created, err error) {
	err = s.inUsageTx(ctx, scope.Request, func(tx *store.Tx) error {
		token := randomHex(tx, 32)
		a := asset{
			ID:             tx.NewID(),
			OrganizationID: scope.OrganizationID,
			WebsiteID:      scope.WebsiteID,
			UserID:         in.UserID,
			CreatedByID:    scope.ActorID,
			filePlace: filePlace{
				Path: in.FilePath,
				Key:  randomHex(tx, 16),
				Name: safeName(in.FileName),
			},
			Size:      in.FileSize.Value,
			Host:      s.host,
			TokenHash: hashToken(token),
			ExpiresAt: store.Micros(tx.Now().Add(UploadLifetime)),
			CreatedAt: store.Micros(tx.Now()),
		}
		if err := s.quotas.reserve(ctx, tx, &a); err != nil {
			return err
		}
		out = Created{ID: a.ID, SignedURL: s.base + "/uploads/" + token, URL: s.base + a.PublicPath()}
		return insertAsset(ctx, tx, a)
	})
	return out, err
}

// randomHex returns n random bytes as hexadecimal digits.
func randomHex(tx *store.Tx, n int) string {
	b := make([]byte, n)
	tx.Random(b)
	return hex.EncodeToString(b)
}

func hashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// maxBaseName is the most letters of a name that are used; file systems allow 255 bytes.
const maxBaseName = 120

// safeName returns a name that needs no escaping in an address and has no special meaning in a file system: other
// characters than ASCII letters, digits, - and _ become -, and a long name is cut. It keeps the extension, which the
// name must have, in lower case.
func safeName(name string) string {
	ext := extension(name)
	base := name[:len(name)-len(ext)-1]
	base = strings.Trim(strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			return r
		}
		return '-'
	}, base), "-")
	if len(base) > maxBaseName {
		base = base[:maxBaseName]
	}
	if base == "" {
		base = "file"
	}
	return base + "." + ext
}
