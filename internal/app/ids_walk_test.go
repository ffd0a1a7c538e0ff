package app_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// opaque are the ids that name nothing of the service: each is what it says here.
var opaque = map[string]string{
	"themeId":                   "of the website's own themes",
	"relayerId":                 "of the operator's driver",
	"shippingId":                "of the operator's shipping",
	"loyaltyLeaderboardViewIds": "of the website's own pages",
}

// unread are the paths of ids that an operation accepts and ignores: new parts get ids of their own, and some properties
// are set only when the thing is created.
var unread = []string{
	"POST /api/loyalty/questions loyaltyQuestionAnswers.0.id",
	"POST /api/auctions/{id} loyaltyCurrencyId", "POST /api/auctions/{id} mintingContractId",
	"POST /api/loyalty/rules/{id} duplicatedFromId", "POST /api/loyalty/rules/{id}/replay draft.duplicatedFromId",
	"POST /api/loyalty/rules/{id}/simulate draft.duplicatedFromId",
	"POST /api/minting/assets/{id} mintingContractId", "POST /api/token_claims/{id} contractId",
}

// ownParts are the paths of parts of the thing that the body is: an id that the thing does not have is a new part.
var ownParts = []string{
	"banner.id", "banner.carousel.id", "banner.carousel.carouselItems.0.id", "banner.websiteCollectionBanners.0.id",
	"discoveryItems.0.id", "itemsGrids.0.id",
}

// inMetadata are the ids within the metadata of rules, which the document leaves open (contract 3.13), by what they
// name.
var inMetadata = map[string]string{
	"autoCheckInRuleIds.0":                          "rule",
	"multiplierLoyaltyCurrencyIds.0":                "currency",
	"range.0.loyaltyBadgeId":                        "badge",
	"referrerRewardLoyaltyCurrencyId":               "currency",
	"referralRequirements.points.loyaltyCurrencyId": "currency",
	"referralRequirements.points.loyaltyCurrecyId":  "currency",
	"smartContract.contractId":                      "contract",
}

// actedOn are the things that operations act on, or for: what is not there is not found (contract 1.3.4).
var actedOn = []string{
	"userId", "userIds.0", "entries.0.userId", "userGroupId",
	"POST /api/auction_bids auctionId",
	"POST /api/loyalty/questions loyaltyRuleId",
	"POST /api/loyalty/questions_responses loyaltyQuestionChoiceId",
	"POST /api/loyalty/reset loyaltyCurrencyId",
	"POST /api/loyalty/rule_chains loyaltyRuleId",
	"POST /api/loyalty/rule_statuses loyaltyRuleId",
	"POST /api/minting/assets mintingContractId",
	"POST /api/minting/assets/allowlist mintingContractAssetId",
	"POST /api/minting/contracts/mint assetId", "POST /api/minting/contracts/mint contractId",
	"POST /api/referral/codes loyaltyRuleId",
	"POST /api/token_claims contractId",
	"DELETE /api/website_user_attributes id", "POST /api/website_user_attributes data.0.id",
	"data.0.userId", "data.0.websiteUserAttributeId", "POST /api/website_user_attributes/values data.0.id",
}

// decided are the ids that completions decide on, with the words of their refusal (contract 5.1).
var decided = map[string]string{
	"POST /api/loyalty/rules/{id}/complete loyaltyQuestionChoiceId": "Invalid choice selected",
	"POST /api/loyalty/rules/{id}/simulate loyaltyQuestionChoiceId": "Invalid choice selected",
}

// meanings are the properties that an object needs next to an id, so that the id is read.
var meanings = []struct {
	id     string // the end of its path
	others object
}{
	{"onditions.0.loyaltyBadgeIds.0", object{"type": "badges"}},
	{"onditions.0.loyaltyCurrencyIds.0", object{"type": "points", "amount": 1}},
	{"onditions.0.loyaltyRuleGroupIds.0", object{"type": "section"}},
	{"onditions.0.loyaltyRuleIds.0", object{"type": "rules"}},
	{"onditions.0.loyaltyRuleId", object{"type": "rule"}},
	{"rewards.0.loyaltyBadgeId", object{"rewardType": "badge"}},
	{"rewards.0.loyaltyCurrencyId", object{"rewardType": "points", "amount": 1}},
	{"rewards.0.loyaltyCurrencyIds.0", object{"rewardType": "multiplier", "multiplier": 2}},
	{"tokenReward.contractId", object{"relayerId": apptest.UnknownID}},
	{"range.0.loyaltyBadgeId", object{"startRange": 1, "endRange": 2, "amount": 1}},
	{"discoveryItems.0.loyaltyRuleGroupId", object{"title": "Earn"}},
}

// TestAnIDOfABodyNamesWhatIsThere sends every id of every body as one that nobody has, as another organization's and as
// another website's: each is refused under its path, or not found where it is what the operation acts on, in words that
// do not tell the three apart.
func TestAnIDOfABodyNamesWhatIsThere(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		all := settleAll(s)
		judged := 0
		for _, op := range operations(s) {
			for _, p := range idsOf(op) {
				kind := op.visit.keys[min(1, len(op.visit.keys)-1)]
				answers := map[string]string{}
				for owner, id := range map[string]string{
					"unknown": apptest.SecondUnknownID, "rival's": all.rival.things[p.kind], "sibling's": all.shop.things[p.kind],
				} {
					if owner == "sibling's" && p.kind == "user" {
						continue // an organization shares its users
					}
					judged++
					v := all.acme.visit(op, kind)
					v.mean(p, id)
					got := v.send(all.acme.key(kind))
					judgeID(t, op, p, id, got)
					answers[owner] = varying.ReplaceAllString(got.Body, "…")
				}
				for owner, answer := range answers {
					if answer != answers["unknown"] {
						t.Errorf("%s %s: %s %s has another message: %s", op.method, op.path, owner, p.name, answer)
					}
				}
			}
		}
		if judged < 200 {
			t.Errorf("only %d ids were judged", judged)
		}
	})
}

// idsOf lists the ids of an operation's body that name things, with those in a rule's metadata.
func idsOf(op operation) (places []place) {
	for _, p := range op.places {
		if p.in != "body" || p.kind == "" || p.kind == "organization" || p.kind == "website" ||
			opaque[p.last()] != "" || slices.Contains(ownParts, p.name) {
			continue
		}
		if op.path == "/api/minting/contracts/mint" && p.name == "contractId" {
			p.kind = "minting contract"
		}
		places = append(places, p)
	}
	at := map[string]string{
		"/api/loyalty/rules": "metadata.", "/api/loyalty/rules/{id}": "metadata.",
		"/api/loyalty/rules/{id}/simulate": "draft.metadata.", "/api/loyalty/rules/{id}/replay": "draft.metadata.",
	}[op.path]
	if op.method == "POST" && at != "" {
		for name, kind := range inMetadata {
			places = append(places, place{in: "body", name: at + name, kind: kind})
		}
	}
	return places
}

// mean puts an id at a place of the call, with what it needs to mean something there.
func (v *visitor) mean(p place, id string) {
	sent, err := json.Marshal(v.body) // its lists may be of any type of Go
	if err != nil || json.Unmarshal(sent, &v.body) != nil {
		v.T.Fatal(err)
	}
	v.set(p, id)
	for _, m := range meanings {
		if strings.HasSuffix(p.name, m.id) {
			for name, value := range m.others {
				of := strings.TrimSuffix(strings.TrimSuffix(p.name, ".0"), "."+p.last())
				v.set(place{in: "body", name: of + "." + name}, value)
			}
		}
	}
	switch root := strings.TrimSuffix(p.name, "tokenReward.contractId"); {
	case root != p.name:
		v.set(place{in: "body", name: root + "rewardType"}, "token")
		v.set(place{in: "body", name: root + "network"}, "base")
	case p.name == "loyaltyQuestionChoiceId" && v.op.visit.id == "rule":
		v.id = v.things["poll"]
	}
}

func judgeID(t *testing.T, op operation, p place, id string, got apptest.Response) {
	t.Helper()
	var refusal struct {
		Message string
		Errors  []struct{ Path string }
	}
	if err := json.Unmarshal([]byte(got.Body), &refusal); err != nil {
		t.Fatal(err)
	}
	at := op.method + " " + op.path + " " + p.name
	if slices.Contains(unread, at) && got.Status == 200 && !strings.Contains(got.Body, id) {
		return
	}
	if message := decided[at]; message != "" && refusal.Message == message {
		return
	}
	if got.Status == 404 && strings.HasSuffix(refusal.Message, " not found") &&
		(slices.Contains(actedOn, at) || slices.Contains(actedOn, p.name)) {
		return
	}
	if got.Status == 400 && slices.ContainsFunc(refusal.Errors, func(e struct{ Path string }) bool { return e.Path == p.name }) {
		return
	}
	t.Errorf("%s (%s) as %s: %d %.300s", at, p.kind, id, got.Status, got.Body)
}
