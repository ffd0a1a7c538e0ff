package catalog

import (
	"context"

	"laurel"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// link is an address of a rule from which a list is read, with its path in an input.
type link struct {
	path string
	lists.Source
}

// links returns the lists that the properties of a rule name.
func links(rule laurel.ID, p *schema.Properties) []link {
	var out []link
	if p.UserAllotmentCSVURL != nil {
		out = append(
			out,
			link{"loyaltyUserAllotmentCsvUrl", lists.Source{Kind: lists.Allotment, URL: *p.UserAllotmentCSVURL}},
		)
	}
	feeds := p.Feeds()
	if feeds.CodesURL != "" {
		out = append(out, link{"metadata.promoCodeCsvUrl", lists.Source{Kind: lists.Codes, URL: feeds.CodesURL}})
	}
	switch { // the feed wins where both are named
	case p.CustomRewardsAPIURL != nil:
		key := Secret(rule, schema.RewardsKey, feeds.RewardsKey)
		feed := lists.Source{Kind: lists.Rewards, URL: *p.CustomRewardsAPIURL, APIKey: key, Feed: true}
		out = append(out, link{"customRewardsApiUrl", feed})
	case p.CustomRewardsCSVURL != nil:
		out = append(out, link{"customRewardsCsvUrl", lists.Source{Kind: lists.Rewards, URL: *p.CustomRewardsCSVURL}})
	}
	return out
}

// checkListURLs notes addresses that may not be read, of those that the rule did not have before (contract 7.2). It
// looks at nothing where other faults are known already: they may make any address what it should not be.
func (s *Service) checkListURLs(
	ctx context.Context,
	scope laurel.Scope,
	f *laurel.Faults,
	before, after *schema.Properties,
) error {
	if len(*f) > 0 {
		return nil
	}
	had := map[string]string{}
	for _, l := range links(laurel.ID{}, before) {
		had[l.path] = l.URL
	}
	for _, l := range links(laurel.ID{}, after) {
		if had[l.path] == l.URL {
			continue
		}
		if err := s.lists.Check(ctx, scope, f, l.path, l.URL); err != nil {
			return err
		}
	}
	return nil
}

// queueImports asks for the lists that a saved rule names to be read, and stops reading those of one that ends.
func queueImports(ctx context.Context, tx *store.Tx, before, after Rule) error {
	named, had := links(after.ID, &after.Properties), links(after.ID, &before.Properties)
	scope := laurel.Scope{OrganizationID: after.OrganizationID, WebsiteID: after.WebsiteID}
	if len(named)+len(had) == 0 {
		return nil
	}
	if !after.DeletedAt.IsZero() {
		return lists.Ended(ctx, tx, scope, after.ID)
	}
	sources := make([]lists.Source, len(named))
	for i, l := range named {
		sources[i] = l.Source
	}
	return lists.Saved(ctx, tx, scope, after.ID, sources)
}

// afterSave has what a saved rule asks for begin at once, and what this node remembers of it end.
func (s *Service) afterSave(r Rule) {
	s.wakeCodes(r)
	if r.Type == schema.TypeCheckIn {
		s.checkIns.forget(r.WebsiteID)
	}
	if len(links(r.ID, &r.Properties)) > 0 {
		s.lists.Wake()
	}
}
