package platforms

import (
	"context"
	"encoding/json"
	"net/url"
)

// gameStore asks the Web API of Steam (https://partner.steamgames.com/doc/webapi). Wishlists of public profiles need no
// key.
var gameStore = apiDriver{
	url: "https://api.steampowered.com",
	headers: func(token string) map[string]string {
		return map[string]string{"x-webapi-key": token}
	},
	answers: map[string]apiAnswer{
		"game_store_wishlist": {gameOnWishlist, []string{"gameStoreAppId"}},
	},
}

// gameOnWishlist looks for the rule's game on the wishlist of the account. A private profile has an empty one.
func gameOnWishlist(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	var answer struct {
		Response struct {
			Items []struct {
				AppID json.Number `json:"appid"`
			} `json:"items"`
		} `json:"response"`
	}
	status, err := s.get(ctx, "/IWishlistService/GetWishlist/v1/", url.Values{"steamid": {q.Account.ID}}, &answer)
	if err == nil {
		err = unexpected(status)
	}
	if err != nil {
		return Finding{}, err
	}
	for _, item := range answer.Response.Items {
		if item.AppID.String() == metadataValue(q.Metadata, "gameStoreAppId") {
			return Finding{Found: true}, nil
		}
	}
	return Finding{}, nil
}
