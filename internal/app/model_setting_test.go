package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// eachModelled runs the test with a partner that has time to answer, however busy the machine is.
func eachModelled(t *testing.T, f func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		p := apptest.NewPartner(t)
		var list []string
		for kind := range partnered {
			list = append(
				list,
				fmt.Sprintf(
					`{"type":%q,"url":%q,"header":{"name":"Authorization","value":%q},"timeoutSeconds":4}`,
					kind,
					p.URL,
					apptest.PartnerSecret,
				),
			)
		}
		s := apptest.OpenAtNoon(
			t,
			address,
			app.Config{
				NoRateLimits: true,
				Dev:          true,
				Partners:     apptest.WriteConfig(t, `{"partners":[`+strings.Join(list, ",")+`]}`),
			},
		)
		f(t, s, p, apptest.Database{DB: storetest.Open(t, address, s.Clock.Now), T: t})
	})
}

// wallet is that of the i-th member of the website.
func (w *mworld) wallet(i int) string {
	n := int(w.LoyaltyCurrencyID[15])<<16 | int(w.LoyaltyCurrencyID[14])<<8
	return fmt.Sprintf("0x%034x%06x", n, i)
}

// onTheList reports whether the i-th member is on the lists of the website, and with what; 0: with no amount.
func onTheList(i int) (listed bool, amount int64) {
	if i%5 == 4 {
		return false, 0
	}
	return true, int64(i%2) * int64(1_250_000+10_000*i)
}

// parts gives the rule's body what streaks, lists and partners ask for.
func (w *mworld) parts(r *mrule, body, meta object) {
	if len(r.milestones) > 0 {
		var array []object
		for at, amount := range r.milestones {
			array = append(array, object{"streakMilestone": at, "streakAmount": apptest.JSONNumber(decimals(amount))})
		}
		meta["enableStreaks"], meta["streakArray"] = true, array
	}
	if r.triggeredBy != "" {
		meta["autoCheckInRuleIds"] = []string{w.rules[r.triggeredBy].id}
	}
	if r.perValue {
		meta["rewardPerValue"] = true
	}
	if r.kind == "attendance_token_claim" {
		body["collections"] = []object{{"address": "0xabc", "network": "polygon"}}
	}
	if r.kind == "referred_user" {
		body["frequency"], body["startTime"] = "daily", apptest.Noon
		for name, n := range map[string]int64{"referrerReward": referrerBonus, "firstReferralReward": firstPart, "secondReferralReward": secondPart} {
			meta[name] = apptest.JSONNumber(decimals(n))
		}
	}
	if r.list {
		rows := "walletAddress,amount\n"
		for i := range 60 {
			if listed, amount := onTheList(i); listed && amount > 0 {
				rows += w.wallet(i) + "," + decimals(amount) + "\n"
			} else if listed {
				rows += w.wallet(i) + "\n"
			}
		}
		body[apptest.OnList] = w.Upload(strings.ReplaceAll(r.name, " ", "-")+".csv", rows)
	}
}

// belongs makes the member what only groups, lists and the partner know of it. The last twenty are in pairs.
func (w *mworld) belongs(i int, u *mmember, meta object) {
	u.listed, u.allotted = onTheList(i)
	if u.holder = w.dice.IntN(2) == 0; u.holder {
		w.partner.Set(func(p *apptest.Partner) { p.Holders[u.wallet] = true })
	}
	if i >= 40 {
		meta["userGroupExternalIdentifier"] = fmt.Sprint("pair ", i/2, " of ", w.wallet(0))
	}
	if i >= 40 && i%2 == 1 {
		u.joins(w.members[i-1])
	}
}

// shops lets some members buy something.
func (w *mworld) shops(at time.Time) {
	for range 25 {
		u := w.members[w.dice.IntN(60)]
		if sum := int64(1 + w.dice.IntN(50)); u.email != "" {
			w.bought[u] = append(w.bought[u], mbuy{at, sum * millionth})
			w.partner.Set(func(p *apptest.Partner) {
				p.Bought = append(p.Bought, apptest.Purchase{Customer: u.email, At: at, Sum: laurel.Amount(sum) * laurel.One})
			})
		}
	}
}
