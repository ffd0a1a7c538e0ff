package identity

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Profile is the part of a user's metadata that is stored as one record, under the names of contract 3.5.
type Profile struct {
	DisplayName              *string           `json:"displayName"`
	Bio                      *string           `json:"bio"`
	Location                 *string           `json:"location"`
	PortfolioURL             *string           `json:"portfolioUrl"`
	LogoURL                  *string           `json:"logoUrl"`
	ExternalIdentifier       *string           `json:"externalIdentifier"`
	ExternalLoyaltyScore     *string           `json:"externalLoyaltyScore"`
	EmailAddress             *string           `json:"emailAddress"`
	EmailVerifiedAt          *laurel.Timestamp `json:"emailVerifiedAt"`
	PhoneNumber              *string           `json:"phoneNumber"`
	PhoneVerifiedAt          *laurel.Timestamp `json:"phoneVerifiedAt"`
	MicroblogUser            *string           `json:"microblogUser"`
	MicroblogUserID          *string           `json:"microblogUserId"`
	MicroblogVerifiedAt      *laurel.Timestamp `json:"microblogVerifiedAt"`
	MicroblogFollowersCount  *int64            `json:"microblogFollowersCount"`
	MicroblogVerifiedAccount bool              `json:"microblogVerifiedAccount"`
	PhotoPlatformUser        *string           `json:"photoPlatformUser"`
	PhotoPlatformVerifiedAt  *laurel.Timestamp `json:"photoPlatformVerifiedAt"`
	ChatServerUser           *string           `json:"chatServerUser"`
	ChatServerUserID         *string           `json:"chatServerUserId"`
	ChatServerVerifiedAt     *laurel.Timestamp `json:"chatServerVerifiedAt"`
	MessengerUserID          *string           `json:"messengerUserId"`
	MessengerUsername        *string           `json:"messengerUsername"`
	MessengerVerifiedAt      *laurel.Timestamp `json:"messengerVerifiedAt"`
	ShortVideoUser           *string           `json:"shortVideoUser"`
	ShortVideoUserID         *string           `json:"shortVideoUserId"`
	ShortVideoVerifiedAt     *laurel.Timestamp `json:"shortVideoVerifiedAt"`
	VideoPlatformChannelID   *string           `json:"videoPlatformChannelId"`
	VideoPlatformVerifiedAt  *laurel.Timestamp `json:"videoPlatformVerifiedAt"`
	WebAccountUser           *string           `json:"webAccountUser"`
	WebAccountUserID         *string           `json:"webAccountUserId"`
	WebAccountVerifiedAt     *laurel.Timestamp `json:"webAccountVerifiedAt"`
	LiveStreamUser           *string           `json:"liveStreamUser"`
	LiveStreamUserID         *string           `json:"liveStreamUserId"`
	LiveStreamVerifiedAt     *laurel.Timestamp `json:"liveStreamVerifiedAt"`
	ForumPlatformUser        *string           `json:"forumPlatformUser"`
	ForumPlatformUserID      *string           `json:"forumPlatformUserId"`
	ForumPlatformVerifiedAt  *laurel.Timestamp `json:"forumPlatformVerifiedAt"`
	CodeHostUser             *string           `json:"codeHostUser"`
	CodeHostUserID           *string           `json:"codeHostUserId"`
	CodeHostVerifiedAt       *laurel.Timestamp `json:"codeHostVerifiedAt"`
	GameStoreUserID          *string           `json:"gameStoreUserId"`
	GameStoreUsername        *string           `json:"gameStoreUsername"`
	GameStoreVerifiedAt      *laurel.Timestamp `json:"gameStoreVerifiedAt"`
	GameLauncherAccountID    *string           `json:"gameLauncherAccountId"`
	GameLauncherUsername     *string           `json:"gameLauncherUsername"`
	GameLauncherVerifiedAt   *laurel.Timestamp `json:"gameLauncherVerifiedAt"`
	BlockStatusReason        *string           `json:"blockStatusReason"`
	SybilScore               *float64          `json:"sybilScore"`
	InternalNotes            *string           `json:"internalNotes"`
	WalletGroupIdentifier    *string           `json:"walletGroupIdentifier"`
	VerifiedLocallyAt        *laurel.Timestamp `json:"verifiedLocallyAt"`
	Meta                     *string           `json:"meta"`
}

// Metadata is the metadata of a user in one website (contract 3.5), in the shape of responses: every field is present,
// and null if unset.
type Metadata struct {
	ID             laurel.ID `json:"id"`
	OrganizationID laurel.ID `json:"organizationId"`
	WebsiteID      laurel.ID `json:"websiteId"`
	UserID         laurel.ID `json:"userId"`
	User           UserName  `json:"user"`
	Profile
	IsBlocked     bool             `json:"isBlocked"`
	IsBlockExempt bool             `json:"isBlockExempt"`
	UserGroupID   *laurel.ID       `json:"userGroupId"`
	UserGroup     *GroupName       `json:"userGroup"`
	CreatedAt     laurel.Timestamp `json:"createdAt"`
	UpdatedAt     laurel.Timestamp `json:"updatedAt"`
}

// UserName is the short form of a user.
type UserName struct {
	ID     laurel.ID `json:"id"`
	Wallet *string   `json:"walletAddress"`
}

// GroupName is the short form of a user group.
type GroupName struct {
	ID                 laurel.ID `json:"id"`
	ExternalIdentifier *string   `json:"externalIdentifier"`
}

// VisibleTo returns the metadata without what the caller may not see. For keys that are not secret, the fields marked S
// in contract 3.5 are null and isBlockExempt is false; for client keys the external score is null too (contract 1.2).
func (m Metadata) VisibleTo(scope laurel.Scope) Metadata {
	if scope.HasSecretKey() {
		return m
	}
	m.EmailAddress, m.PhoneNumber, m.BlockStatusReason, m.SybilScore, m.InternalNotes = nil, nil, nil, nil, nil
	m.IsBlockExempt = false
	if scope.Role != laurel.RoleReadOnly { // a client key
		m.ExternalLoyaltyScore = nil
	}
	return m
}

// Metadatas reads the metadata of users by user id: for each website of the scope in which the user has some, oldest
// first. Users without metadata are left out. Nothing is hidden; see VisibleTo.
func (s *Service) Metadatas(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	userIDs []laurel.ID,
) (map[laurel.ID][]Metadata, error) {
	out := make(map[laurel.ID][]Metadata, len(userIDs))
	err := eachMetadata(ctx, q, scope, userIDs, func(m Metadata) { out[m.UserID] = append(out[m.UserID], m) })
	return out, err
}
