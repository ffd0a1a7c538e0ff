package dashboard_test

import (
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// Things that are not there are said beside the field that names them, wherever the form is sent.
func TestWhatARuleNamesInVainIsSaidBesideItsField(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		rule := s.Rule("stratus_function", object{"name": "Decided"})
		path := b.Site("/rules/" + rule)
		unknown := with(formOn(b.Get(path)), "functionId", apptest.SecondUnknownID)
		const label, faultAtField = "Function: Function not found", `id="f-functionId-e"`
		b.Post(path, unknown...).Shows(400, label, faultAtField)
		b.Post(path+"/try", unknown...).Shows(400, "Function not found")
		check := s.Rule("check_in", nil)
		path = b.Site("/rules/" + check)
		b.Post(path, with(formOn(b.Get(path)), "metadata.autoCheckInRuleIds", apptest.SecondUnknownID)...).
			Shows(400, "Check in by completing these rules: Loyalty rule not found", `id="f-metadata.autoCheckInRuleIds-e"`)
	})
}
