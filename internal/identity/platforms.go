package identity

import (
	"context"
	"maps"
	"slices"
	"strings"

	"laurel"
	"laurel/internal/store"
)

// labels are the default display names of platforms (contract 2, PLATFORM label).
var labels = map[string]string{
	"microblog":      "Microblog",
	"photo_platform": "Photo platform",
	"chat_server":    "Chat server",
	"messenger":      "Messenger",
	"short_video":    "Short video",
	"video_platform": "Video platform",
	"live_stream":    "Live stream",
	"forum_platform": "Forum platform",
	"code_host":      "Code host",
	"game_store":     "Game store",
	"game_launcher":  "Game launcher",
	"web_account":    "Web account",
}

// Platforms lists the platform ids (contract 2).
func Platforms() []string { return slices.Sorted(maps.Keys(labels)) }

// Label returns the display name of a platform id, or the id itself if it has none.
func (s *Service) Label(platform string) string {
	for _, names := range []map[string]string{s.options.Labels, labels} {
		if name := names[platform]; name != "" {
			return name
		}
	}
	return platform
}

// checkAccountLimits returns Refused if the member connects an account that MaxAccountsPerPlatformID other people of
// the website have connected already. The accounts that it connects are those in after that are not in before. The
// members of a group are one person. An advisory lock per account makes the second of two concurrent transactions count
// the first.
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
		if err := lockAdvisory(ctx, tx, member.WebsiteID.String()+" "+id.field+" "+id.value); err != nil {
			return err
		}
		holders, err := countAccountHolders(ctx, tx, member, id)
		if err != nil {
			return err
		}
		if holders >= s.options.MaxAccountsPerPlatformID {
			return laurel.Errorf(laurel.Refused, "%s account is already connected to another user", s.Label(id.platform))
		}
	}
	return nil
}
