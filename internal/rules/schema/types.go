package schema

// Type is what a rule asks of a member (contract 6).
type Type string

// Types that others than their own kinds go by.
const (
	TypeExternal  Type = "external_rule"
	TypeCheckIn   Type = "check_in"
	TypeCodeEntry Type = "code_entry"
	TypeTextInput Type = "text_input"
	TypeLinkClick Type = "link_click"
	TypeBonus     Type = "bonus"
	TypeQuiz      Type = "quiz"
	TypePoll      Type = "poll"

	TypeProfileCompleted   Type = "profile_completed"
	TypeConnectWallet      Type = "connect_wallet"
	TypeConnectedEmail     Type = "connected_email"
	TypeConnectedPhone     Type = "connected_phone"
	TypeConnectedMicroblog Type = "connected_microblog"
	TypeMicroblogLike      Type = "microblog_like"

	TypeAirdrop Type = "points_airdrop"
	TypeUpload  Type = "manual_upload"

	TypePartnerAccount  Type = "create_partner_account"
	TypeShopSpend       Type = "shop_spend"
	TypeAttendanceToken Type = "attendance_token_claim"
	TypeGovernanceVote  Type = "governance_vote"
	TypeListing         Type = "listing"
	TypeSwap            Type = "swap"
	TypeFunction        Type = "stratus_function"
)

// Microblog is the platform id of the platform whose follower counts and marks rules ask for.
const Microblog = "microblog"

// PaysPerValue reports whether a rule of the type pays its amount for each unit of what was measured (contract 5.4,
// item 2).
func (m Meta) PaysPerValue(t Type) bool { return m.RewardPerValue && t.Kind().PerValue }

// IsMeasured reports whether what a rule of the type pays depends on a value that a provider measures.
func (m Meta) IsMeasured(t Type) bool {
	return t.Kind().Provider != NoProvider && (m.PaysPerValue(t) || len(m.Range) > 0)
}
