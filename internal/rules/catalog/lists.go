package catalog

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// listLink is a list that a rule refers to, with the path of its address in an input.
type listLink struct {
	path string
	lists.Source
}

// listLinks returns the lists that the properties of a rule refer to: wallets, codes, and rewards of tokens, each if it
// is set. rule is the id of the rule, which is needed only to open the sealed API key of a feed; callers that only
// compare addresses pass the zero id.
func listLinks(rule laurel.ID, p *schema.Properties) []listLink {
	var out []listLink
	if p.UserAllotmentCSVURL != nil {
		out = append(
			out,
			listLink{"loyaltyUserAllotmentCsvUrl", lists.Source{Kind: lists.KindAllotment, URL: *p.UserAllotmentCSVURL}},
		)
	}
	addresses := p.ListAddresses()
	if addresses.CodesURL != "" {
		out = append(out, listLink{"metadata.promoCodeCsvUrl", lists.Source{Kind: lists.KindCodes, URL: addresses.CodesURL}})
	}
	switch { // the feed has precedence if both are set
	case p.CustomRewardsAPIURL != nil:
		key := SealedSecret(rule, schema.RewardsKey, addresses.RewardsKey)
		feed := lists.Source{Kind: lists.KindRewards, URL: *p.CustomRewardsAPIURL, APIKey: key, IsFeed: true}
		out = append(out, listLink{"customRewardsApiUrl", feed})
	case p.CustomRewardsCSVURL != nil:
		out = append(out, listLink{"customRewardsCsvUrl", lists.Source{Kind: lists.KindRewards, URL: *p.CustomRewardsCSVURL}})
	}
	return out
}

// checkListURLs adds a fault for each list address that is new and may not be read (contract 7.2). It does nothing if
// there are faults already: the address itself may be malformed.
func (s *Service) checkListURLs(
	ctx context.Context,
	scope laurel.Scope,
	f *laurel.Faults,
	before, after *schema.Properties,
) error {
	if len(*f) > 0 {
		return nil
	}
	former := map[string]string{}
	for _, l := range listLinks(laurel.ID{}, before) {
		former[l.path] = l.URL
	}
	for _, l := range listLinks(laurel.ID{}, after) {
		if former[l.path] == l.URL {
			continue
		}
		if err := s.lists.Check(ctx, scope, f, l.path, l.URL); err != nil {
			return err
		}
	}
	return nil
}

// enqueueImports enqueues imports of the lists that a saved rule refers to, and removes the sources of lists that it no
// longer refers to. For a deleted rule it stops importing them.
func enqueueImports(ctx context.Context, tx *store.Tx, before, after Rule) error {
	current, former := listLinks(after.ID, &after.Properties), listLinks(after.ID, &before.Properties)
	scope := laurel.Scope{OrganizationID: after.OrganizationID, WebsiteID: after.WebsiteID}
	if len(current)+len(former) == 0 {
		return nil
	}
	if !after.DeletedAt.IsZero() {
		return lists.StopImportsOfRule(ctx, tx, scope, after.ID)
	}
	sources := make([]lists.Source, len(current))
	for i, l := range current {
		sources[i] = l.Source
	}
	return lists.UpdateRuleSources(ctx, tx, scope, after.ID, sources)
}

// afterSave wakes the background jobs that generate codes and read lists of a saved rule, and invalidates cached data
// of the rule. It is called after the commit.
func (s *Service) afterSave(r Rule) {
	s.wakeCodes(r)
	if r.Type == schema.TypeCheckIn {
		s.checkInCache.invalidate(r.WebsiteID)
	}
	if len(listLinks(r.ID, &r.Properties)) > 0 {
		s.lists.Wake()
	}
}
