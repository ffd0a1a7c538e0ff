package web

import (
	"context"
	"log/slog"
	"strings"

	"laurel.example/laurel"
)

// HasNoEffect reports whether an error with this code means that nothing was changed. Other errors leave that open.
func HasNoEffect(code laurel.Code) bool {
	switch code {
	case laurel.Invalid, laurel.Refused, laurel.NotFound, laurel.Forbidden, laurel.RateLimited:
		return true
	default:
		return false
	}
}

// isRedraw reports whether a form was posted only to add or remove a row, and is shown again without being saved.
func (c *Call) isRedraw(v View) bool {
	return v.RedirectTo == "" && !v.FormDone && (c.PostForm.Has("add") || c.PostForm.Has("drop"))
}

// runRecorded runs a handler. If the route is an action with a text for the activity log, that records who did it: the
// record is written before the handler runs, so that nothing changes unrecorded, and completed with the outcome
// afterwards. If an error or the view (OutcomeUnknown) leaves open whether something was changed, the record stays
// without an outcome.
func (c *Call) runRecorded(r Route) (View, error) {
	if r.Activity == "" {
		return c.run(r.Page)
	}
	subject := strings.TrimPrefix(c.URL.Path, RootPath+"/"+c.Site.ID.String())
	id, err := c.Admins.BeginActivity(c.Context(), c.Scope, c.Admin.ID, r.Activity, subject)
	if err != nil {
		return View{}, err
	}
	v, err := c.run(r.Page)
	done := err == nil && v.Status < 400 && !c.isRedraw(v)
	if err != nil && !HasNoEffect(laurel.CodeOf(err)) {
		return v, err // it is unknown what was changed: the record stays without an outcome
	}
	if v.OutcomeUnknown {
		return v, nil
	}
	ending := context.WithoutCancel(c.Context()) // even if the browser has disconnected, as the change is made
	if fault := c.Admins.EndActivity(ending, id, done); fault != nil {
		c.Logger.Error("an act could not be ended", slog.String("act", id.String()), slog.Any("error", fault))
	}
	return v, err
}
