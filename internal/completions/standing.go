package completions

import (
	"context"
	"slices"
	"time"

	"laurel/internal/decision"
	"laurel/internal/identity"
	"laurel/internal/memory"
	"laurel/internal/rulebook"
	"laurel/internal/rules"
	"laurel/internal/store"
)

// standing: what the rule asks of the member's profile and of the accounts that it and its group have connected (contract 5.16), read when the call is
// prepared. An account earns a rule once per window, whoever holds it: it has a memory of its own, as members do.
type standing struct {
	*Service
}

// asksStanding reports whether the rule looks at the profile or accounts of members.
func asksStanding(r *rules.Rule) bool {
	meta := r.Meta()
	switch r.Type {
	case rulebook.TypeProfileCompleted, rulebook.TypeConnectWallet, rulebook.TypeConnectedEmail, rulebook.TypeConnectedPhone, rulebook.TypeShopSpend:
		return true
	}
	return rulebook.Platforms[r.Type] != "" || meta.HasVerifiedMicroblog || meta.EnableVerifiedMultiplier
}

// platformOf is the platform that the rule asks for an account of.
func platformOf(r *rules.Rule) string {
	if platform := rulebook.Platforms[r.Type]; platform != "" {
		return platform
	}
	return rulebook.Microblog
}

func (s standing) ahead(ctx context.Context, w *completion) error {
	w.accounts = nil
	known, err := s.people.Standing(ctx, w.scope, w.person)
	if err != nil {
		return err
	}
	platform := platformOf(&w.rule)
	p := decision.Profile{Fields: known.Fields(), Label: s.people.Label(platform)}
	var customer []string // all names by which a shop knows the member and its group
	for _, member := range known.Members {
		account, connected := member.Accounts()[platform]
		email, emailVerified := member.Email()
		phone, phoneVerified := member.Phone()
		p.Connected = p.Connected || connected
		p.EmailSet, p.EmailVerified = p.EmailSet || email != "", p.EmailVerified || email != "" && emailVerified
		p.PhoneVerified = p.PhoneVerified || phone != "" && phoneVerified
		p.Wallets = append(p.Wallets, member.Proven()...)
		if microblog := member.Profile; microblog.MicroblogUserID != nil {
			p.Marked = p.Marked || microblog.MicroblogVerifiedAccount
			if n := microblog.MicroblogFollowersCount; n != nil {
				p.Followers = max(p.Followers, identity.Count(*n))
			}
		}
		customer = append(customer, member.CustomerNames()...)
		switch {
		case w.rule.Type == rulebook.TypeConnectedEmail && email != "" && emailVerified:
			w.accounts = append(w.accounts, w.accountKeys("emailAddress "+email))
		case w.rule.Type == rulebook.TypeConnectedPhone && phone != "" && phoneVerified:
			w.accounts = append(w.accounts, w.accountKeys("phoneNumber "+phone))
		case rulebook.Platforms[w.rule.Type] != "" && connected:
			w.accounts = append(w.accounts, w.accountKeys(account.Names...))
		}
	}
	if p.Customer = len(customer) > 0; p.Customer && w.rule.Type == rulebook.TypeShopSpend { // asked about all at once, so they are one account
		w.accounts = append(w.accounts, w.accountKeys(customer...))
	}
	w.known.Profile = p
	return nil
}

// accountKeys names the memory of an account, one for each of its names.
func (w *completion) accountKeys(names ...string) []memory.Key {
	return memory.AccountKeys(w.rule.ID, w.scope.WebsiteID, names)
}

func (standing) locks(w *completion) []store.Lock {
	var locks []store.Lock
	for _, keys := range w.accounts {
		for _, k := range keys {
			locks = append(locks, memory.Subjects.Lock(k))
		}
	}
	return locks
}

func (standing) judged(b *store.Batch, w *completion, f *decision.Facts) {
	w.account = nil
	found := w.claimable(memory.Subjects.Row(b, w.subjectKey()))
	for _, keys := range w.accounts {
		open := !slices.ContainsFunc(keys, func(k memory.Key) bool { return !w.mayEarn(memory.Subjects.Row(b, k), found, b.Now()) })
		if open {
			w.account = keys
			return
		}
	}
	f.Profile.AccountPaid = len(w.accounts) > 0
}

func (s standing) asked(ctx context.Context, w *completion, f *decision.Facts) error {
	own, err := s.reads.subject(ctx, w.subjectKey())
	if err != nil {
		return err
	}
	for _, keys := range w.accounts {
		open := true
		for _, k := range keys {
			sub, err := s.reads.subject(ctx, k)
			if err != nil {
				return err
			}
			open = open && w.mayEarn(&sub, w.claimable(&own), w.at(s.db.Now()))
		}
		if open {
			return nil
		}
	}
	f.Profile.AccountPaid = len(w.accounts) > 0
	return nil
}

// claimable is up to when the run looked that found what the member may claim; nil: nothing, which progress tells.
func (w *completion) claimable(own *memory.Subject) *int64 {
	if own.Progress == nil {
		return nil
	}
	return w.claimed(own)
}

// mayEarn reports whether the account has not earned the rule in the present window, or by a claim of what the same run found.
func (w *completion) mayEarn(s *memory.Subject, found *int64, now time.Time) bool {
	if w.claiming() {
		paid := memory.Later(s.LastPaidAt, s.WindowPaidAt)
		return found == nil || paid == nil || *paid < *found
	}
	if w.fed != nil { // the window is the run's time
		return s.WindowPaidAt == nil || *s.WindowPaidAt < store.Micros(w.fed.At)
	}
	meta := w.rule.Meta()
	if seconds := meta.CustomIntervalSeconds; w.rule.Interval == rulebook.IntervalCustom && seconds != nil && s.LastPaidAt != nil && !meta.ResetProgressOnClaim {
		return !now.Before(store.Time(*s.LastPaidAt).Add(time.Duration(*seconds) * time.Second))
	}
	_, open := s.OpenAt(w.rule.Interval, now)
	return open
}

// paid remembers that the account has earned the rule. The row is no status of anybody.
func (standing) paid(b *store.Batch, w *completion, _ decision.Reward) error {
	reset := w.rule.Meta().ResetProgressOnClaim
	found := w.claimed(memory.Subjects.Row(b, w.subjectKey()))
	if reset && !verified(&w.rule) && found == nil {
		return nil
	}
	now, at := store.Micros(b.Now()), w.upTo(b)
	if found != nil && !w.rule.Meta().Measured(w.rule.Type) { // a later run may have found the account before the claim was made
		at = *found
	}
	for _, k := range w.account {
		sub := memory.Subjects.Changed(b, k)
		sub.Begin(b, w.scope)
		sub.UpdatedAt, sub.LastPaidAt, sub.UserID = now, memory.Later(sub.LastPaidAt, &at), w.person.UserID
		if !reset { // the window stays open, and yet nothing is paid for twice
			sub.WindowPaidAt = memory.Later(sub.WindowPaidAt, &at)
		}
	}
	return nil
}
