package progress

// ClaimsOf is the statement by which the claims of a subject are found.
const ClaimsOf = fromPaidWindows

// The conditions of statements whose plans are tested.
var (
	RememberedOf = subjectsWhere
	Unclaimed    = unclaimedWhere
)
