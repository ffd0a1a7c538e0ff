package websites_test

import (
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

const rolesPath = "/api/website_user_roles"

// change is an item of POST /api/website_user_roles.
func change(role, wallet string) apptest.Object {
	return apptest.Object{"roleType": role, "walletAddress": wallet}
}

func revoked(role, wallet string) apptest.Object {
	out := change(role, wallet)
	out["deletedAt"] = "2020-01-01T00:00:00.000Z"
	return out
}

func changes(list ...apptest.Object) apptest.Object {
	return apptest.Object{"websiteUserRoles": append([]apptest.Object{}, list...)}
}

func TestRolesAreGivenAndRevoked(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		const alice, bob = "0x00000000000000000000000000000000000a11ce", "bob"
		given := s.Post(rolesPath, changes(
			change("WEBSITE_ADMIN", "0x00000000000000000000000000000000000A11CE"),
			change("WEBSITE_VIEWER", bob),
			change("WEBSITE_ADMIN", bob),
		)).Data()
		if len(given) != 3 || given[0]["walletAddress"] != alice || given[1]["walletAddress"] != bob ||
			given[1]["roleType"] != "WEBSITE_VIEWER" ||
			given[1]["userId"] != given[2]["userId"] || given[1]["deletedAt"] != nil ||
			given[1]["websiteId"] != s.WebsiteID.String() || given[1]["organizationId"] != s.OrganizationID.String() {
			t.Fatalf("given: %v", given)
		}
		if again := s.Post(rolesPath, changes(change("WEBSITE_VIEWER", bob))).Data(); again[0]["id"] != given[1]["id"] {
			t.Errorf("given twice: %v and %v", given[1], again[0])
		}
		gone := s.Post(rolesPath, changes(revoked("WEBSITE_VIEWER", bob))).Data()[0]
		if gone["id"] != given[1]["id"] || !strings.HasPrefix(gone["deletedAt"].(string), "2026-01-14T12:00:00") {
			t.Errorf("revoked: %v", gone)
		}
		if again := s.Post(rolesPath, changes(revoked("WEBSITE_VIEWER", bob))).Data()[0]; again["deletedAt"] != gone["deletedAt"] {
			t.Errorf("revoked twice: %v", again)
		}
		granted := s.Post(rolesPath, changes(change("WEBSITE_VIEWER", bob))).Data()[0]
		if granted["id"] == gone["id"] || granted["deletedAt"] != nil {
			t.Errorf("given anew: %v", granted)
		}
		s.Post(rolesPath, changes(revoked("WEBSITE_VIEWER", bob))).OK()
		list := s.Call(s.ReadOnlyAPIKey, "GET", rolesPath, nil).Data()
		if len(list) != 2 || list[0]["id"] != given[2]["id"] || list[1]["id"] != given[0]["id"] {
			t.Errorf("listed: %v", list)
		}
		first := s.Get(rolesPath + "?limit=1")
		rest := s.Get(rolesPath + "?startingAfter=" + first.Data()[0]["id"].(string))
		if first.JSON()["hasNextPage"] != true || len(rest.Data()) != 1 || rest.Data()[0]["id"] != given[0]["id"] {
			t.Errorf("pages: %s, %s", first.Body, rest.Body)
		}
		if of := s.Get(rolesPath + "?userId=" + given[0]["userId"].(string)).Data(); len(of) != 1 {
			t.Errorf("of one user: %v", of)
		}
		if n := len(s.Get(rolesPath + "?userId=" + apptest.SecondUnknownID).Data()); n != 0 {
			t.Errorf("of nobody: %d", n)
		}
	})
}

func TestRolesChangeAllOrNone(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		const never = "API key is not allowed to perform this operation"
		rival := s.NewProgram("Rival")
		foreign := s.Call(rival.WebsiteAPIKey, "POST", rolesPath, changes(change("WEBSITE_ADMIN", "carol"))).Data()[0]
		s.Post(rolesPath, changes(change("WEBSITE_ADMIN", "dave"), revoked("WEBSITE_ADMIN", "carol"))).
			Refused(404, "Role not found")
		s.Post(rolesPath, changes(change("WEBSITE_ADMIN", "dave"), change("ORGANIZATION_API_KEY", "dave"))).Refused(403, never)
		s.Post(rolesPath, changes(revoked("ORGANIZATION_API_KEY", "dave"))).Refused(403, never)
		s.Post(rolesPath, changes()).Refused(400, "websiteUserRoles must have between 1 and 100 items")
		many := make([]apptest.Object, 101)
		for i := range many {
			many[i] = change("WEBSITE_ADMIN", "dave")
		}
		s.Post(rolesPath, changes(many...)).Refused(400, "websiteUserRoles must have between 1 and 100 items")
		s.Post(rolesPath, apptest.Object{}).Refused(400, "websiteUserRoles is required")
		s.Post(rolesPath, changes(apptest.Object{"walletAddress": "dave"})).
			Refused(400, "websiteUserRoles.0.roleType is required")
		s.Post(rolesPath, changes(change("KING", "dave"))).Refused(400, "websiteUserRoles.0.roleType must be one of: "+
			"WEBSITE_SUPER_ADMIN, WEBSITE_ADMIN, WEBSITE_MODERATOR, WEBSITE_DEVELOPER, WEBSITE_VIEWER, ORGANIZATION_API_KEY, "+
			"WEBSITE_API_KEY, WEBSITE_READ_ONLY_API_KEY, WEBSITE_CLIENT_API_KEY, STRATUS_API_KEY")
		s.Post(rolesPath, changes(change("WEBSITE_ADMIN", " "))).
			Refused(400, "websiteUserRoles.0.walletAddress is required")
		s.Get(rolesPath+"?startingAfter="+foreign["id"].(string)).Refused(400, "startingAfter not found")
		if list := s.Get(rolesPath).Data(); len(list) != 0 {
			t.Errorf("after refusals: %v", list)
		}
		if list := s.Get("/api/users?walletAddress=dave").Data(); len(list) != 0 {
			t.Errorf("a refused change made a user: %v", list)
		}
		given := s.Call(s.OrganizationAPIKey, "POST", rolesPath, changes(change("ORGANIZATION_API_KEY", "erin"))).Data()[0]
		if given["roleType"] != "ORGANIZATION_API_KEY" {
			t.Errorf("given: %v", given)
		}
	})
}
