package decision

// The refusals of a completion (contract 5.1), verbatim.
const (
	MsgRuleID           = "loyaltyRuleId must be a uuid"
	MsgInvalidRequest   = "Invalid request"
	MsgAmountOverride   = "Only external rules can have amount override"
	MsgKeyOverride      = "Only external rules can have idempotency key override"
	MsgSkipNeedsKey     = "Api key is required to skip chain or required check"
	MsgCurrencyNotFound = "Loyalty currency not found"
	MsgNotSetUp         = "Rule is not setup"
	MsgNotCompleted     = "Quest not completed"
	MsgNotStarted       = "Loyalty rule has not started yet"
	MsgNotStartedNamed  = "Loyalty rule %s has not started yet"
	MsgExpired          = "Loyalty rule has expired"
	MsgBlocked          = "Access restricted. Your account is blocked."
	MsgNewUsersOnly     = "this quest is only available for new users"
	MsgRewarded         = "You have already been rewarded"
	MsgCheckInZero      = "Check-in amount rule cannot be completed when amount is 0"
	MsgNotAchieved      = "Quest not achieved, please try again."
	MsgRequired         = "Please complete other required rules to unlock this quest."
	MsgCode             = "The code you entered could not be verified"
	MsgVerification     = "Invalid Verification, try again"
	MsgClickWaiting     = "Link already clicked, your reward is being processed"
	MsgQueued           = "Completion request added to queue"
	MsgClicked          = "Link click being verified, come back later to check the status"
	MsgCompleted        = "Completed"
	MsgFault            = "The reward could not be given, please try again"
)
