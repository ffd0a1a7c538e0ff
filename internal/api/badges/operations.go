package badges

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
)

// Operations are the operations on badges, for the table of routes in package api.
type Operations struct {
	ListBadges, CreateBadge, UpdateBadge, DeleteBadge, RewardBadge, RevokeBadge, ListBadgeUsers,
	UpdateBadgeUser rest.OperationHandler
}

// New returns the operations on badges and on those of members. Each has its handler and its texts for the OpenAPI
// document.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	return Operations{
		ListBadges: rest.Handle(h.list,
			rest.Note("Newest first. With a user filter each badge has the rows of those users and their current "+
				"progress; without one, its newest 100 rows. Client keys do not see hidden badges."),
		),
		CreateBadge: rest.Handle(h.create,
			rest.Note("Members who meet all conditions are granted the badge, including existing members. A "+
				"condition of type rule, rules or badges refers to records by loyaltyRuleIds and "+
				"loyaltyBadgeIds, section by loyaltyRuleGroupIds, points and level by loyaltyCurrencyIds. A "+
				"condition of type api never holds."),
			rest.Example(`{"name":"Regular","imageUrl":"https://files.example/regular.png","conditions":[{"type":"rule","loyaltyRuleIds":[`+rest.ExampleID+
				`],"repeatCount":10}],"rewards":[{"rewardType":"points","amount":50,"loyaltyCurrencyId":`+rest.ExampleID+`}]}`),
		),
		UpdateBadge: rest.Handle(h.update, rest.IfMatch(h.get),
			rest.Note("An absent property keeps its value. rewards and csvFiles replace all existing ones; "+
				"members who already have the badge do not get new rewards."),
			rest.Example(`{"description":"Ten visits","hideInUi":false}`),
		),
		DeleteBadge: rest.Handle(caller.ByID(cfg.Caller, cfg.Badges.Delete, h.badgeResponse), rest.IfMatch(h.get),
			rest.Note("Returns the badge as it was, with its users revoked. The multipliers that it granted end; points stay."),
		),
		RewardBadge: rest.Handle(h.grant,
			rest.Note("Grants the badge and pays its rewards, each member once: after a revoke its multipliers come back, and nothing is paid again. With status inactive the "+
				"member gets a row that is not granted. An unknown wallet becomes a user."),
			rest.Example(`{`+rest.ExampleWallet+`}`),
		),
		RevokeBadge: rest.Handle(h.revoke,
			rest.Note("Multipliers from the badge end; points stay. A revoked badge is not granted again "+
				"automatically; an inactive one is."),
			rest.Example(`{`+rest.ExampleWallet+`}`),
		),
		ListBadgeUsers: rest.Handle(h.listUsers, rest.Note("Newest first. Client keys do not see hidden badges.")),
		UpdateBadgeUser: rest.Handle(h.updateUser, rest.IfMatch(h.getUser),
			rest.Note("Client keys send the member token of the badge's user."),
			rest.Example(`{"dismissedInUi":true}`),
			rest.IDName("badge user"),
		),
	}
}
