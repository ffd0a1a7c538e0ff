package decision_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// named makes an id that differs from others.
func named(n byte) laurel.ID { return laurel.ID{15: n} }

// outcome is the amount that is paid, with what milestones pay, or the refusal.
func outcome(f decision.Facts) string {
	reward, err := decision.Decide(typed(f))
	if err != nil {
		return err.Error()
	}
	text := reward.Amount.String()
	for _, c := range reward.Credits {
		text += fmt.Sprint(" +", c.Amount, " ", c.Metadata)
	}
	return text
}

func TestDecideOnWhatMembersAreAndDo(t *testing.T) {
	t.Parallel()
	const (
		quiz    = `{"name":"N","type":"quiz","amount":10}`
		poll    = `{"name":"N","type":"poll","amount":10}`
		blog    = `{"name":"N","type":"connected_microblog","amount":10`
		checkIn = `{"name":"N","type":"check_in","interval":"daily"`
		streaks = `,"metadata":{"enableStreaks":true,"streakArray":[{"streakMilestone":2,"streakAmount":5},{"streakMilestone":3,"streakAmount":0}]}}`
		auto    = `,"metadata":{"enableStreaks":true,"autoCheckInRuleIds":"any","streakArray":[{"streakMilestone":2,"streakAmount":5}]}}`
	)
	asked := decision.Question{Choices: []laurel.ID{named(1), named(2)}, Correct: []laurel.ID{named(2)}}
	of := func(given, answer byte) decision.Facts {
		q := asked
		if given > 0 {
			q.CallChoice = named(given)
		}
		if answer > 0 {
			q.PreviousChoice = named(answer)
		}
		return decision.Facts{Question: q}
	}
	again := func(f decision.Facts) decision.Facts { f.Question.AllowsRepeats = true; return f }
	asks := func(f decision.Facts, client bool) decision.Facts {
		f.Question.IsDryRun, f.WithClientKey = true, client
		return f
	}
	profile := func(p decision.Profile) decision.Facts {
		p.PlatformLabel = "Chirp"
		return decision.Facts{Profile: p}
	}
	days := func(count int64, ago int, by decision.TriggerKind) decision.Facts {
		return decision.Facts{Streak: decision.Streak{Count: count, At: noon.AddDate(0, 0, -ago)}, TriggeredBy: by}
	}
	for _, c := range []struct {
		name, rule string
		facts      decision.Facts
		want       string
	}{
		{"no question, no choice", quiz, decision.Facts{}, "No choice selected"},
		{"no question", quiz, decision.Facts{Question: decision.Question{CallChoice: named(1)}}, "Question not found"},
		{"no choice", quiz, of(0, 0), "No choice selected"},
		{"foreign choice", quiz, of(9, 0), "Invalid choice selected"},
		{"foreign choice beside a correct answer", quiz, of(9, 2), "Invalid choice selected"},
		{"wrong choice", quiz, of(1, 0), "Invalid choice selected"},
		{"correct choice", quiz, of(2, 0), "10"},
		{"correct answer", quiz, of(0, 2), "10"},
		{"a wrong answer stands", quiz, of(2, 1), "Invalid choice selected"},
		{"a correct answer stands", quiz, of(1, 2), "10"},
		{"a better attempt", quiz, again(of(2, 1)), "10"},
		{"a worse attempt", quiz, again(of(1, 2)), "Invalid choice selected"},
		{"the last attempt", quiz, again(of(0, 1)), "Invalid choice selected"},
		{"an answer that was taken off", quiz, of(0, 9), "Invalid choice selected"},
		{"any choice of a poll", poll, of(1, 0), "10"},
		{"foreign choice of a poll", poll, of(9, 0), "Invalid choice selected"},
		{"a browser asks", quiz, asks(of(1, 0), true), "10"},
		{"a browser asks after its attempt", quiz, asks(of(2, 1), true), "Invalid choice selected"},
		{"a browser asks of several attempts", quiz, again(asks(of(1, 0), true)), "Invalid choice selected"},
		{"a server asks", quiz, asks(of(1, 0), false), "Invalid choice selected"},

		{"no account", blog + `}`, profile(decision.Profile{}), "Chirp not connected"},
		{"an account", blog + `}`, profile(decision.Profile{HasAccount: true}), "10"},
		{"an account that has earned", blog + `}`, profile(decision.Profile{HasAccount: true, AccountPaid: true}), "You have already been rewarded"},
		{"too few followers", blog + `,"metadata":{"minimumFollowerCount":"10"}}`, profile(decision.Profile{HasAccount: true, Followers: 10*laurel.One - 1}), "Quest not completed"},
		{"enough followers", blog + `,"metadata":{"minimumFollowerCount":10}}`, profile(decision.Profile{HasAccount: true, Followers: 10 * laurel.One}), "10"},
		{"followers of another type", `{"name":"N","type":"external_rule","amount":10,"metadata":{"minimumFollowerCount":10}}`, decision.Facts{}, "10"},
		{"mark wanted, no account", quiz[:len(quiz)-1] + `,"metadata":{"hasVerifiedMicroblog":true}}`, profile(decision.Profile{}), "Chirp not connected"},
		{"mark wanted, none", quiz[:len(quiz)-1] + `,"metadata":{"hasVerifiedMicroblog":true}}`, profile(decision.Profile{HasAccount: true}), "Quest not completed"},
		{"mark wanted and there, then the choice", quiz[:len(quiz)-1] + `,"metadata":{"hasVerifiedMicroblog":true}}`, profile(decision.Profile{HasAccount: true, HasVerifiedMark: true}), "No choice selected"},
		{"raised", blog + `,"metadata":{"enableVerifiedMultiplier":true,"verifiedMultiplier":2.5}}`, profile(decision.Profile{HasAccount: true, HasVerifiedMark: true}), "25"},
		{"not raised without the mark", blog + `,"metadata":{"enableVerifiedMultiplier":true,"verifiedMultiplier":2.5}}`, profile(decision.Profile{HasAccount: true}), "10"},
		{"no phone", `{"name":"N","type":"connected_phone","amount":10}`, decision.Facts{}, "Phone not connected or not verified"},
		{"phone", `{"name":"N","type":"connected_phone","amount":10}`, profile(decision.Profile{PhoneVerified: true}), "10"},
		{"no e-mail", `{"name":"N","type":"connected_email","amount":10}`, decision.Facts{}, "Email not connected or not verified"},
		{"e-mail", `{"name":"N","type":"connected_email","amount":10}`, profile(decision.Profile{EmailSet: true}), "Email not verified"},
		{"verified e-mail", `{"name":"N","type":"connected_email","amount":10}`, profile(decision.Profile{EmailSet: true, EmailVerified: true}), "10"},
		{"no wallet", `{"name":"N","type":"connect_wallet","amount":10}`, decision.Facts{}, "Quest not completed"},
		{"a wallet of no known type", `{"name":"N","type":"connect_wallet","amount":10}`, profile(decision.Profile{Wallets: []string{""}}), "10"},
		{"a wallet of another type", `{"name":"N","type":"connect_wallet","amount":10,"metadata":{"walletType":"sui"}}`, profile(decision.Profile{Wallets: []string{"", "evm"}}), "Quest not completed"},
		{"a wallet of the type", `{"name":"N","type":"connect_wallet","amount":10,"metadata":{"walletType":"sui"}}`, profile(decision.Profile{Wallets: []string{"evm", "sui"}}), "10"},
		{"no fields", `{"name":"N","type":"profile_completed","amount":10}`, decision.Facts{}, "Rule is not setup"},
		{"a field is missing", `{"name":"N","type":"profile_completed","amount":10,"metadata":{"completeProfileConditions":{"bio":true,"email":true}}}`,
			profile(decision.Profile{Fields: []string{"bio"}}), "Quest not completed"},
		{"all fields", `{"name":"N","type":"profile_completed","amount":10,"metadata":{"completeProfileConditions":{"bio":true,"email":true,"phone":false}}}`,
			profile(decision.Profile{Fields: []string{"bio", "email"}}), "10"},

		{"the first check-in", checkIn + `,"amount":10` + streaks, decision.Facts{}, "10"},
		{"the second day", checkIn + `,"amount":10` + streaks, days(1, 1, decision.TriggerCall), "10 +5 map[streakMilestone:2]"},
		{"a milestone that pays nothing", checkIn + `,"amount":10` + streaks, days(2, 1, decision.TriggerCall), "10"},
		{"behind the milestones", checkIn + `,"amount":10` + streaks, days(3, 1, decision.TriggerCall), "10"},
		{"a missed day", checkIn + `,"amount":10` + streaks, days(1, 2, decision.TriggerCall), "10"},
		{"the same day again", checkIn + `,"amount":10` + streaks, days(1, 0, decision.TriggerCall), "10"},
		{"a clock that stepped back", checkIn + `,"amount":10` + streaks, days(1, -3, decision.TriggerCall), "10"},
		{"milestones only", checkIn + streaks, days(1, 1, decision.TriggerCall), "0 +5 map[streakMilestone:2]"},
		{"milestones only, by deeds", checkIn + auto, days(1, 1, decision.TriggerAutoCheckIn), "0 +5 map[streakMilestone:2]"},
		{"milestones only, by a call", checkIn + auto, days(1, 1, decision.TriggerCall), "Check-in amount rule cannot be completed when amount is 0"},
		{"deeds at a rule of another type", quiz, decision.Facts{TriggeredBy: decision.TriggerAutoCheckIn}, "Quest not completed"},
		{"nothing", checkIn + `,"metadata":{"enableStreaks":true}}`, days(1, 1, decision.TriggerAutoCheckIn), "Check-in amount rule cannot be completed when amount is 0"},
	} {
		c.facts.Rule, c.facts.Now, c.facts.CurrencyLive = ruleOf(t, c.rule), noon, true
		c.facts.Meta = c.facts.Rule.Meta()
		if got := outcome(c.facts); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestAChoiceIsKeptExactlyWhereItWasJudged draws quizzes: a choice that was judged is stored, and a stored choice was an
// attempt that was open.
func TestAChoiceIsKeptExactlyWhereItWasJudged(t *testing.T) {
	t.Parallel()
	r := ruleOf(t, `{"name":"N","type":"quiz","amount":10,"trackProgress":true}`)
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) laurel.ID { return named(rapid.ByteRange(0, 4).Draw(t, name)) }
		f := decision.Facts{
			Rule:         r,
			Meta:         r.Meta(),
			Now:          noon,
			CurrencyLive: true,
			Blocked:      rapid.Bool().Draw(t, "blocked"),
			WindowPaid:   rapid.Bool().Draw(t, "paid"),
			Progress: laurel.Amount(
				rapid.Int64Range(0, 1).Draw(t, "progress"),
			) * 100 * laurel.One,
			WithClientKey: rapid.Bool().Draw(t, "client"),
			Question: decision.Question{
				Choices:        []laurel.ID{named(1), named(2), named(3)},
				Correct:        []laurel.ID{named(2)},
				AllowsRepeats:  rapid.Bool().Draw(t, "multiple"),
				CallChoice:     draw("given"),
				PreviousChoice: draw("answer"),
				IsDryRun:       rapid.Bool().Draw(t, "asks"),
			},
		}
		q := f.Question
		_, err := decision.Decide(typed(f))
		judged := !f.Blocked && !f.WindowPaid && f.Progress > 0
		open := q.PreviousChoice.IsZero() || q.AllowsRepeats
		want := judged && open && !q.IsDryRun && slices.Contains(q.Choices, q.CallChoice)
		if got := decision.RecordsChoice(typed(f)); got != want {
			t.Fatalf("kept %v of %+v: %v", got, q, err)
		}
		counts := q.PreviousChoice
		if open && !q.CallChoice.IsZero() {
			counts = q.CallChoice
		}
		hidden := f.WithClientKey && q.IsDryRun && !q.AllowsRepeats && q.PreviousChoice.IsZero() && slices.Contains(q.Choices, q.CallChoice)
		if (err == nil) != (judged && (counts == named(2) || hidden) && (q.CallChoice.IsZero() || slices.Contains(q.Choices, q.CallChoice))) {
			t.Fatalf("%+v: %v", q, err)
		}
	})
}

// TestStreaksCountTheRunOfWindows checks in at moments that chance draws, and holds the count against the windows that
// have a check-in.
func TestStreaksCountTheRunOfWindows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		interval := rapid.SampledFrom([]string{"hourly", "daily", "weekly", "monthly"}).Draw(t, "interval")
		r := ruleOf(
			t,
			fmt.Sprintf(
				`{"name":"N","type":"check_in","amount":1,"interval":%q,"metadata":{"enableStreaks":true,"streakArray":[{"streakMilestone":3,"streakAmount":2}]}}`,
				interval,
			),
		)
		at := time.Date(2024, 2, 20, 0, 0, 0, 0, time.UTC).
			Add(time.Duration(rapid.Int64Range(0, int64(400*24*time.Hour)).Draw(t, "start")))
		windows := map[string]bool{}
		var streak decision.Streak
		for range rapid.IntRange(1, 12).Draw(t, "check-ins") {
			next := schema.WindowEnd(interval, at)
			at = at.Add(time.Duration(rapid.Int64Range(0, int64(2*next.Sub(at))).Draw(t, "later")))
			known := windows[schema.WindowKey(interval, at)]
			windows[schema.WindowKey(interval, at)] = true
			want := int64(0)
			for w := at; windows[schema.WindowKey(interval, w)]; w = schema.WindowStart(interval, w).Add(-time.Microsecond) {
				want++
			}
			reward, err := decision.Decide(typed(decision.Facts{Rule: r, Meta: r.Meta(), Now: at, CurrencyLive: true, Streak: streak}))
			if err != nil || reward.Streak != want || (len(reward.Credits) == 1) != (want == 3 && !known) {
				t.Fatalf("%s at %s: %+v (%v), want %d", interval, at, reward, err, want)
			}
			streak = decision.Streak{Count: reward.Streak, At: at}
		}
	})
}
