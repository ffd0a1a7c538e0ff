package identity

import (
	"cmp"
	"math"
	"net/mail"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"laurel.example/laurel"
)

const (
	maxText = 1000  // characters of a field unless said (contract 3.5)
	maxLong = 10000 // of bio and internalNotes
)

// MetadataInput is a change of a user's metadata (contract 3.5): an absent field keeps what is stored, null clears it.
type MetadataInput struct {
	Ref                     Ref                      `json:"-"`
	DisplayName             laurel.Optional[string]  `json:"displayName,omitzero"`
	Bio                     laurel.Optional[string]  `json:"bio,omitzero"`
	Location                laurel.Optional[string]  `json:"location,omitzero"`
	PortfolioURL            laurel.Optional[string]  `json:"portfolioUrl,omitzero"`
	LogoURL                 laurel.Optional[string]  `json:"logoUrl,omitzero"`
	ExternalIdentifier      laurel.Optional[string]  `json:"externalIdentifier,omitzero"`
	ExternalLoyaltyScore    laurel.Optional[string]  `json:"externalLoyaltyScore,omitzero"`
	EmailAddress            laurel.Optional[string]  `json:"emailAddress,omitzero"`
	PhoneNumber             laurel.Optional[string]  `json:"phoneNumber,omitzero"`
	MicroblogUser           laurel.Optional[string]  `json:"microblogUser,omitzero"` // leading @ are dropped
	MicroblogUserID         laurel.Optional[string]  `json:"microblogUserId,omitzero"`
	MicroblogFollowersCount laurel.Optional[int64]   `json:"microblogFollowersCount,omitzero"`
	ChatServerUser          laurel.Optional[string]  `json:"chatServerUser,omitzero"`
	ChatServerUserID        laurel.Optional[string]  `json:"chatServerUserId,omitzero"`
	MessengerUserID         laurel.Optional[string]  `json:"messengerUserId,omitzero"`
	MessengerUsername       laurel.Optional[string]  `json:"messengerUsername,omitzero"`
	ShortVideoUser          laurel.Optional[string]  `json:"shortVideoUser,omitzero"`
	ShortVideoUserID        laurel.Optional[string]  `json:"shortVideoUserId,omitzero"`
	VideoPlatformChannelID  laurel.Optional[string]  `json:"videoPlatformChannelId,omitzero"`
	WebAccountUser          laurel.Optional[string]  `json:"webAccountUser,omitzero"`
	WebAccountUserID        laurel.Optional[string]  `json:"webAccountUserId,omitzero"`
	ForumPlatformUser       laurel.Optional[string]  `json:"forumPlatformUser,omitzero"`
	ForumPlatformUserID     laurel.Optional[string]  `json:"forumPlatformUserId,omitzero"`
	CodeHostUser            laurel.Optional[string]  `json:"codeHostUser,omitzero"`
	CodeHostUserID          laurel.Optional[string]  `json:"codeHostUserId,omitzero"`
	GameStoreUserID         laurel.Optional[string]  `json:"gameStoreUserId,omitzero"`
	GameStoreUsername       laurel.Optional[string]  `json:"gameStoreUsername,omitzero"`
	GameLauncherAccountID   laurel.Optional[string]  `json:"gameLauncherAccountId,omitzero"`
	GameLauncherUsername    laurel.Optional[string]  `json:"gameLauncherUsername,omitzero"`
	IsBlocked               laurel.Optional[bool]    `json:"isBlocked,omitzero"`
	BlockStatusReason       laurel.Optional[string]  `json:"blockStatusReason,omitzero"`
	IsBlockExempt           laurel.Optional[bool]    `json:"isBlockExempt,omitzero"`
	SybilScore              laurel.Optional[float64] `json:"sybilScore,omitzero"`
	InternalNotes           laurel.Optional[string]  `json:"internalNotes,omitzero"`
	WalletGroupIdentifier   laurel.Optional[string]  `json:"walletGroupIdentifier,omitzero"`
	// joins; null leaves
	UserGroupID laurel.Optional[laurel.ID] `json:"userGroupId,omitzero"`
	// joins, and makes the group on first use; null leaves
	UserGroupExternalIdentifier laurel.Optional[string] `json:"userGroupExternalIdentifier,omitzero"`

	verifiedLocallyAt *laurel.Timestamp // when the wallet was proven; nil: it stays as it is
}

// textField describes a text field of metadata.
type textField struct {
	name     string
	in       *laurel.Optional[string] // the input's property; nil: only the service writes the field
	out      **string
	verified **laurel.Timestamp // cleared when the value changes
	platform string             // one account of this platform: unique among the people of a website
	isFilter bool               // lists filter by it
	limit    int
}

// textFields lists every text field of a profile, with the property of the input that sets it, if there is one. Fields
// with a platform name the connected account itself (contract 3.5): its id and, on platforms that prove accounts by a
// public profile, its name.
func textFields(in *MetadataInput, p *Profile) []textField {
	return []textField{
		{name: "displayName", in: &in.DisplayName, out: &p.DisplayName},
		{name: "bio", in: &in.Bio, out: &p.Bio, limit: maxLong},
		{name: "location", in: &in.Location, out: &p.Location},
		{name: "portfolioUrl", in: &in.PortfolioURL, out: &p.PortfolioURL},
		{name: "logoUrl", in: &in.LogoURL, out: &p.LogoURL},
		{name: "externalIdentifier", in: &in.ExternalIdentifier, out: &p.ExternalIdentifier, isFilter: true},
		{name: "externalLoyaltyScore", in: &in.ExternalLoyaltyScore, out: &p.ExternalLoyaltyScore},
		{name: "emailAddress", in: &in.EmailAddress, out: &p.EmailAddress, verified: &p.EmailVerifiedAt, isFilter: true},
		{name: "phoneNumber", in: &in.PhoneNumber, out: &p.PhoneNumber, verified: &p.PhoneVerifiedAt, isFilter: true},
		{name: "microblogUser", in: &in.MicroblogUser, out: &p.MicroblogUser, isFilter: true},
		{
			name:     "microblogUserId",
			in:       &in.MicroblogUserID,
			out:      &p.MicroblogUserID,
			verified: &p.MicroblogVerifiedAt,
			platform: "microblog",
		},
		{
			name:     "photoPlatformUser",
			out:      &p.PhotoPlatformUser,
			verified: &p.PhotoPlatformVerifiedAt,
			platform: "photo_platform",
		},
		{name: "chatServerUser", in: &in.ChatServerUser, out: &p.ChatServerUser, isFilter: true},
		{
			name:     "chatServerUserId",
			in:       &in.ChatServerUserID,
			out:      &p.ChatServerUserID,
			verified: &p.ChatServerVerifiedAt,
			platform: "chat_server",
		},
		{
			name:     "messengerUserId",
			in:       &in.MessengerUserID,
			out:      &p.MessengerUserID,
			verified: &p.MessengerVerifiedAt,
			platform: "messenger",
		},
		{name: "messengerUsername", in: &in.MessengerUsername, out: &p.MessengerUsername, isFilter: true},
		{
			name:     "shortVideoUser",
			in:       &in.ShortVideoUser,
			out:      &p.ShortVideoUser,
			verified: &p.ShortVideoVerifiedAt,
			platform: "short_video",
		},
		{
			name:     "shortVideoUserId",
			in:       &in.ShortVideoUserID,
			out:      &p.ShortVideoUserID,
			verified: &p.ShortVideoVerifiedAt,
			platform: "short_video",
		},
		{
			name:     "videoPlatformChannelId",
			in:       &in.VideoPlatformChannelID,
			out:      &p.VideoPlatformChannelID,
			verified: &p.VideoPlatformVerifiedAt,
			platform: "video_platform",
		},
		{name: "webAccountUser", in: &in.WebAccountUser, out: &p.WebAccountUser},
		{
			name:     "webAccountUserId",
			in:       &in.WebAccountUserID,
			out:      &p.WebAccountUserID,
			verified: &p.WebAccountVerifiedAt,
			platform: "web_account",
		},
		{name: "liveStreamUser", out: &p.LiveStreamUser},
		{name: "liveStreamUserId", out: &p.LiveStreamUserID, verified: &p.LiveStreamVerifiedAt, platform: "live_stream"},
		{
			name:     "forumPlatformUser",
			in:       &in.ForumPlatformUser,
			out:      &p.ForumPlatformUser,
			verified: &p.ForumPlatformVerifiedAt,
			platform: "forum_platform",
		},
		{
			name:     "forumPlatformUserId",
			in:       &in.ForumPlatformUserID,
			out:      &p.ForumPlatformUserID,
			verified: &p.ForumPlatformVerifiedAt,
			platform: "forum_platform",
		},
		{name: "codeHostUser", in: &in.CodeHostUser, out: &p.CodeHostUser, isFilter: true},
		{
			name:     "codeHostUserId",
			in:       &in.CodeHostUserID,
			out:      &p.CodeHostUserID,
			verified: &p.CodeHostVerifiedAt,
			platform: "code_host",
		},
		{
			name:     "gameStoreUserId",
			in:       &in.GameStoreUserID,
			out:      &p.GameStoreUserID,
			verified: &p.GameStoreVerifiedAt,
			platform: "game_store",
		},
		{name: "gameStoreUsername", in: &in.GameStoreUsername, out: &p.GameStoreUsername, isFilter: true},
		{
			name:     "gameLauncherAccountId",
			in:       &in.GameLauncherAccountID,
			out:      &p.GameLauncherAccountID,
			verified: &p.GameLauncherVerifiedAt,
			platform: "game_launcher",
		},
		{name: "gameLauncherUsername", in: &in.GameLauncherUsername, out: &p.GameLauncherUsername},
		{name: "blockStatusReason", in: &in.BlockStatusReason, out: &p.BlockStatusReason},
		{name: "internalNotes", in: &in.InternalNotes, out: &p.InternalNotes, limit: maxLong},
		{name: "walletGroupIdentifier", in: &in.WalletGroupIdentifier, out: &p.WalletGroupIdentifier},
	}
}

var (
	e164 = regexp.MustCompile(`^\+[1-9]\d{1,14}$`)
	// blockReasons are the values of blockStatusReason (contract 2).
	blockReasons = []string{
		"sybil_and_multi_account",
		"account_migration",
		"abuse_manipulation",
		"not_sybil",
		"issue_resolved",
		"microblog_suspended",
		"other",
	}
)

// Validate adds a fault for each invalid property of the input.
func (in MetadataInput) Validate(f *laurel.Faults) {
	in.Ref.Validate(f)
	for _, t := range textFields(&in, &Profile{}) {
		if t.in != nil && t.in.Set && !t.in.Null {
			f.Text(t.name, t.in.Value, 0, cmp.Or(t.limit, maxText))
		}
	}
	if v := in.EmailAddress; v.Set && !v.Null {
		if a, err := mail.ParseAddress(v.Value); err != nil || a.Address != v.Value {
			f.Add("emailAddress", "must be a valid email address")
		}
	}
	if v := in.PhoneNumber; v.Set && !v.Null {
		CheckPhoneNumber(f, "phoneNumber", v.Value)
	}
	if v := in.BlockStatusReason; v.Set && !v.Null && !slices.Contains(blockReasons, v.Value) {
		f.Add("blockStatusReason", "must be one of: %s", strings.Join(blockReasons, ", "))
	}
	if v := in.SybilScore; math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
		f.Add("sybilScore", "must be a number")
	}
	if v := in.UserGroupID; v.Set && !v.Null && v.Value.IsZero() {
		f.Add("userGroupId", "must be a uuid")
	}
	if v := in.UserGroupExternalIdentifier; v.Set && !v.Null {
		f.Text("userGroupExternalIdentifier", v.Value, 0, maxText)
		if v.Value == "" {
			f.Add("userGroupExternalIdentifier", "must not be empty")
		}
	}
}

// CheckPhoneNumber adds a fault unless a number is in E.164 format. A number in national form has no country code.
func CheckPhoneNumber(f *laurel.Faults, path, number string) {
	if !e164.MatchString(number) {
		f.Add(path, "must be in E.164 format")
	}
}

// apply returns the profile with the input applied to it. An empty account name, account id or external identifier is
// stored as null. A value that changes is no longer verified.
func (in MetadataInput) apply(p Profile) Profile {
	for _, t := range textFields(&in, &p) {
		if t.in == nil || !t.in.Set {
			continue
		}
		value := newValue(*t.in, *t.out)
		if value != nil && slices.Contains(bareNames, t.name) {
			bare := bareName(*value)
			value = &bare
		}
		if value != nil && *value == "" && (t.isFilter || t.platform != "") {
			value = nil
		}
		if t.verified != nil && !equalIgnoringCase(value, *t.out) {
			*t.verified = nil
		}
		*t.out = value
	}
	p.MicroblogFollowersCount = newValue(in.MicroblogFollowersCount, p.MicroblogFollowersCount)
	p.SybilScore = newValue(in.SybilScore, p.SybilScore)
	if in.verifiedLocallyAt != nil {
		p.VerifiedLocallyAt = in.verifiedLocallyAt
	}
	return p
}

// bareNames are the names of accounts that are stored without an @: that of the microblog, and those that identify an
// account (contract 3.5).
var bareNames = []string{"microblogUser", "shortVideoUser", "forumPlatformUser"}

// bareName returns the stored form of the name of an account: without spaces and an @ around it, and with each letter
// in one spelling (Unicode's NFC). Letters of other scripts that only look alike make another name (decision 102).
func bareName(name string) string {
	return norm.NFC.String(strings.TrimLeft(strings.TrimSpace(name), "@"))
}

// newValue returns the value of a property after the input: the stored one if the input has none, nil if it is null.
func newValue[T any](in laurel.Optional[T], stored *T) *T {
	if !in.Set {
		return stored
	}
	return in.Ptr()
}

// equalIgnoringCase reports whether two texts are equal but for their case, or both nil.
func equalIgnoringCase(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return foldCase(*a) == foldCase(*b)
}

// foldCase returns the form in which identifiers are compared.
func foldCase(s string) string { return strings.ToLower(s) }

// identifier is a field that lists filter by, or that must be unique, with its folded value.
type identifier struct{ field, value, platform string }

// identifiers returns the identifiers of the profile: the set fields that lists filter by, or that name a connected
// account, and the proved e-mail address and phone number.
func (p Profile) identifiers() []identifier {
	var out []identifier
	for _, t := range textFields(&MetadataInput{}, &p) {
		if (t.isFilter || t.platform != "") && *t.out != nil {
			out = append(out, identifier{t.name, foldCase(**t.out), t.platform})
		}
	}
	// An address or a number that a member has proved is an account. One that was only written down is none.
	if p.EmailAddress != nil && p.EmailVerifiedAt != nil {
		out = append(out, identifier{"verifiedEmailAddress", foldCase(*p.EmailAddress), Email})
	}
	if p.PhoneNumber != nil && p.PhoneVerifiedAt != nil {
		out = append(out, identifier{"verifiedPhoneNumber", *p.PhoneNumber, Phone})
	}
	return out
}
