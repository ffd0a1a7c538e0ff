package people

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
)

// Operations are the operations on members, for the table of routes in package api.
type Operations struct {
	ListStreaks, ListQuestions, CreateQuestion, UpdateQuestion, ListResponses, Respond, ListMultipliers,
	GrantMultiplier, UpdateMultiplier, DeleteMultiplier, DeleteNamedMultiplier, CreateReferralCode, ReferUsers,
	ListReferrals, ListUsers, GetUser, CountUsers, GetSelf, ListMetadata, GetMetadata, WriteMetadata, MoveAccount,
	IssueToken, RevokeTokens rest.OperationHandler
	ListAttributes, GetAttribute, WriteAttributes, UpdateAttribute, DeleteAttribute, DeleteNamedAttribute,
	ListAttributeValues, GetAttributeValue, WriteAttributeValues rest.OperationHandler
	ConnectWallet, DisconnectUser, Delegate, ListDelegations, GetDelegation, DeleteDelegation, RecordDevice,
	ListDevices, GetDevice rest.OperationHandler
	ImportMembers, ListMemberImports, GetMemberImport rest.OperationHandler
}

// New returns the operations on members, their answers, multipliers, referrals and streaks. Each has its handler and
// its texts for the OpenAPI document.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	o := Operations{
		ListStreaks: rest.Handle(h.listStreaks,
			rest.Note("A bare array, newest first. A group has one streak; userId is the member who checked in last."),
		),
		ListQuestions: rest.Handle(h.listQuestions,
			rest.Note("Newest first, of live rules. It does not say which choices are correct. Client keys do not see questions of rules that they do not see."),
		),
		CreateQuestion: rest.Handle(h.createQuestion,
			rest.Note("A quiz needs a correct choice; a poll takes any. A rule has one question."),
			rest.Example(`{"loyaltyRuleId":`+rest.ExampleID+`,"questionText":"What is 6 x 7?","loyaltyQuestionAnswers":[{"text":"41"},{"text":"42","isCorrect":true}]}`),
		),
		UpdateQuestion: rest.Handle(h.updateQuestion, rest.IfMatch(h.getQuestion),
			rest.Note("Choices with id are changed, where absent properties stay, those without are added, and those that are missing removed. "+
				"A choice that a member has given as an answer cannot be removed."),
			rest.Example(`{"questionText":"What is 6 x 7?","loyaltyQuestionAnswers":[{"text":"42","isCorrect":true},{"text":"43"}]}`),
		),
		ListResponses: rest.Handle(h.listResponses,
			rest.Note("Newest first. It says which choices are correct once the user can no longer answer. Client keys name their user by userId and send its member token."),
		),
		Respond: rest.Handle(h.respond,
			rest.Note("A completion of the rule is decided by this answer. If the question allows one attempt, a second answer changes nothing and returns the first; "+
				"the users of a group share the attempt. Client keys send the user's member token."),
			rest.Example(`{`+rest.ExampleWallet+`,"loyaltyQuestionChoiceId":`+rest.ExampleID+`}`),
		),
		ListMultipliers: rest.Handle(h.listMultipliers,
			rest.Note("Newest first. externalIdentifier is that of the multiplier; the other filters are on users."),
		),
		GrantMultiplier: rest.Handle(h.grantMultiplier,
			rest.Note("Raises what rules and streaks pay to the user from now on; transactions of callers stay as they are. Several add up: 2 and 3 give 4. "+
				"An unknown wallet becomes a user."),
			rest.Example(`{`+rest.ExampleWallet+`,"multiplier":1.5,"title":"Gold","externalIdentifier":"crm-7"}`),
		),
		UpdateMultiplier: rest.Handle(h.updateMultiplier, rest.IfMatch(h.getMultiplier),
			rest.Note("An absent property keeps its value."),
			rest.Example(`{"multiplier":2}`),
		),
		DeleteMultiplier: rest.Handle(h.deleteMultiplier, rest.IfMatch(h.getMultiplier), rest.Note("Points that were paid with the multiplier "+
			"stay.")),
		DeleteNamedMultiplier: rest.Handle(h.deleteMultiplierByExternalID,
			rest.Note("externalIdentifier is sent in the query or in the body."),
			rest.Example(`{"externalIdentifier":"crm-7"}`),
		),
		CreateReferralCode: rest.Handle(h.createReferralCode,
			rest.Note("A member has one code per rule: if there is one already, it is returned, even if another one was requested. Codes ignore case and are unique in a "+
				"website. Client keys send the member's token."),
			rest.Example(`{"loyaltyRuleId":`+rest.ExampleID+`,`+rest.ExampleWallet+`}`),
		),
		ReferUsers: rest.Handle(h.referUsers,
			rest.Note("All of the users or none. A user is referred once per rule; the referrals of a website may not form a loop. Client keys name "+
				"exactly one user and send its member token."),
			rest.Example(`{"userIds":[`+rest.ExampleID+`],"referralCode":"ALICE"}`),
		),
		ListReferrals: rest.Handle(h.listReferrals,
			rest.Note("Newest first. Client keys name exactly one referrer and send its member token."),
		),
		ListUsers: rest.Handle(h.listUsers,
			rest.Note("Newest first. Client keys name exactly one user and send its member token; only secret keys see and filter by e-mail and phone."),
		),
		GetUser: rest.Handle(h.getUser, rest.Note("Client keys get the user of their member token.")),
		CountUsers: rest.Handle(h.countUsers,
			rest.Note("Users with metadata or an account in the website."),
		),
		GetSelf: rest.Handle(h.getSelf,
			rest.Note("The member of the token, with its accounts, ranks and group."),
		),
		ListMetadata: rest.Handle(h.listMetadata,
			rest.Note("Newest first. A search that takes too long is refused: other filters are quick."),
		),
		GetMetadata: rest.Handle(caller.ByID(h.Caller, h.Identity.GetMetadata, caller.Shaped(shapeMetadata)),
			rest.Note("Metadata as the list shows it."),
		),
		WriteMetadata: rest.Handle(h.writeMetadata, rest.IfMatchOfBody(h.currentMetadata),
			rest.Note("An absent field keeps its value and null clears it. A new wallet becomes a user."),
			rest.Example(`{`+rest.ExampleWallet+`,"displayName":"Alice","userGroupExternalIdentifier":"household-1"}`),
		),
		MoveAccount: rest.Handle(h.moveAccount,
			rest.Note("accountLinkData comes with the refusal MAXIMUM_ACCOUNT_LINKED and is valid once, for 15 minutes. The user who held the account loses it, with what "+
				"was granted for being connected. Points that were earned stay. Client keys send the user's member token."),
			rest.Example(`{`+rest.ExampleWallet+`,"accountLinkData":"eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl"}`),
		),
		IssueToken: rest.Handle(h.issueToken,
			rest.Note("The token proves the user to this service when a client key is used. It is shown once: a response that is repeated for an Idempotency-Key has no token."),
			rest.Example(`{`+rest.ExampleWallet+`,"expiresInSeconds":3600}`),
			rest.Secret("token"),
		),
		RevokeTokens: rest.Handle(h.revokeTokens,
			rest.Note("Tokens that are issued afterwards are valid."),
			rest.Example(`{"userId":`+rest.ExampleID+`}`),
		),
	}
	h.attributeOperations(&o)
	h.walletOperations(&o)
	h.importOperations(&o)
	return o
}
