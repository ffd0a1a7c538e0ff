package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/tenancy"
)

// formIDField is the hidden field with the id of a form that creates something. A form with the same id counts once.
const formIDField = "once"

// FormID returns the value of that field: the one that was posted, if the form is shown again, or a new id.
func (s Screen) FormID() string {
	if _, err := laurel.ParseID(s.PostFormValue(formIDField)); err == nil {
		return s.PostFormValue(formIDField)
	}
	return s.NewFormID()
}

// NewFormID returns a new form id, and lets browsers cache the page: Back then shows the same form with the same id.
func (c *Call) NewFormID() string {
	c.hasFormID = true
	return c.NewID().String()
}

// PathAfterPost returns the path of the page that held the posted form. If the form had an id, the path has a query
// that makes it a new address: browsers drop the cached page of an address that a form is posted to, and with it the
// form's id. Forms post to an address with "?form" for the same reason.
func (c *Call) PathAfterPost(parts ...any) string {
	if _, err := laurel.ParseID(c.PostFormValue(formIDField)); err != nil {
		return c.SitePath(parts...)
	}
	return c.SitePath(append(parts, "?after="+c.PostFormValue(formIDField))...)
}

// errPanicked is stored as the result of a handler that panicked.
var errPanicked = errors.New("dashboard: the page did not end")

// Idempotent wraps a handler so that a form takes effect once. A form that is sent twice creates one record, on
// whichever nodes it arrives, and the second response redirects to where the first one did. The form's id is stored
// like an Idempotency-Key of the API: services claim it in the transaction that writes. A form without an id takes
// effect each time. The same id with other values is refused.
func Idempotent[C caller](run func(C) (View, error)) func(C) (View, error) {
	return func(c C) (View, error) { return c.base().runForm(func() (View, error) { return run(c) }) }
}

// caller is a Call, or a call of a room, which embeds one.
type caller interface{ base() *Call }

func (c *Call) base() *Call { return c }

// runForm runs a handler unless the posted form has already taken effect.
func (c *Call) runForm(run func() (View, error)) (View, error) {
	key := c.PostFormValue(formIDField)
	if _, err := laurel.ParseID(key); err != nil {
		return run()
	}
	hash := sha256.Sum256([]byte(c.PostForm.Encode()))
	form, earlier, err := c.Tenancy.BeginRequest(c.Context(), tenancy.RequestInput{
		KeyID: c.keyOwner(), Key: "dashboard:" + key, Path: "POST " + c.URL.Path, Hash: hex.EncodeToString(hash[:]),
	})
	if laurel.CodeOf(err) == laurel.Refused {
		return View{}, laurel.Errorf(laurel.Refused, "This form was already submitted with other values. Reload the page and try again.")
	}
	if err != nil {
		return View{}, err
	}
	if earlier == nil {
		c.Scope.Request = form.Key()
		var response View
		if response, earlier, err = c.runOnce(form, run); earlier == nil {
			return response, err
		}
	}
	return c.redirectToResult(earlier.Body)
}

// keyOwner returns the id that owns the keys of forms: that of the admin as a user of the organization, or the admin's
// own on pages outside of one.
func (c *Call) keyOwner() laurel.ID {
	if c.Scope.ActorID.IsZero() {
		return c.Admin.ID
	}
	return c.Scope.ActorID
}

// runOnce runs a handler under the form's key and stores where it redirected to, or that it failed: it returned an
// error, panicked, or showed the form again. A form that failed can be sent again. earlier is set if another node
// finished the same form first; its result counts then, and v is to be ignored.
func (c *Call) runOnce(
	form *tenancy.Request,
	run func() (View, error),
) (v View, earlier *tenancy.Replay, err error) {
	status, failure := http.StatusInternalServerError, errPanicked
	defer func() {
		var finishErr error
		if earlier, finishErr = form.Finish(c.Context(), status, v.RedirectTo, failure); finishErr != nil {
			err = finishErr
		}
	}()
	v, err = run()
	failure = err
	if err == nil {
		status = http.StatusOK
		if v.RedirectTo == "" && !v.FormDone { // a form that is shown again has made nothing
			status = http.StatusBadRequest
		}
	}
	return v, nil, err
}

// redirectToResult redirects to address, where the first posting of the form led. If that posting led nowhere, as its
// result was a page that showed a secret once, it redirects to the address of the form, with a notice that the secret
// cannot be shown again.
func (c *Call) redirectToResult(address string) (View, error) {
	notice := "The form was submitted twice but applied only once."
	if !strings.HasPrefix(address, c.Base+"/") {
		address = c.Prefix + c.URL.Path
		notice += " Its result was shown only once: if you missed it, revoke it and create another one."
	}
	return c.Redirect(address, notice)
}
