package identity

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Mates opens mates to the tests of plans.
var Mates = whereInGroups

// MemberAndMates opens whereMemberOrGroups to the tests of plans.
func MemberAndMates(e store.Engine, website, user laurel.ID, groups []laurel.ID) store.Where {
	return whereMemberOrGroups(e, memberKey{website, user}, groups)
}
