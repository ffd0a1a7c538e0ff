package identity

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/store"
)

// Email and Phone name, beside the platform ids, what a member can connect.
const (
	Email = "email"
	Phone = "phone"
)

// ownLabels are the display names of Email and Phone (contract 8.8).
var ownLabels = map[string]string{Email: "Email", Phone: "Phone"}

// Label returns the display name of a platform id, of Email or of Phone, or the id itself if it has none.
func (s *Service) Label(platform string) string {
	return cmp.Or(s.options.Labels[platform], platforms.DefaultLabel(platform), ownLabels[platform], platform)
}

// accountHeldError refuses an account that other people hold, as many as may.
type accountHeldError struct {
	holder laurel.ID // one of them
	error
}

func (e *accountHeldError) Unwrap() error { return e.error }

// checkAccountLimits returns Refused, with the holder, if the member connects an account that MaxAccountsPerPlatformID
// other people of the website have connected already. The accounts that it connects are those in after that are not in
// before. The members of a group are one person. An advisory lock per account makes the second of two concurrent
// transactions count the first.
func (s *Service) checkAccountLimits(
	ctx context.Context, tx *store.Tx, member memberRow, before, after []identifier,
) error {
	var added []identifier
	for _, id := range after {
		if id.platform != "" && !slices.Contains(before, id) {
			added = append(added, id)
		}
	}
	slices.SortFunc(added, func(a, b identifier) int { return strings.Compare(a.field, b.field) })
	for _, id := range added {
		if err := tx.AdvisoryLock(ctx, member.WebsiteID.String()+" "+id.field+" "+id.value); err != nil {
			return err
		}
		holders, err := countAccountHolders(ctx, tx, member, id)
		if err != nil {
			return err
		}
		if holders >= s.options.MaxAccountsPerPlatformID {
			holder, err := firstAccountHolder(ctx, tx, member, id)
			if err != nil {
				return err
			}
			return &accountHeldError{holder, laurel.Errorf(
				laurel.Refused, "%s account is already connected to another user", s.Label(id.platform),
			)}
		}
	}
	return nil
}
