package badges

import "laurel/internal/api/rest"

// Operations are the operations on badges, for the table of routes in package api.
type Operations struct {
	ListBadges, CreateBadge, UpdateBadge, DeleteBadge, RewardBadge, RevokeBadge, ListBadgeUsers,
	UpdateBadgeUser rest.OperationHandler
}

// New returns the operations.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	return Operations{
		ListBadges: rest.Handle(h.list,
			rest.Note("Newest first. With a user filter a badge is told with the rows of those users and their progress as it is now; without, with its "+
				"newest 100. Client keys do not see what is hidden."),
		),
		CreateBadge: rest.Handle(h.create,
			rest.Note("Members who meet all conditions are granted the badge, those who are there already too. A condition of type rule, rules or badges names things by "+
				"loyaltyRuleIds and loyaltyBadgeIds, section by loyaltyRuleGroupIds, points and level by loyaltyCurrencyIds. One of type api never holds by itself."),
			rest.Example(`{"name":"Regular","imageUrl":"https://files.example/regular.png","conditions":[{"type":"rule","loyaltyRuleIds":[`+rest.ExampleID+
				`],"repeatCount":10}],"rewards":[{"rewardType":"points","amount":50,"loyaltyCurrencyId":`+rest.ExampleID+`}]}`),
		),
		UpdateBadge: rest.Handle(h.update,
			rest.Note("An absent property keeps its value. rewards and csvFiles replace all there are; who has the badge already is paid nothing more."),
			rest.Example(`{"description":"Ten visits","hideInUi":false}`),
		),
		DeleteBadge: rest.Handle(h.delete,
			rest.Note("Answers the badge as it was, with its users revoked. Their multipliers of it end; points stay."),
		),
		RewardBadge: rest.Handle(h.grant,
			rest.Note("Grants the badge and pays its rewards, each member once: after a revoke its multipliers come back, and nothing is paid again. With status inactive the "+
				"member gets a row that is not granted. An unknown wallet becomes a user."),
			rest.Example(`{`+rest.ExampleWallet+`}`),
		),
		RevokeBadge: rest.Handle(h.revoke,
			rest.Note("Ends the multipliers of the badge; points stay. A revoked badge is not granted again by itself, an inactive one is."),
			rest.Example(`{`+rest.ExampleWallet+`}`),
		),
		ListBadgeUsers: rest.Handle(h.listUsers, rest.Note("Newest first. Client keys do not see what is hidden.")),
		UpdateBadgeUser: rest.Handle(h.updateUser,
			rest.Note("Client keys send the member token of the user whose badge it is."),
			rest.Example(`{"dismissedInUi":true}`),
			rest.IDName("badge user"),
		),
	}
}
