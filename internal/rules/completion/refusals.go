package completion

import (
	"laurel"
	"laurel/internal/points/ledger"
)

// Other is the reason of refusals that no check of the decision makes.
const Other = "other"

// countRefusal counts a call that was refused. Calls with verifyOnly, calls of rules that do not exist, and calls that
// could not be decided at the moment are not counted.
func (w *completion) countRefusal(err error) {
	count := w.service.refusalCounter
	if err == nil || count == nil || w.In.VerifyOnly || w.Rule.ID.IsZero() || !w.Rule.DeletedAt.IsZero() {
		return
	}
	if laurel.IsRefusal(err) { // not a fault, nor too many at once
		count(w.Scope.At(w.Rule.WebsiteID), w.Rule.ID, w.refusalReason(err))
	}
}

// refusalReason names what refused the completion, as dry runs name their checks.
func (w *completion) refusalReason(err error) string {
	switch {
	case w.failedCheck != "":
		return w.failedCheck
	case w.checkOverrides() != nil:
		return "overrides"
	case laurel.CodeOf(err) == laurel.CodeOf(ledger.KeyConflict()) && err.Error() == ledger.KeyConflict().Error():
		return "idempotencyKey"
	}
	return Other
}
