package completion

import (
	"context"
	"slices"
	"time"

	"laurel/internal/identity"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// standing: what the rule asks of the member's profile and of the accounts that it and its group have connected
// (contract 5.16), read when the call is prepared. An account earns a rule once per window, whoever holds it: it has a
// memory of its own, as members do.
type standing struct {
	*Service
}

// asksStanding reports whether the rule looks at the profile or accounts of members.
func asksStanding(r *catalog.Rule) bool {
	meta := r.Meta()
	switch r.Type {
	case schema.TypeProfileCompleted,
		schema.TypeConnectWallet,
		schema.TypeConnectedEmail,
		schema.TypeConnectedPhone,
		schema.TypeShopSpend:
		return true
	}
	return schema.Platforms[r.Type] != "" || meta.HasVerifiedMicroblog || meta.EnableVerifiedMultiplier
}

// platformOf is the platform that the rule asks for an account of.
func platformOf(r *catalog.Rule) string {
	if platform := schema.Platforms[r.Type]; platform != "" {
		return platform
	}
	return schema.Microblog
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
		case w.rule.Type == schema.TypeConnectedEmail && email != "" && emailVerified:
			w.accounts = append(w.accounts, w.accountKeys("emailAddress "+email))
		case w.rule.Type == schema.TypeConnectedPhone && phone != "" && phoneVerified:
			w.accounts = append(w.accounts, w.accountKeys("phoneNumber "+phone))
		case schema.Platforms[w.rule.Type] != "" && connected:
			w.accounts = append(w.accounts, w.accountKeys(account.Names...))
		}
	}
	// asked about all at once, so they are one account
	if p.Customer = len(customer) > 0; p.Customer && w.rule.Type == schema.TypeShopSpend {
		w.accounts = append(w.accounts, w.accountKeys(customer...))
	}
	w.known.Profile = p
	return nil
}

// accountKeys names the memory of an account, one for each of its names.
func (w *completion) accountKeys(names ...string) []progress.Key {
	return progress.AccountKeys(w.rule.ID, w.scope.WebsiteID, names)
}

func (standing) locks(w *completion) []store.Lock {
	var locks []store.Lock
	for _, keys := range w.accounts {
		for _, k := range keys {
			locks = append(locks, progress.Subjects.Lock(k))
		}
	}
	return locks
}

func (standing) judged(b *store.Batch, w *completion, f *decision.Facts) {
	w.account = nil
	found := w.claimable(progress.Subjects.Row(b, w.subjectKey()))
	for _, keys := range w.accounts {
		open := !slices.ContainsFunc(
			keys,
			func(k progress.Key) bool { return !w.mayEarn(progress.Subjects.Row(b, k), found, b.Now()) },
		)
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
func (w *completion) claimable(own *progress.Subject) *int64 {
	if own.Progress == nil {
		return nil
	}
	return w.claimed(own)
}

// mayEarn reports whether the account has not earned the rule in the present window, or by a claim of what the same run
// found.
func (w *completion) mayEarn(s *progress.Subject, found *int64, now time.Time) bool {
	if w.claiming() {
		paid := progress.Later(s.LastPaidAt, s.WindowPaidAt)
		return found == nil || paid == nil || *paid < *found
	}
	if w.fed != nil { // the window is the run's time
		return s.WindowPaidAt == nil || *s.WindowPaidAt < store.Micros(w.fed.At)
	}
	meta := w.rule.Meta()
	if seconds := meta.CustomIntervalSeconds; w.rule.Interval == schema.IntervalCustom && seconds != nil &&
		s.LastPaidAt != nil &&
		!meta.ResetProgressOnClaim {
		return !now.Before(store.Time(*s.LastPaidAt).Add(time.Duration(*seconds) * time.Second))
	}
	_, open := s.OpenAt(w.rule.Interval, now)
	return open
}

// paid remembers that the account has earned the rule. The row is no status of anybody.
func (standing) paid(b *store.Batch, w *completion, _ decision.Reward) error {
	reset := w.rule.Meta().ResetProgressOnClaim
	found := w.claimed(progress.Subjects.Row(b, w.subjectKey()))
	if reset && !verified(&w.rule) && found == nil {
		return nil
	}
	now, at := store.Micros(b.Now()), w.upTo(b)
	// a later run may have found the account before the claim was made
	if found != nil && !w.rule.Meta().Measured(w.rule.Type) {
		at = *found
	}
	for _, k := range w.account {
		sub := progress.Subjects.Changed(b, k)
		sub.Begin(b, w.scope)
		sub.UpdatedAt, sub.LastPaidAt, sub.UserID = now, progress.Later(sub.LastPaidAt, &at), w.person.UserID
		if !reset { // the window stays open, and yet nothing is paid for twice
			sub.WindowPaidAt = progress.Later(sub.WindowPaidAt, &at)
		}
	}
	return nil
}
