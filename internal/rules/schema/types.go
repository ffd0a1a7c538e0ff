package schema

import "slices"

// Type is what a rule asks of a member (contract 6).
type Type string

// Types that have behaviour of their own here; all others are in typeFacts only.
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
)

// Microblog is the platform id of the platform whose follower counts and marks rules ask for.
const Microblog = "microblog"

// TypeMicroblogLike is taken on trust, of members with an account.
const TypeMicroblogLike Type = "microblog_like"

// Platforms are the platform ids of the types that ask for a connected account (contract 6).
var Platforms = map[Type]string{
	TypeConnectedMicroblog:     Microblog,
	TypeMicroblogLike:          Microblog, // the like itself is taken on trust
	"connected_photo_platform": "photo_platform",
	"connected_chat_server":    "chat_server",
	"connected_messenger":      "messenger",
	"connected_short_video":    "short_video",
	"connected_video_platform": "video_platform",
	"connected_forum_platform": "forum_platform",
	"connected_code_host":      "code_host",
	"connected_game_store":     "game_store",
	"connected_game_launcher":  "game_launcher",
}

// Types that pay what stands on their list (contract 5.13).
const (
	TypeAirdrop Type = "points_airdrop"
	TypeUpload  Type = "manual_upload"
)

// Types whose members a provider answers for (contract 6).
const (
	TypePartnerAccount  Type = "create_partner_account"
	TypeShopSpend       Type = "shop_spend"
	TypeAttendanceToken Type = "attendance_token_claim"
	TypeGovernanceVote  Type = "governance_vote"
	TypeListing         Type = "listing"
	TypeSwap            Type = "swap"
	TypeFunction        Type = "stratus_function"
)

// Driver is who reports whether a member has earned a rule, where the database does not know.
type Driver string

// The drivers.
const (
	NoDriver Driver = ""
	Partner  Driver = "partner"  // whom the operator names
	Function Driver = "function" // of the rule
)

// Driver returns whom completions of the type ask.
func (t Type) Driver() Driver {
	switch t {
	case TypePartnerAccount, TypeShopSpend, TypeAttendanceToken, TypeGovernanceVote, TypeListing, TypeSwap:
		return Partner
	case TypeFunction:
		return Function
	}
	return NoDriver
}

// PerValue reports whether a rule of the type pays its amount for each unit of what was measured (contract 5.4, item
// 2).
func (m Meta) PerValue(t Type) bool { return t == TypeShopSpend && m.RewardPerValue }

// Measured reports whether what a rule of the type pays depends on a value that a provider measures.
func (m Meta) Measured(t Type) bool {
	return t.Driver() != NoDriver && (m.PerValue(t) || len(m.Range) > 0)
}

// Fact is what contract 6 says of a type.
type Fact struct {
	OnCall    bool // I: a completion call
	Scheduled bool // S: runs on a cadence
	EventFed  bool // E: fed by events
}

// typeFacts lists every rule type.
var typeFacts = map[Type]Fact{
	"external_rule":               {OnCall: true},
	"check_in":                    {OnCall: true},
	"code_entry":                  {OnCall: true},
	"text_input":                  {OnCall: true},
	"link_click":                  {OnCall: true},
	"quiz":                        {OnCall: true},
	"poll":                        {OnCall: true},
	"connect_wallet":              {OnCall: true},
	"profile_completed":           {OnCall: true},
	"create_partner_account":      {OnCall: true},
	"referred_user":               {Scheduled: true, EventFed: true},
	"points_airdrop":              {OnCall: true, Scheduled: true},
	"manual_upload":               {Scheduled: true},
	"bonus":                       {OnCall: true},
	"connected_email":             {OnCall: true},
	"connected_phone":             {OnCall: true},
	"connected_microblog":         {OnCall: true},
	"connected_photo_platform":    {OnCall: true},
	"connected_chat_server":       {OnCall: true},
	"connected_messenger":         {OnCall: true},
	"connected_short_video":       {OnCall: true},
	"connected_video_platform":    {OnCall: true},
	"connected_forum_platform":    {OnCall: true},
	"connected_code_host":         {OnCall: true},
	"connected_game_store":        {OnCall: true},
	"connected_game_launcher":     {OnCall: true},
	"microblog_follow":            {OnCall: true, Scheduled: true},
	"microblog_post":              {OnCall: true},
	"microblog_post_hashtag":      {OnCall: true, Scheduled: true},
	"microblog_text_in_bio":       {OnCall: true, Scheduled: true},
	"microblog_text_in_name":      {OnCall: true},
	"microblog_text_in_comment":   {OnCall: true},
	"microblog_reaction":          {OnCall: true},
	"microblog_like":              {OnCall: true, Scheduled: true},
	"microblog_comment":           {OnCall: true, Scheduled: true},
	"microblog_repost":            {OnCall: true, Scheduled: true},
	"microblog_followers":         {OnCall: true, Scheduled: true},
	"microblog_liked_by_project":  {Scheduled: true},
	"post_impressions":            {OnCall: true, Scheduled: true},
	"photo_platform_post":         {OnCall: true},
	"photo_platform_follow":       {OnCall: true},
	"chat_server_member":          {OnCall: true, Scheduled: true},
	"chat_server_join":            {OnCall: true},
	"chat_server_messages":        {OnCall: true, Scheduled: true, EventFed: true},
	"chat_server_role_grant":      {OnCall: true},
	"messenger_join":              {OnCall: true},
	"messenger_messages":          {OnCall: true, Scheduled: true, EventFed: true},
	"short_video_post":            {OnCall: true},
	"short_video_follow":          {OnCall: true},
	"video_platform_subscribe":    {OnCall: true},
	"video_platform_comment":      {OnCall: true},
	"forum_platform_comment":      {OnCall: true},
	"code_host_repo_star":         {OnCall: true},
	"code_host_repo_fork":         {OnCall: true},
	"code_host_repo_collaborator": {OnCall: true},
	"code_host_merge_request":     {OnCall: true, Scheduled: true},
	"game_store_wishlist":         {OnCall: true},
	"shop_spend":                  {OnCall: true, Scheduled: true},
	"governance_vote":             {OnCall: true, Scheduled: true},
	"attendance_token_claim":      {OnCall: true, Scheduled: true},
	"token_hold":                  {OnCall: true, Scheduled: true},
	"token_hold_erc20":            {OnCall: true, Scheduled: true},
	"snapshot_hold":               {Scheduled: true},
	"snapshot_full_set":           {Scheduled: true},
	"minted_on":                   {Scheduled: true},
	"bought_on":                   {Scheduled: true},
	"sold_on":                     {Scheduled: true},
	"bought_with_royalties":       {Scheduled: true},
	"sold_with_royalties":         {Scheduled: true},
	"listing":                     {Scheduled: true},
	"lodging":                     {Scheduled: true},
	"liquidity_amm_v2":            {Scheduled: true},
	"liquidity_amm_v3":            {Scheduled: true},
	"swap":                        {OnCall: true},
	"smart_contract_event":        {EventFed: true},
	"stratus_function":            {OnCall: true, Scheduled: true, EventFed: true},
	"dapps_by_gas_spent":          {Scheduled: true},
	"dapps_by_active_users":       {Scheduled: true},
	"dapps_by_new_users":          {Scheduled: true},
	"dapps_by_transaction_count":  {Scheduled: true},
	"dapps_by_user_retention":     {Scheduled: true},
}

// Fact returns what is known of the type; the zero Fact of an unknown one.
func (t Type) Fact() Fact { return typeFacts[t] }

// TypeNames lists every rule type.
func TypeNames() []string {
	names := make([]string, 0, len(typeFacts))
	for t := range typeFacts {
		names = append(names, string(t))
	}
	slices.Sort(names)
	return names
}
