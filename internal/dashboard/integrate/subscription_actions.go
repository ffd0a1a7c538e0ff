package integrate

import (
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/webhooks"
)

// subscriptionData is the data that all pages of a subscription share.
type subscriptionData struct {
	Sub     webhooks.Subscription
	Tab     string
	Address string // of the callback, as this admin may see it
}

// subscriptionData returns the data that all pages of a subscription share. tab names the open tab; empty if none is.
func (c *call) subscriptionData(s webhooks.Subscription, tab string) subscriptionData {
	return subscriptionData{s, tab, c.visibleCallback(s.CallbackURL)}
}

// subscriptionConfirmation is the data of the pages that confirm before something is done with a subscription.
type subscriptionConfirmation struct {
	web.Refusal
	subscriptionData
	Input map[string]string
	Types []string // of events
	Key   string   // the signing key, after the password
}

// confirmationPage returns a handler that shows a page on which the admin confirms an action on a subscription. The
// title is followed by the subscription's name. A deleted subscription is not found.
func confirmationPage(page, title string) func(*call) (web.View, error) {
	return func(c *call) (web.View, error) {
		sub, err := c.getLiveSubscription()
		if err != nil {
			return web.View{}, err
		}
		return web.Show(page, title+" "+sub.Name, c.subscriptionConfirmation(sub))
	}
}

// subscriptionConfirmation returns the data of a page that confirms something about a subscription, with its event
// types, sorted and each once.
func (c *call) subscriptionConfirmation(s webhooks.Subscription) subscriptionConfirmation {
	types := s.Types()
	slices.Sort(types)
	return subscriptionConfirmation{
		subscriptionData: c.subscriptionData(s, ""), Types: slices.Compact(types), Input: map[string]string{},
	}
}

var (
	confirmShowSigningKey     = confirmationPage("subscription-key", "Signing key of")
	confirmRotateSigningKey   = confirmationPage("subscription-rotate", "Rotate the key of")
	confirmSendTest           = confirmationPage("subscription-test", "Test")
	confirmDeleteSubscription = confirmationPage("subscription-delete", "Delete")
)

// verifyPage shows how a receiver verifies the signatures of a subscription.
func verifyPage(c *call) (web.View, error) {
	sub, err := c.getSubscription()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("subscription-verify", "Verify "+sub.Name, c.subscriptionData(sub, "verify"))
}

// showSigningKey shows the signing key of a subscription after the admin has confirmed to be there. A wrong password
// shows the form again.
func showSigningKey(c *call) (web.View, error) {
	sub, err := c.getLiveSubscription()
	if err != nil {
		return web.View{}, err
	}
	data := c.subscriptionConfirmation(sub)
	err = c.Confirm()
	if err == nil {
		data.Key, err = c.Webhooks.SigningKey(c.Context(), c.Scope, sub.ID)
	}
	title := "Signing key of " + sub.Name
	if err != nil {
		return c.ShowRefused(err, "subscription-key", title, func(r web.Refusal) any { data.Refusal = r; return data })
	}
	return web.View{Template: "subscription-key", Title: title, Data: data, FormDone: true}, nil
}

// rotateSigningKey gives a subscription a new signing key. Its notice says whether the old key stays valid for a while.
func rotateSigningKey(c *call) (web.View, error) {
	sub, err := c.getLiveSubscription()
	if err == nil {
		_, err = c.Webhooks.Rotate(c.Context(), c.Scope, sub.ID)
	}
	if err != nil {
		return web.View{}, err
	}
	notice := "Signing key rotated. The old key stays valid for 24 hours."
	if sub.Version == webhooks.V1 {
		notice = "Signing key rotated. Laurel now signs with the new key."
	}
	return c.Redirect(c.SitePath("subscriptions", sub.ID, "verify"), notice)
}

// enableSubscription enables a disabled subscription. The events that were held meanwhile are delivered if the form
// says so, and dropped otherwise.
func enableSubscription(c *call) (web.View, error) {
	sub, err := c.getLiveSubscription()
	if err != nil {
		return web.View{}, err
	}
	deliversHeld := c.PostFormValue("replay") == "yes"
	if _, err := c.Webhooks.Enable(c.Context(), c.Scope, sub.ID, deliversHeld); err != nil {
		return web.View{}, err
	}
	notice := "Subscription enabled. Held events were dropped."
	if deliversHeld {
		notice = "Subscription enabled. Held events are being sent."
	}
	return c.Redirect(c.SitePath("subscriptions", sub.ID), notice)
}

// sendTest creates a test event of a subscription and leads to its page, which lists the attempts to deliver it.
func sendTest(c *call) (web.View, error) {
	sub, err := c.getLiveSubscription()
	if err != nil {
		return web.View{}, err
	}
	event, err := c.Webhooks.Test(c.Context(), c.Scope, sub.ID, c.PostFormValue("type"))
	if err != nil {
		return c.ShowRefused(err, "subscription-test", "Test "+sub.Name, func(refusal web.Refusal) any {
			data := c.subscriptionConfirmation(sub)
			data.Input, data.Refusal = form.TypedOf(c.PostForm, "type"), refusal
			return data
		})
	}
	return c.Redirect(c.SitePath("subscriptions", sub.ID, "events", event.ID), "Test event created. Its delivery attempts are listed here.")
}

// deleteSubscription deletes a subscription after its name was typed. Another name shows the form again.
func deleteSubscription(c *call) (web.View, error) {
	sub, err := c.getLiveSubscription()
	if err != nil {
		return web.View{}, err
	}
	var faults laurel.Faults
	if c.PostFormValue("name") != sub.Name {
		faults.Add("name", "must be %s, the name of the subscription", sub.Name)
	}
	if err = faults.Err(); err == nil {
		_, err = c.Webhooks.Delete(c.Context(), c.Scope, sub.ID)
	}
	if err != nil {
		return c.ShowRefused(err, "subscription-delete", "Delete "+sub.Name, func(refusal web.Refusal) any {
			data := c.subscriptionConfirmation(sub)
			data.Input, data.Refusal = form.TypedOf(c.PostForm, "name"), refusal
			return data
		})
	}
	return c.Redirect(c.SitePath("subscriptions"), sub.Name+" deleted. Laurel no longer sends its events.")
}

// lastCall returns when the callback of a subscription was called last; the zero time if never.
func (c *call) lastCall(s webhooks.Subscription) (time.Time, error) {
	last, err := c.Webhooks.LastAttempts(c.Context(), c.Scope, []laurel.ID{s.ID})
	return last[s.ID], err
}
