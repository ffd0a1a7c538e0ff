package schema

// Type is a rule type: what a rule asks of a member (contract 6).
type Type string

// The types that code outside their own file in ruletypes refers to.
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

	TypeTokenHold       Type = "token_hold"
	TypeTokenHoldERC20  Type = "token_hold_erc20"
	TypeSnapshotHold    Type = "snapshot_hold"
	TypeSnapshotFullSet Type = "snapshot_full_set"

	TypeGasSpent         Type = "dapps_by_gas_spent"
	TypeTransactionCount Type = "dapps_by_transaction_count"
	TypeActiveUsers      Type = "dapps_by_active_users"
	TypeNewUsers         Type = "dapps_by_new_users"
	TypeUserRetention    Type = "dapps_by_user_retention"

	TypeContractEvent Type = "smart_contract_event"

	TypeMinted              Type = "minted_on"
	TypeBought              Type = "bought_on"
	TypeSold                Type = "sold_on"
	TypeBoughtWithRoyalties Type = "bought_with_royalties"
	TypeSoldWithRoyalties   Type = "sold_with_royalties"
	TypeLodging             Type = "lodging"

	TypeLiquidityV2 Type = "liquidity_amm_v2"
	TypeLiquidityV3 Type = "liquidity_amm_v3"
)

// Microblog is the id of the platform whose follower counts and verified marks rules may require.
const Microblog = "microblog"

// PaysPerValue reports whether a rule of the type pays its amount per unit of the measured value (contract 5.4, item
// 2).
func (m Meta) PaysPerValue(t Type) bool {
	k := t.Kind()
	return k.PerValue && m.RewardPerValue || k.PerAction && (m.RewardPerAction || m.RewardPerImpression) ||
		k.PerUnit && m.PaysPerUnit() || k.PerArgument && m.Contract.Factor() != ""
}

// PaysPerRangeValue reports whether a rule of the type pays its amount per unit of the rangeValue of the call (contract
// 1.11).
func (m Meta) PaysPerRangeValue(t Type) bool { return m.RewardPerValue && t.Kind().PerRangeValue }

// IsMeasured reports whether the reward of a rule of the type depends on a value that a provider measures.
func (m Meta) IsMeasured(t Type) bool {
	switch t.Kind().Provider {
	case NoProvider:
		return false
	case UsageProvider, PoolProvider: // the reward is the sum of the amounts of ranks, or computed from dollars
		return true
	default:
		return m.PaysPerValue(t) || len(m.Range) > 0
	}
}
