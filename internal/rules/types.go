package rules

// Type is what a rule asks of a member (contract 6).
type Type string

// Types that have behaviour of their own here; all others are in typeFacts only.
const (
	TypeExternal Type = "external_rule"
	TypeCheckIn  Type = "check_in"
)

// typeFact is what contract 6 says of a type.
type typeFact struct {
	onCall    bool // I: a completion call
	scheduled bool // S: runs on a cadence
	eventFed  bool // E: fed by events
}

// typeFacts lists every rule type.
var typeFacts = map[Type]typeFact{
	"external_rule":               {onCall: true},
	"check_in":                    {onCall: true},
	"code_entry":                  {onCall: true},
	"text_input":                  {onCall: true},
	"link_click":                  {onCall: true},
	"quiz":                        {onCall: true},
	"poll":                        {onCall: true},
	"connect_wallet":              {onCall: true},
	"profile_completed":           {onCall: true},
	"create_partner_account":      {onCall: true},
	"referred_user":               {scheduled: true, eventFed: true},
	"points_airdrop":              {onCall: true, scheduled: true},
	"manual_upload":               {scheduled: true},
	"bonus":                       {onCall: true},
	"connected_email":             {onCall: true},
	"connected_phone":             {onCall: true},
	"connected_microblog":         {onCall: true},
	"connected_photo_platform":    {onCall: true},
	"connected_chat_server":       {onCall: true},
	"connected_messenger":         {onCall: true},
	"connected_short_video":       {onCall: true},
	"connected_video_platform":    {onCall: true},
	"connected_forum_platform":    {onCall: true},
	"connected_code_host":         {onCall: true},
	"connected_game_store":        {onCall: true},
	"connected_game_launcher":     {onCall: true},
	"microblog_follow":            {onCall: true, scheduled: true},
	"microblog_post":              {onCall: true},
	"microblog_post_hashtag":      {onCall: true, scheduled: true},
	"microblog_text_in_bio":       {onCall: true, scheduled: true},
	"microblog_text_in_name":      {onCall: true},
	"microblog_text_in_comment":   {onCall: true},
	"microblog_reaction":          {onCall: true},
	"microblog_like":              {onCall: true, scheduled: true},
	"microblog_comment":           {onCall: true, scheduled: true},
	"microblog_repost":            {onCall: true, scheduled: true},
	"microblog_followers":         {onCall: true, scheduled: true},
	"microblog_liked_by_project":  {scheduled: true},
	"post_impressions":            {onCall: true, scheduled: true},
	"photo_platform_post":         {onCall: true},
	"photo_platform_follow":       {onCall: true},
	"chat_server_member":          {onCall: true, scheduled: true},
	"chat_server_join":            {onCall: true},
	"chat_server_messages":        {onCall: true, scheduled: true, eventFed: true},
	"chat_server_role_grant":      {onCall: true},
	"messenger_join":              {onCall: true},
	"messenger_messages":          {onCall: true, scheduled: true, eventFed: true},
	"short_video_post":            {onCall: true},
	"short_video_follow":          {onCall: true},
	"video_platform_subscribe":    {onCall: true},
	"video_platform_comment":      {onCall: true},
	"forum_platform_comment":      {onCall: true},
	"code_host_repo_star":         {onCall: true},
	"code_host_repo_fork":         {onCall: true},
	"code_host_repo_collaborator": {onCall: true},
	"code_host_merge_request":     {onCall: true, scheduled: true},
	"game_store_wishlist":         {onCall: true},
	"shop_spend":                  {onCall: true, scheduled: true},
	"governance_vote":             {onCall: true, scheduled: true},
	"attendance_token_claim":      {onCall: true, scheduled: true},
	"token_hold":                  {onCall: true, scheduled: true},
	"token_hold_erc20":            {onCall: true, scheduled: true},
	"snapshot_hold":               {scheduled: true},
	"snapshot_full_set":           {scheduled: true},
	"minted_on":                   {scheduled: true},
	"bought_on":                   {scheduled: true},
	"sold_on":                     {scheduled: true},
	"bought_with_royalties":       {scheduled: true},
	"sold_with_royalties":         {scheduled: true},
	"listing":                     {scheduled: true},
	"lodging":                     {scheduled: true},
	"liquidity_amm_v2":            {scheduled: true},
	"liquidity_amm_v3":            {scheduled: true},
	"swap":                        {onCall: true},
	"smart_contract_event":        {eventFed: true},
	"stratus_function":            {onCall: true, scheduled: true, eventFed: true},
	"dapps_by_gas_spent":          {scheduled: true},
	"dapps_by_active_users":       {scheduled: true},
	"dapps_by_new_users":          {scheduled: true},
	"dapps_by_transaction_count":  {scheduled: true},
	"dapps_by_user_retention":     {scheduled: true},
}
