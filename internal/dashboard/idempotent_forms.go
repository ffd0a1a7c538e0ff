package dashboard

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"

	"laurel"
	"laurel/internal/tenancy"
)

// formIDField is the field of a form that makes something: an id of its own, by which the form counts once.
const formIDField = "once"

// FormID is the value of that field: what the refused form had, or a new id.
func (s screen) FormID() string {
	if _, err := laurel.ParseID(s.PostFormValue(formIDField)); err == nil {
		return s.PostFormValue(formIDField)
	}
	return s.newFormID()
}

// newFormID returns a new id by which a form counts once. Browsers keep the page that it stands on, so that the form of
// Back is the same form.
func (c *request) newFormID() string {
	c.hasFormID = true
	return c.d.NewID().String()
}

// pathAfterPost is the address of the page that held the form, as another one: browsers forget the page that they keep
// under an address when a form is posted there, or when the page comes anew. So forms post to an address with "?form",
// too.
func (c *request) pathAfterPost(parts ...any) string {
	if _, err := laurel.ParseID(c.PostFormValue(formIDField)); err != nil {
		return c.sitePath(parts...)
	}
	return c.sitePath(append(parts, "?after="+c.PostFormValue(formIDField))...)
}

// errPanicked is what became of a page that panicked.
var errPanicked = errors.New("dashboard: the page did not end")

// idempotent makes an action count once for each form. A form that is sent twice makes one thing, on every node, and
// the second answer leads where the first one led. The key is kept where the API keeps its Idempotency-Key: services
// claim it in the transaction that writes. A form without the field counts each time.
func idempotent(page func(c *request) (view, error)) func(c *request) (view, error) {
	return func(c *request) (view, error) {
		key := c.PostFormValue(formIDField)
		if _, err := laurel.ParseID(key); err != nil {
			return page(c)
		}
		hash := sha256.Sum256([]byte(c.PostForm.Encode()))
		started, earlier, err := c.d.Tenancy.BeginRequest(c.Context(), tenancy.RequestInput{
			KeyID: c.keyOwner(), Key: "dashboard:" + key, Path: "POST " + c.URL.Path, Hash: hex.EncodeToString(hash[:]),
		})
		if laurel.CodeOf(err) == laurel.Refused {
			return view{}, laurel.Errorf(laurel.Refused, "This form was already submitted with other values. Reload the page and try again.")
		}
		if err != nil {
			return view{}, err
		}
		if earlier == nil {
			c.scope.Request = started.Key()
			var v view
			if v, earlier, err = c.runOnce(started, page); earlier == nil {
				return v, err
			}
		}
		return c.redirectToResult(earlier.Body)
	}
}

// keyOwner is for whom a form counts once: the admin as a user of the organization, or as a person where it is of none.
func (c *request) keyOwner() laurel.ID {
	if c.scope.ActorID.IsZero() {
		return c.admin.ID
	}
	return c.scope.ActorID
}

// runOnce runs the page under the form's key and keeps where it led. before is where the form led on another node,
// which was faster.
func (c *request) runOnce(
	form *tenancy.Request,
	page func(c *request) (view, error),
) (v view, earlier *tenancy.Replay, err error) {
	status, cause := http.StatusInternalServerError, errPanicked
	defer func() {
		var fault error
		if earlier, fault = form.Finish(c.Context(), status, v.redirectTo, cause); fault != nil {
			err = fault
		}
	}()
	v, err = page(c)
	cause = err
	if err == nil {
		status = http.StatusOK
		if v.redirectTo == "" && !v.formDone { // a form that is shown again has made nothing
			status = http.StatusBadRequest
		}
	}
	return v, nil, err
}

// redirectToResult leads to what a form made before; where that is not known, to the list that the form adds to.
func (c *request) redirectToResult(address string) (view, error) {
	notice := "The form was submitted twice but applied only once."
	if !strings.HasPrefix(address, c.d.base+"/") {
		address = c.d.Prefix + c.URL.Path
		notice += " Its result was shown only once: if you missed it, revoke it and create another one."
	}
	return c.redirect(address, notice)
}
