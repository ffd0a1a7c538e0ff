package completion

import (
	"laurel"
	"laurel/internal/points/ledger"
)

// Other is the reason of refusals that none of the decision's checks makes.
const Other = "other"

// countRefusal counts a refused call. It leaves out calls with verifyOnly, calls for rules that do not exist, and
// errors that are no refusal.
func (w *completion) countRefusal(err error) {
	count := w.service.refusalCounter
	if err == nil || count == nil || w.In.VerifyOnly || w.Rule.ID.IsZero() || !w.Rule.DeletedAt.IsZero() {
		return
	}
	if laurel.IsRefusal(err) { // neither a fault nor a rate limit
		count(w.Scope.At(w.Rule.WebsiteID), w.Rule.ID, w.refusalReason(err))
	}
}

// refusalReason returns the name of the check that refused the completion. The names are those that dry runs show; if
// no check of the decision refused it, it returns Other.
func (w *completion) refusalReason(err error) string {
	switch {
	case w.failedCheck != "":
		return w.failedCheck
	case w.checkOverrides() != nil:
		return "overrides"
	case laurel.CodeOf(err) == laurel.CodeOf(ledger.ErrKeyConflict()) && err.Error() == ledger.ErrKeyConflict().Error():
		return "idempotencyKey"
	}
	return Other
}
