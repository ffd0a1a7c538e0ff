package admins

import (
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/tenancy"
)

// Right is an action that a role of people may allow.
type Right string

// The rights.
const (
	SeeProgram          Right = "SeeProgram"
	ChangeProgram       Right = "ChangeProgram"
	SeeMembers          Right = "SeeMembers"
	SeeContacts         Right = "SeeContacts"
	CompleteRules       Right = "CompleteRules"
	AdjustMembers       Right = "AdjustMembers"
	AdjustFreely        Right = "AdjustFreely"
	SeeKeys             Right = "SeeKeys"
	ChangeKeys          Right = "ChangeKeys"
	SeeSubscriptions    Right = "SeeSubscriptions"
	ManageSubscriptions Right = "ManageSubscriptions"
	ManageFunctions     Right = "ManageFunctions"
	SeeJobs             Right = "SeeJobs"
	ChangeJobs          Right = "ChangeJobs"
	ChangeSettings      Right = "ChangeSettings"
	TakeBackPoints      Right = "TakeBackPoints"
	ManageAdmins        Right = "ManageAdmins"
)

// rightWords describe the rights; each text follows "may".
var rightWords = map[Right]string{
	SeeProgram: "see rules, groups, chains, badges, questions, the store, token claims, pages, files, leaderboards and " +
		"figures",
	ChangeProgram:       "change rules, groups, chains, badges, questions, the store, token claims, pages and files",
	SeeMembers:          "see members without their e-mail addresses, phone numbers and devices",
	SeeContacts:         "see members’ e-mail addresses, phone numbers and devices",
	CompleteRules:       "test rules",
	AdjustMembers:       "adjust balances and block members",
	AdjustFreely:        "adjust balances without a daily limit, reverse transactions, or grant multipliers and badges",
	SeeKeys:             "see API keys",
	ChangeKeys:          "create or revoke API keys",
	SeeSubscriptions:    "see subscriptions and their events",
	ManageSubscriptions: "create, change or delete subscriptions, or resend events",
	ManageFunctions:     "open, change, run or delete functions",
	SeeJobs:             "see jobs, payouts, external ledger requests and the ledger’s health",
	ChangeJobs:          "retry or cancel jobs, payouts and external ledger requests",
	ChangeSettings:      "change currencies, websites or settings",
	TakeBackPoints:      "reset currencies or take back the rewards of deleted rules",
	ManageAdmins:        "manage the team or see its activity",
}

// Words returns the description of a right, to follow "may".
func (r Right) Words() string { return rightWords[r] }

// rightsByRole lists what each role may do on the websites that it is for.
var rightsByRole = map[laurel.Role][]Right{
	tenancy.RoleSuperAdmin: {
		SeeProgram, ChangeProgram, CompleteRules, SeeMembers, SeeContacts, AdjustMembers, AdjustFreely, SeeKeys,
		ChangeKeys, SeeJobs, ChangeJobs, ChangeSettings, TakeBackPoints, ManageAdmins, SeeSubscriptions, ManageSubscriptions,
		ManageFunctions,
	},
	tenancy.RoleAdmin: {
		SeeProgram, ChangeProgram, CompleteRules, SeeMembers, SeeContacts, AdjustMembers, AdjustFreely, SeeKeys,
		SeeJobs, ChangeJobs, ChangeSettings, SeeSubscriptions, ManageSubscriptions, ManageFunctions,
	},
	tenancy.RoleModerator: {
		SeeProgram, CompleteRules, SeeMembers, SeeContacts, AdjustMembers, SeeJobs, SeeSubscriptions,
	},
	tenancy.RoleDeveloper: {
		SeeProgram, CompleteRules, SeeMembers, SeeContacts, SeeKeys, ChangeKeys, SeeJobs, ChangeJobs, SeeSubscriptions,
		ManageSubscriptions, ManageFunctions,
	},
	tenancy.RoleViewer: {SeeProgram, SeeMembers, SeeSubscriptions},
}

// May reports whether a role has a right. An empty role and roles of API keys have none.
func May(role laurel.Role, right Right) bool { return slices.Contains(rightsByRole[role], right) }
