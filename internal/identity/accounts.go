package identity

import (
	"context"
	"errors"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// VerifiedAccount is an account elsewhere that a member has proved to own.
type VerifiedAccount struct {
	Platform        string // a platform id, Email or Phone
	ID              string // the id on the platform, the e-mail address, or the phone number
	Name            string // "" if the platform tells none
	Followers       *int64 // of the microblog; nil: unknown
	HasVerifiedMark bool   // of the microblog: the platform's own mark
}

// accountFields are the fields of a profile that describe an account of one platform.
type accountFields struct {
	id, name **string // name: nil without such a field
	verified **laurel.Timestamp
}

// accountFields returns the fields of the account of a platform, of Email or of Phone; ok is false for anything else.
func (p *Profile) accountFields(platform string) (fields accountFields, ok bool) {
	switch platform {
	case Email:
		return accountFields{&p.EmailAddress, nil, &p.EmailVerifiedAt}, true
	case Phone:
		return accountFields{&p.PhoneNumber, nil, &p.PhoneVerifiedAt}, true
	case "microblog":
		return accountFields{&p.MicroblogUserID, &p.MicroblogUser, &p.MicroblogVerifiedAt}, true
	case "photo_platform":
		return accountFields{&p.PhotoPlatformUser, nil, &p.PhotoPlatformVerifiedAt}, true
	case "chat_server":
		return accountFields{&p.ChatServerUserID, &p.ChatServerUser, &p.ChatServerVerifiedAt}, true
	case "messenger":
		return accountFields{&p.MessengerUserID, &p.MessengerUsername, &p.MessengerVerifiedAt}, true
	case "short_video":
		return accountFields{&p.ShortVideoUserID, &p.ShortVideoUser, &p.ShortVideoVerifiedAt}, true
	case "video_platform":
		return accountFields{&p.VideoPlatformChannelID, nil, &p.VideoPlatformVerifiedAt}, true
	case "live_stream":
		return accountFields{&p.LiveStreamUserID, &p.LiveStreamUser, &p.LiveStreamVerifiedAt}, true
	case "forum_platform":
		return accountFields{&p.ForumPlatformUserID, &p.ForumPlatformUser, &p.ForumPlatformVerifiedAt}, true
	case "code_host":
		return accountFields{&p.CodeHostUserID, &p.CodeHostUser, &p.CodeHostVerifiedAt}, true
	case "game_store":
		return accountFields{&p.GameStoreUserID, &p.GameStoreUsername, &p.GameStoreVerifiedAt}, true
	case "game_launcher":
		return accountFields{&p.GameLauncherAccountID, &p.GameLauncherUsername, &p.GameLauncherVerifiedAt}, true
	case "web_account":
		return accountFields{&p.WebAccountUserID, &p.WebAccountUser, &p.WebAccountVerifiedAt}, true
	}
	return accountFields{}, false
}

// with returns the profile with the account connected, verified at the given time.
func (p Profile) with(a VerifiedAccount, at laurel.Timestamp) Profile {
	fields, ok := p.accountFields(a.Platform)
	if !ok {
		return p
	}
	*fields.id, *fields.verified = &a.ID, &at
	if fields.name != nil {
		*fields.name = textOrNil(bareName(a.Name))
	}
	if a.Platform == "microblog" {
		p.MicroblogFollowersCount, p.MicroblogVerifiedAccount = a.Followers, a.HasVerifiedMark
	}
	return p
}

// without returns the profile without the account of a platform.
func (p Profile) without(platform string) Profile {
	fields, ok := p.accountFields(platform)
	if !ok {
		return p
	}
	*fields.id, *fields.verified = nil, nil
	if fields.name != nil {
		*fields.name = nil
	}
	if platform == "microblog" {
		p.MicroblogFollowersCount, p.MicroblogVerifiedAccount = nil, false
	}
	return p
}

func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// ConnectAccount sets the account and the time of its proof in the user's metadata; the user becomes a member of the
// website if it was none. If other people hold the account already, as many as may, nothing changes and ConnectAccount
// returns an account link, with which MoveAccount moves it (contract 8.6). The flow has checked the proof, and that the
// caller may act for the user. Errors: NotFound "User".
func (s *Service) ConnectAccount(
	ctx context.Context, scope laurel.Scope, user Ref, a VerifiedAccount,
) (link string, err error) {
	return s.ConnectProvedAccount(ctx, scope, user, a, func(context.Context, *store.Tx) error { return nil })
}

// ConnectProvedAccount is ConnectAccount for a proof that is stored. use uses the proof up in the same transaction, at
// its beginning, so that a proof counts once; its error ends the transaction.
func (s *Service) ConnectProvedAccount(
	ctx context.Context, scope laurel.Scope, user Ref, a VerifiedAccount, use func(context.Context, *store.Tx) error,
) (link string, err error) {
	var self laurel.ID
	var held *accountHeldError
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := use(ctx, tx); err != nil {
			return err
		}
		p, err := s.Resolve(ctx, tx, scope, user)
		if err != nil {
			return err
		}
		self = p.UserID
		if err := insertPerson(ctx, tx, scope, p, false); err != nil {
			return err
		}
		if err := confirmUser(ctx, tx, scope, p.UserID); err != nil {
			return err
		}
		err = s.editProfiles(ctx, tx, scope, profileEdit{p, func(profile Profile) Profile {
			return profile.with(a, laurel.Timestamp{Time: tx.Now()})
		}})
		if held = nil; errors.As(err, &held) { // nothing of the profile is written yet, and the new member stays
			return nil
		}
		return err
	})
	if err != nil || held == nil {
		return "", err
	}
	return s.newAccountLink(ctx, scope, accountLink{UserID: self, HolderID: held.holder, VerifiedAccount: a})
}

// DisconnectAccount removes the account of a platform, of Email or of Phone from the user's metadata. Without such an
// account it changes nothing. Errors: NotFound "User".
func (s *Service) DisconnectAccount(ctx context.Context, scope laurel.Scope, user Ref, platform string) error {
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		p, err := s.Resolve(ctx, tx, scope, user)
		if err != nil || p.NewUser || p.NewMember {
			return err
		}
		isConnected := false
		err = s.editProfiles(ctx, tx, scope, profileEdit{p, func(profile Profile) Profile {
			fields, ok := profile.accountFields(platform)
			isConnected = ok && *fields.id != nil
			return profile.without(platform)
		}})
		if err != nil || !isConnected || s.options.Follower == nil {
			return err
		}
		return s.options.Follower.Disconnected(ctx, tx, scope, p.UserID, platform)
	})
}

// profileEdit is a change of one person's profile.
type profileEdit struct {
	person Person
	edit   func(Profile) Profile
}

// editProfiles locks the members, in order of their ids, and makes the changes in the given order. It records them in
// the feed. Errors: those of saveRecord.
func (s *Service) editProfiles(ctx context.Context, tx *store.Tx, scope laurel.Scope, edits ...profileEdit) error {
	sorted := slices.SortedFunc(slices.Values(edits), func(a, b profileEdit) int {
		return a.person.UserID.Compare(b.person.UserID)
	})
	rows := map[laurel.ID]*memberRow{}
	for _, e := range sorted {
		locked, err := lockMembers(ctx, tx, e.person.member(), nil)
		if err != nil {
			return err
		}
		if len(locked) != 1 {
			return store.ErrRerun
		}
		rows[e.person.UserID] = locked[0]
	}
	for _, e := range edits {
		action, err := s.saveRecord(ctx, tx, scope, *rows[e.person.UserID], e.edit)
		if err != nil {
			return err
		}
		if action != "" {
			if err := s.recordMetadata(ctx, tx, scope, e.person.UserID, action); err != nil {
				return err
			}
		}
	}
	return nil
}

// recordMetadata records in the feed that the metadata of a user have changed.
func (s *Service) recordMetadata(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID, action feed.Action,
) error {
	metadata, err := s.Metadatas(ctx, tx, scope, []laurel.ID{user})
	if err != nil {
		return err
	}
	return feed.Record(ctx, tx, metadataChange(metadata[user][0], action))
}
