package dashboard_test

import (
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestAMemberShowsItsWalletsDevicesAndAttributes(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		maren := s.User(apptest.Alice, apptest.Object{"displayName": "Maren"})
		second := s.Post("/api/users/connect", apptest.Object{
			"walletAddress": apptest.Bob, "walletType": "evm", "userId": maren,
			"verificationData": apptest.Object{"verifiedLocally": true},
		}).OK()["id"].(string)
		attribute := s.Post("/api/website_user_attributes", apptest.Object{"data": []apptest.Object{{"label": "Shirt size"}}}).Data()[0]
		s.Post("/api/website_user_attributes/values", apptest.Object{"data": []apptest.Object{
			{"userId": maren, "websiteUserAttributeId": attribute["id"], "value": "XXL"},
		}})
		s.Post("/api/users/devices", apptest.Object{"userId": maren, "ipAddress": "192.0.2.77", "deviceIdentifier": "A phone"}).OK()
		delegation := s.Post("/api/users/delegations", apptest.Object{"userId": maren, "delegatorWalletAddress": apptest.Wallet(9)}).
			OK()["id"].(string)
		viewer, b := s.SignInAdmin(tenancy.RoleViewer), s.SignInAdmin(tenancy.RoleModerator)
		page := b.Site("/members/" + maren)
		b.Get(page).Shows(200, "Wallets", apptest.Bob, "Signed", "Delegations", apptest.Wallet(9), "192.0.2.77", "A phone",
			"Shirt size", "XXL", "/members/"+second+"/unlink")
		viewer.Get(page).Shows(200, "Shirt size", apptest.Bob).Hides("192.0.2.77", "/unlink", "/delegations/")
		for _, path := range []string{"/unlink", "/delegations/" + delegation + "/delete"} {
			viewer.Get(page + path).Shows(403)
			viewer.Post(page + path).Shows(403)
		}
		b.Get(page+"/delegations/"+delegation+"/delete").Shows(200, "Delete this delegation?", apptest.Wallet(9))
		b.Get(b.Site("/members/"+second+"/delegations/"+delegation+"/delete")).Shows(404, "Delegation not found")
		b.Post(page+"/delegations/"+delegation+"/delete").FollowsTo(page).Shows(200, "Delegation deleted").Hides(apptest.Wallet(9))
		b.Get(b.Site("/members/"+second+"/unlink")).Shows(200, "Unlink this wallet?")
		b.Post(b.Site("/members/"+second+"/unlink")).FollowsTo(b.Site("/members/"+second)).Shows(200, "Wallet unlinked")
		b.Get(page).Shows(200, "Maren").Hides(apptest.Bob)
		b.Post(b.Site("/members/"+second+"/unlink")).Shows(400, "User is not connected")
	})
}
