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
func (c *call) newFormID() string {
	c.hasFormID = true
	return c.d.NewID().String()
}

// beside is the address of the page that held the form, as another one: browsers forget the page that they keep under
// an address when a form is posted there, or when the page comes anew. So forms post to an address with "?form", too.
func (c *call) beside(parts ...any) string {
	if _, err := laurel.ParseID(c.PostFormValue(formIDField)); err != nil {
		return c.at(parts...)
	}
	return c.at(append(parts, "?after="+c.PostFormValue(formIDField))...)
}

// errHalted is what became of a page that panicked.
var errHalted = errors.New("dashboard: the page did not end")

// once makes an action count once for each form. A form that is sent twice makes one thing, on every node, and the
// second answer leads where the first one led. The key is kept where the API keeps its Idempotency-Key: services claim
// it in the transaction that writes. A form without the field counts each time.
func once(page func(c *call) (view, error)) func(c *call) (view, error) {
	return func(c *call) (view, error) {
		key := c.PostFormValue(formIDField)
		if _, err := laurel.ParseID(key); err != nil {
			return page(c)
		}
		hash := sha256.Sum256([]byte(c.PostForm.Encode()))
		begun, before, err := c.d.Tenancy.BeginRequest(c.Context(), tenancy.RequestInput{
			KeyID: c.actor(), Key: "dashboard:" + key, Path: "POST " + c.URL.Path, Hash: hex.EncodeToString(hash[:]),
		})
		if laurel.CodeOf(err) == laurel.Refused {
			return view{}, laurel.Errorf(laurel.Refused, "This form was sent before with other values. Open it again.")
		}
		if err != nil {
			return view{}, err
		}
		if before == nil {
			c.scope.Request = begun.Key()
			var v view
			if v, before, err = c.begun(begun, page); before == nil {
				return v, err
			}
		}
		return c.carriedOut(before.Body)
	}
}

// actor is for whom a form counts once: the admin as a user of the organization, or as a person where it is of none.
func (c *call) actor() laurel.ID {
	if c.scope.ActorID.IsZero() {
		return c.admin.ID
	}
	return c.scope.ActorID
}

// begun runs the page under the form's key and keeps where it led. before is where the form led on another node, which
// was faster.
func (c *call) begun(
	form *tenancy.Request,
	page func(c *call) (view, error),
) (v view, before *tenancy.Replay, err error) {
	status, cause := http.StatusInternalServerError, errHalted
	defer func() {
		var fault error
		if before, fault = form.Finish(c.Context(), status, v.goTo, cause); fault != nil {
			err = fault
		}
	}()
	v, err = page(c)
	cause = err
	if err == nil {
		status = http.StatusOK
		if v.goTo == "" && !v.made { // a form that is shown again has made nothing
			status = http.StatusBadRequest
		}
	}
	return v, nil, err
}

// carriedOut leads to what a form made before; where that is not known, to the list that the form adds to.
func (c *call) carriedOut(address string) (view, error) {
	said := "The form was sent twice. It was carried out once."
	if !strings.HasPrefix(address, c.d.base+"/") {
		address = c.d.Prefix + c.URL.Path
		said += " What it made was shown once: if you did not see it, take it back and make another."
	}
	return c.redirect(address, said)
}
