package badges

import (
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/report"
)

// badge is contract 3.21.
type badge struct {
	PlainBadge
	LoyaltyBadgeUsers []BadgeUser `json:"loyaltyBadgeUsers" doc:"With a user filter the rows of those users, else the newest 100"`
}

// PlainBadge is a badge without its holders. It and BadgeUser are exported so that schemas that embed them have their
// properties.
type PlainBadge struct {
	ID                laurel.ID         `json:"id"`
	OrganizationID    laurel.ID         `json:"organizationId"`
	WebsiteID         laurel.ID         `json:"websiteId"`
	Name              string            `json:"name"`
	Description       string            `json:"description"`
	ImageURL          string            `json:"imageUrl"`
	HideInUI          bool              `json:"hideInUi"`
	LoyaltyConditions []badgeCondition  `json:"loyaltyConditions"`
	Rewards           []badgeReward     `json:"rewards"`
	LoyaltyRules      []badgeThing      `json:"loyaltyRules" doc:"Rules that grant it, or to which a condition refers"`
	DataJobs          []badgeJob        `json:"dataJobs" doc:"Newest first"`
	CreatedAt         laurel.Timestamp  `json:"createdAt"`
	UpdatedAt         laurel.Timestamp  `json:"updatedAt"`
	DeletedAt         *laurel.Timestamp `json:"deletedAt,omitempty" doc:"In lists with includeDeleted"`
}

type badgeCondition struct {
	ID                 laurel.ID          `json:"id"`
	Type               string             `json:"type" enum:"rule,rules,section,points,level,api,badge,badges,csv"`
	Description        string             `json:"description"`
	Amount             laurel.Amount      `json:"amount"`
	RepeatCount        int64              `json:"repeatCount"`
	RequiredCount      int64              `json:"requiredCount"`
	LoyaltyRuleGroupID *laurel.ID         `json:"loyaltyRuleGroupId"`
	LoyaltyCurrencyID  *laurel.ID         `json:"loyaltyCurrencyId"`
	Association        []badgeAssociation `json:"association"`
	CSVURL             *string            `json:"csvUrl" doc:"Shown to secret keys only"`
	CSVFiles           []badgeFile        `json:"csvFiles" doc:"Shown to secret keys only"`
}

// badgeAssociation is a record that a condition refers to.
type badgeAssociation struct {
	LoyaltyRule            *badgeThing `json:"loyaltyRule"`
	LoyaltyRuleGroup       *badgeThing `json:"loyaltyRuleGroup"`
	LoyaltyBadge           *badgeThing `json:"loyaltyBadge"`
	LoyaltyCurrency        *badgeThing `json:"loyaltyCurrency"`
	LoyaltyLeaderboardView *badgeThing `json:"loyaltyLeaderboardView"`
}

// badgeThing is a reference to another record, with its name.
type badgeThing struct {
	ID   laurel.ID `json:"id"`
	Name string    `json:"name"`
}

type badgeFile struct {
	ID          laurel.ID `json:"id"`
	URL         string    `json:"url"`
	Name        *string   `json:"name"`
	Description *string   `json:"description"`
}

type badgeReward struct {
	ID                 laurel.ID     `json:"id"`
	RewardType         string        `json:"rewardType" enum:"points,multiplier,badge,token"`
	LoyaltyBadgeID     *laurel.ID    `json:"loyaltyBadgeId"`
	LoyaltyCurrencyID  *laurel.ID    `json:"loyaltyCurrencyId"`
	LoyaltyCurrencyIDs []laurel.ID   `json:"loyaltyCurrencyIds" doc:"For multipliers; empty: all currencies"`
	Amount             laurel.Amount `json:"amount"`
	Multiplier         laurel.Amount `json:"multiplier"`
	IsRetroactive      bool          `json:"isRetroactive"`
}

type badgeJob struct {
	ID        laurel.ID        `json:"id"`
	Status    string           `json:"status" enum:"pending,processing,complete,failed,cancelled"`
	Message   string           `json:"message,omitempty" doc:"Shown to secret keys only"`
	CreatedAt laurel.Timestamp `json:"createdAt"`
	UpdatedAt laurel.Timestamp `json:"updatedAt"`
}

// BadgeUser is the badge of a member: a grant, or progress toward one.
type BadgeUser struct {
	ID             laurel.ID         `json:"id"`
	UserID         laurel.ID         `json:"userId"`
	OrganizationID laurel.ID         `json:"organizationId"`
	WebsiteID      laurel.ID         `json:"websiteId"`
	LoyaltyBadgeID laurel.ID         `json:"loyaltyBadgeId"`
	Status         string            `json:"status" enum:"active,inactive,revoked"`
	HideInUI       bool              `json:"hideInUi"`
	DismissedInUI  bool              `json:"dismissedInUi"`
	Progress       []badgeProgress   `json:"progress"`
	User           caller.ShortUser  `json:"user"`
	CreatedAt      laurel.Timestamp  `json:"createdAt"`
	UpdatedAt      laurel.Timestamp  `json:"updatedAt"`
	CompletedAt    *laurel.Timestamp `json:"completedAt,omitempty" doc:"Left out until granted"`
}

// listedBadgeUser is an item in the list of a badge's users.
type listedBadgeUser struct {
	BadgeUser
	DeletedAt *laurel.Timestamp `json:"deletedAt"`
}

// badgeProgress is the progress of a member on a condition.
type badgeProgress struct {
	LoyaltyConditionID laurel.ID     `json:"loyaltyConditionId"`
	Type               string        `json:"type"`
	Current            laurel.Amount `json:"current"`
	Required           laurel.Amount `json:"required"`
	Complete           bool          `json:"complete"`
}

// shapeUser returns a badge of a member as responses show it to the viewer, with the progress on each condition.
func shapeUser(v identity.Viewer, u report.BadgeUser, states []conditions.State) BadgeUser {
	out := BadgeUser{
		ID:             u.ID,
		UserID:         u.UserID,
		OrganizationID: u.OrganizationID,
		WebsiteID:      u.WebsiteID,
		LoyaltyBadgeID: u.BadgeID,
		Status:         u.Status,
		HideInUI:       u.HideInUI,
		DismissedInUI:  u.DismissedInUI,
		Progress:       []badgeProgress{},
		User:           caller.ShortUserOf(v, u.UserID, u.Wallet),
		CreatedAt:      u.CreatedAt,
		UpdatedAt:      u.UpdatedAt,
		CompletedAt:    laurel.Stamp(u.CompletedAt.Time),
	}
	for _, s := range states {
		out.Progress = append(out.Progress, badgeProgress{s.ID, string(s.Type), s.Current, s.Required, s.Complete})
	}
	return out
}

// badgeContext holds the records that responses of badges include besides the holders.
type badgeContext struct {
	scope laurel.Scope
	names report.Names
	rules map[laurel.ID][]report.RuleName
	jobs  map[laurel.ID][]report.BadgeJob
}

// badge returns a badge as responses show it, without its holders.
func (a badgeContext) badge(b badges.Badge) PlainBadge {
	out := PlainBadge{
		ID:                b.ID,
		OrganizationID:    b.OrganizationID,
		WebsiteID:         b.WebsiteID,
		Name:              b.Name,
		Description:       b.Description,
		ImageURL:          b.ImageURL,
		HideInUI:          b.HideInUI,
		LoyaltyConditions: []badgeCondition{},
		Rewards:           []badgeReward{},
		LoyaltyRules:      []badgeThing{},
		DataJobs:          []badgeJob{},
		CreatedAt:         b.CreatedAt,
		UpdatedAt:         b.UpdatedAt,
	}
	for _, c := range b.Conditions {
		out.LoyaltyConditions = append(out.LoyaltyConditions, a.condition(b, c))
	}
	for _, r := range b.Rewards {
		out.Rewards = append(out.Rewards, shapeReward(r))
	}
	for _, r := range a.rules[b.ID] {
		out.LoyaltyRules = append(out.LoyaltyRules, badgeThing{r.ID, r.Name})
	}
	for _, j := range a.jobs[b.ID] {
		if !a.scope.HasSecretKey() {
			j.Message = "" // it names lists, and rows of them
		}
		out.DataJobs = append(out.DataJobs, badgeJob{j.ID, j.Status, j.Message, j.CreatedAt, j.UpdatedAt})
	}
	return out
}

// condition returns a condition as responses show it, with the names of the records that it refers to. Only secret keys
// see the address of a list, since its content can be read there.
func (a badgeContext) condition(b badges.Badge, c conditions.Condition) badgeCondition {
	out := badgeCondition{
		ID:            c.ID,
		Type:          string(c.Type),
		Description:   c.Description,
		Amount:        c.Amount,
		RepeatCount:   c.RepeatCount,
		RequiredCount: 1,
		Association:   []badgeAssociation{},
		CSVFiles:      []badgeFile{},
	}
	switch c.Type {
	case conditions.TypeRules, conditions.TypeBadges:
		out.RequiredCount = int64(len(c.Targets))
	case conditions.TypeCSV:
		if a.scope.HasSecretKey() {
			out.CSVURL = c.CSVURL
			for _, f := range b.CSVFiles {
				out.CSVFiles = append(out.CSVFiles, badgeFile(f))
			}
		}
	default: // one is required, and there is no list
	}
	if c.RequiredCount != nil {
		out.RequiredCount = *c.RequiredCount
	}
	for _, t := range c.Targets {
		out.LoyaltyRuleGroupID, out.LoyaltyCurrencyID = t.GroupID.Ptr(), t.CurrencyID.Ptr()
		out.Association = append(out.Association, badgeAssociation{
			LoyaltyRule:      shapeReference(a.names.Rules, t.RuleID),
			LoyaltyRuleGroup: shapeReference(a.names.Groups, t.GroupID),
			LoyaltyBadge:     shapeReference(a.names.Badges, t.BadgeID),
			LoyaltyCurrency:  shapeReference(a.names.Currencies, t.CurrencyID),
		})
	}
	return out
}

// shapeReference returns a reference with its name; nil for an unknown id.
func shapeReference(names map[laurel.ID]string, id laurel.ID) *badgeThing {
	if name, ok := names[id]; ok {
		return &badgeThing{id, name}
	}
	return nil
}

// shapeReward returns a reward of a badge as responses show it. The multiplier is 1 except in a reward of type
// multiplier.
func shapeReward(r badges.Reward) badgeReward {
	out := badgeReward{
		ID:                 r.ID,
		RewardType:         r.Type,
		LoyaltyBadgeID:     r.BadgeID.Ptr(),
		LoyaltyCurrencyID:  r.CurrencyID.Ptr(),
		LoyaltyCurrencyIDs: append([]laurel.ID{}, r.CurrencyIDs...),
		Amount:             r.Amount,
		Multiplier:         laurel.One,
		IsRetroactive:      r.Retroactive,
	}
	if r.Type == badges.Multiplier {
		out.Multiplier = r.Multiplier
	}
	return out
}

// badgeIDs returns the ids of badges.
func badgeIDs(list []badges.Badge) []laurel.ID {
	ids := make([]laurel.ID, len(list))
	for i, b := range list {
		ids[i] = b.ID
	}
	return slices.Clip(ids)
}
