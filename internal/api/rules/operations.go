package rules

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/rules/decision"
)

// Operations are the operations on rules, for the table of routes in package api.
type Operations struct {
	ListRules, CreateRule, UpdateRule, DeleteRule, CompleteRule, SimulateRule, ReplayRule, ListReplays, ListCodes,
	ListRuns, ListImports, ListProcessing, ListGroups, CreateGroup, UpdateGroup, DeleteGroup, ListEdits, RestoreEdit,
	ListStatuses, WriteStatus, ListChains, CreateChain, DeleteChain rest.OperationHandler
}

// New returns the operations on rules. Each has its handler and its texts for the OpenAPI document.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	getGroup := caller.ByID(cfg.Caller, cfg.Rules.GroupWithRules, h.groupResponse)
	return Operations{
		ListRules: rest.Handle(h.listRules,
			rest.Note("Newest first. Client keys do not see hidden rules, nor rules that have not started unless showBeforeStart."),
		),
		CreateRule: rest.Handle(h.createRule,
			rest.Note("Without loyaltyCurrencyId the rule pays in the website's only currency. interval sets how often a user is paid."),
			rest.Example(`{"name":"Welcome","type":"external_rule","amount":10,"interval":"once"}`),
			rest.Secret(ruleSecret),
		),
		UpdateRule: rest.Handle(h.updateRule, rest.IfMatch(h.getRule),
			rest.Note("An absent property keeps its value and null clears it; metadata is replaced as a whole. type cannot be changed."),
			rest.Example(`{"name":"Welcome, friend","amount":20}`),
			rest.Secret(ruleSecret),
		),
		DeleteRule: rest.Handle(h.deleteRule, rest.IfMatch(h.getRule),
			rest.Note("Points that the rule paid stay. With debitLoyaltyPoints=true they are debited, at most "+
				"down to 0, and its held points are cancelled; a large debit continues after the response. An "+
				"update with deletedAt null restores the rule."),
		),
		CompleteRule: rest.Handle(h.completeRule,
			rest.Note("Pays at most once per window of the rule, however often it is called. The texts of message are for people. "+
				"A reward above the rule's maximum is cut to what is left of it. idempotencyKey (external_rule only) shares one name space per website with the keys of entries: "+
				"the same input gets the first outcome, any other is refused. Client keys send the user's member token."),
			rest.Example(`{`+rest.ExampleWallet+`}`),
			rest.IDName("loyaltyRuleId"),
			rest.InvalidAs(decision.MsgInvalidRequest),
		),
		SimulateRule: rest.Handle(h.simulateRule,
			rest.Note("Decides a completion on the current facts and writes nothing. An unknown wallet is "+
				"treated as a new user. A completion that is decided later, such as a click, counts as one that "+
				"would complete, and has no rewards yet."),
			rest.Example(`{`+rest.ExampleWallet+`}`),
			rest.IDName("loyaltyRuleId"),
			rest.InvalidAs(decision.MsgInvalidRequest),
		),
		ReplayRule: rest.Handle(h.replayRule,
			rest.Note("Decides the completions of a period again with a changed rule, from the facts that are "+
				"stored with each, and pays nothing. It runs in the background; the list of replays shows its "+
				"progress. Refused calls are not replayed. At most ten replays of a website may run at once."),
			rest.Example(`{"draft":{"amount":20},"from":"2026-11-01T00:00:00Z","to":"2026-12-01T00:00:00Z"}`),
			rest.IDName("loyaltyRuleId"),
		),
		ListReplays: rest.Handle(h.listReplays, rest.Note("Newest first. A replay is stored for 30 days after its end."),
			rest.IDName("loyaltyRuleId")),
		ListCodes: rest.Handle(h.listCodes,
			rest.Note("The codes that the service generated or imported for the rule, each for one redemption. "+
				"A large number of codes is generated in the seconds after the rule is saved: while complete is false, codes are missing, and new ones appear at the front of the list."),
		),
		ListRuns: rest.Handle(h.listRuns,
			rest.Note("Newest first. A rule with a frequency runs at its start and every hour, day, week or month after it, until its end; runs that were missed "+
				"while no server ran are made up for. The numbers grow during a run."),
			rest.IDName("loyaltyRuleId"),
		),
		ListImports: rest.Handle(h.listImports,
			rest.Note("Newest first: the progress of each import of loyaltyUserAllotmentCsvUrl, metadata.promoCodeCsvUrl, customRewardsCsvUrl, "+
				"customRewardsApiUrl and the csvUrl of conditions, and the errors of the first 100 skipped rows. A list of wallets or rewards takes effect when its import is complete."),
		),
		ListProcessing: rest.Handle(h.listProcessing,
			rest.Note("Accepted completions with their state. Client keys name exactly one user and send its member token."),
		),
		ListGroups: rest.Handle(h.listGroups,
			rest.Note("By sortId. A page ends before the group that would bring its rules above 1000. Client keys do not see hidden rules."),
		),
		CreateGroup: rest.Handle(h.createGroup,
			rest.Note("Without sortId the group comes last. A rule joins it by its loyaltyRuleGroupId."),
			rest.Example(`{"name":"First steps","subTitle":"Five minutes each"}`),
			rest.Secret(groupSecret),
		),
		UpdateGroup: rest.Handle(h.updateGroup, rest.IfMatch(getGroup),
			rest.Note("An absent property keeps its value."),
			rest.Example(`{"name":"Second steps"}`),
			rest.Secret(groupSecret),
		),
		DeleteGroup: rest.Handle(caller.ByID(cfg.Caller, cfg.Rules.DeleteGroup, h.groupResponse), rest.IfMatch(getGroup),
			rest.Note("The rules stay and are in no group.")),
		ListEdits: rest.Handle(h.listEdits,
			rest.Note("Newest first: the editor and the changed properties of each edit, with the values before and after."),
		),
		RestoreEdit: rest.Handle(h.restoreEdit,
			rest.Note("Sets the properties that the edit changed back to their former values; that is an edit too."),
			rest.Example(`{"editComment":"Too generous"}`),
			rest.Secret("data."+ruleSecret, "previousData."+ruleSecret),
		),
		ListStatuses: rest.Handle(h.listStatuses,
			rest.Note("Progress per rule and user. Client keys name exactly one user and send its member token."),
		),
		WriteStatus: rest.Handle(h.writeStatus,
			rest.Note("Progress is limited to the range from 0 to the rule's target. The call pays no reward: a "+
				"completion does."),
			rest.Example(`{"loyaltyRuleId":`+rest.ExampleID+`,`+rest.ExampleWallet+`,"incProgress":5}`),
		),
		ListChains: rest.Handle(h.listChains,
			rest.Note("Newest first. Rules include their chains in loyaltyRuleChain. Client keys do not see chains of rules that are hidden from them."),
		),
		CreateChain: rest.Handle(h.createChain,
			rest.Note("Until all conditions hold, or with OR one of them, the rule cannot be completed. A condition of type rule, rules or badges refers to records by loyaltyRuleIds and "+
				"loyaltyBadgeIds, section by loyaltyRuleGroupIds, points and level by loyaltyCurrencyIds. A condition of type csv holds while the wallet is on its list; one of type api never holds."),
			rest.Example(`{"name":"After the first steps","loyaltyRuleId":`+rest.ExampleID+`,"loyaltyConditions":[{"type":"points","amount":100,"loyaltyCurrencyIds":[`+rest.ExampleID+`]}]}`),
		),
		DeleteChain: rest.Handle(caller.ByID(cfg.Caller, cfg.Chains.Delete, h.chainResponse), rest.IfMatch(h.getChain),
			rest.Note("Returns the chain as it was.")),
	}
}
