package integrate

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/functions"
	"laurel.example/laurel/internal/webhooks"
)

// subscriptionForm is the data of the pages with the form of a subscription.
type subscriptionForm struct {
	web.Refusal
	form.Base
	subscriptionData
	Input  map[string]string
	Chosen []string             // tables
	Tables []webhooks.Table     // to choose from
	Offer  []functions.Function // to choose from
}

// Has reports whether a table is chosen.
func (f subscriptionForm) Has(t webhooks.Table) bool {
	return slices.Contains(f.Chosen, string(t.Name))
}

// subscriptionTable has the settings of a subscription. Its functions are one text of ids with spaces between them.
var subscriptionTable = form.NewTable[webhooks.Subscription, webhooks.Input](form.Fields(
	"name", "Name", "callbackUrl", "URL", "startsAt", "Starts", "endsAt", "Ends",
	"maxEventsPerDay", "Maximum events per day", "version", "Version", "functionIds", "Functions",
), form.ByHand("functionIds"))

// Runs reports whether a function is chosen.
func (f subscriptionForm) Runs(id laurel.ID) bool {
	return slices.Contains(strings.Fields(f.Input["functionIds"]), id.String())
}

// Others are the chosen functions that are not among those to choose from, such as deleted ones.
func (f subscriptionForm) Others() string {
	return strings.Join(slices.DeleteFunc(strings.Fields(f.Input["functionIds"]), func(id string) bool {
		return slices.ContainsFunc(f.Offer, func(o functions.Function) bool { return o.ID.String() == id })
	}), " ")
}

// offeredFunctions returns the newest functions of the website, as choices of a subscription.
func (c *call) offeredFunctions() ([]functions.Function, error) {
	list, err := c.Functions.List(c.Context(), c.Scope.At(c.Site.ID), nil, laurel.PageRequest{Limit: web.PageSize})
	return list.Data, err
}

// typedSubscription returns the posted values of the form by field. Functions may be ticked, or typed as ids; all their
// ids are in one field, with spaces between them.
func (c *call) typedSubscription() map[string]string {
	out := form.TypedOf(c.PostForm, append(subscriptionTable.Names(), "triggerId", "replayFrom")...)
	isSeparator := func(r rune) bool { return r == ',' || unicode.IsSpace(r) }
	ids := slices.Concat(c.PostForm["functions"], strings.FieldsFunc(out["functionIds"], isSeparator))
	out["functionIds"] = strings.Join(ids, " ")
	return out
}

// newSubscriptionPage shows the form of a new subscription, with the tables and functions to choose from.
func newSubscriptionPage(c *call) (web.View, error) {
	form := subscriptionForm{Tables: webhooks.Tables, Input: map[string]string{"version": webhooks.V2}}
	var err error
	if form.Offer, err = c.offeredFunctions(); err != nil {
		return web.View{}, err
	}
	return web.Show("subscription-new", "New subscription", form)
}

// createSubscription creates a subscription from the posted form. A refused form is shown again.
func createSubscription(c *call) (web.View, error) {
	tables := c.PostForm["tables"]
	in, err := c.subscriptionInput(nil)
	var faults laurel.Faults
	at := form.ReadTime(c.PostForm, &faults, "replayFrom")
	var made webhooks.Subscription
	if err = cmp.Or(err, faults.Err()); err == nil {
		source := webhooks.TableSource{Tables: tables}
		if trigger := c.PostFormValue("triggerId"); trigger != "" {
			source.TriggerID = &trigger
		}
		create := webhooks.CreateInput{Input: in, Platform: []webhooks.TableSource{source}}
		if at != nil {
			create.ReplayFrom = &laurel.Timestamp{Time: *at}
		}
		made, err = c.Webhooks.Create(c.Context(), c.Scope.At(c.Site.ID), create)
	}
	if err != nil {
		offer, readErr := c.offeredFunctions()
		if readErr != nil {
			return web.View{}, readErr
		}
		return c.ShowRefused(err, "subscription-new", "New subscription", func(refusal web.Refusal) any {
			refusal.Faults = faultsAtFormFields(refusal.Faults, refusal.Error)
			return subscriptionForm{
				Tables: webhooks.Tables, Input: c.typedSubscription(), Offer: offer, Chosen: tables, Refusal: refusal,
			}
		})
	}
	return c.Redirect(c.SitePath("subscriptions", made.ID, "verify"),
		"Subscription created. It now sends events. Add its signing key to your receiver.")
}

// faultsAtFormFields moves the service's faults to the fields of the form, one for each field. text is the message of
// the refusal: the service says there, not as a fault, that a function does not exist.
func faultsAtFormFields(faults map[string]string, text string) map[string]string {
	out := map[string]string{}
	for path, fault := range faults {
		name, _, _ := strings.Cut(path, ".")
		switch {
		case strings.HasSuffix(path, "triggerId"):
			name = "triggerId"
		case name == "platformSubscriptions":
			name = "tables"
		}
		if name == "tables" && strings.HasSuffix(path, ".tableNames") {
			fault = "Choose at least one"
		}
		out[name] = cmp.Or(out[name], fault)
	}
	if text == "Function not found" {
		out["functionIds"] = "There is no such function on this website"
	}
	return out
}

// subscriptionInput reads the posted form for the service. Values that the admin has not changed from saved, nil for a
// new subscription, are left out, as the form shows times without seconds, and ids in any order. Malformed values are
// returned as an error.
func (c *call) subscriptionInput(saved map[string]string) (webhooks.Input, error) {
	var faults laurel.Faults
	typed := c.typedSubscription()
	typed["callbackUrl"] = strings.TrimSpace(typed["callbackUrl"])
	in := subscriptionTable.Input(form.Changes{Saved: saved, Typed: typed, Faults: &faults})
	ids := strings.Fields(typed["functionIds"])
	if !sameIDs(ids, strings.Fields(saved["functionIds"])) {
		in.FunctionIDs = laurel.Some(ids)
	}
	return in, faults.Err()
}

// sameIDs reports whether two lists have the same ids, in any order.
func sameIDs(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// subscriptionForm returns the form of a subscription with its saved values and the functions to choose from.
func (c *call) subscriptionForm(s webhooks.Subscription) (subscriptionForm, error) {
	saved := subscriptionTable.Saved(s)
	saved["functionIds"] = strings.Join(s.FunctionIDs, " ")
	offer, err := c.offeredFunctions()
	return subscriptionForm{
		subscriptionData: c.subscriptionData(s, "settings"), Input: saved, Offer: offer, Base: form.BaseOf(saved),
	}, err
}

// subscriptionSettingsPage shows the form with the settings of a subscription.
func subscriptionSettingsPage(c *call) (web.View, error) {
	sub, err := c.getSubscription()
	if err != nil {
		return web.View{}, err
	}
	form, err := c.subscriptionForm(sub)
	if err != nil {
		return web.View{}, err
	}
	return web.Show("subscription-settings", "Settings for "+sub.Name, form)
}

// saveSubscription saves the settings of a subscription. If someone else has saved other values since the form was
// opened, nothing is written and the conflicts are shown. The order of functions makes no difference.
func saveSubscription(c *call) (web.View, error) {
	sub, err := c.getLiveSubscription()
	if err != nil {
		return web.View{}, err
	}
	data, err := c.subscriptionForm(sub)
	if err != nil {
		return web.View{}, err
	}
	saved, title := data.Input, "Settings for "+sub.Name
	data.Input = c.typedSubscription()
	if sameIDs(strings.Fields(saved["functionIds"]), strings.Fields(data.Input["functionIds"])) {
		data.Input["functionIds"] = saved["functionIds"]
	}
	if data.FindConflicts(c.PostForm, saved, data.Input, subscriptionTable.Fields) {
		return web.Refused("subscription-settings", title, data), nil
	}
	in, err := c.subscriptionInput(saved)
	if err == nil {
		_, err = c.Webhooks.Update(c.Context(), c.Scope.IfUnchanged(sub.ID, sub.UpdatedAt.Time), sub.ID, in)
	}
	if err != nil {
		return c.ShowRefused(err, "subscription-settings", title, func(refusal web.Refusal) any {
			data.Faults, data.Error = faultsAtFormFields(refusal.Faults, refusal.Error), refusal.Error
			return data
		})
	}
	return c.Redirect(c.SitePath("subscriptions", sub.ID, "settings"), "Changes saved.")
}
