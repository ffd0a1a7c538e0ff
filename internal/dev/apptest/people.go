package apptest

// Wallets of people.
const (
	Alice = "0x00000000000000000000000000000000000a11ce"
	Bob   = "0x0000000000000000000000000000000000000b0b"
	Carol = "0x0000000000000000000000000000000000000ca2"
)

// User creates a user, or updates it, and returns its id.
func (s *Server) User(wallet string, fields Object) string {
	s.T.Helper()
	return s.Post("/api/users/metadatas", Over(Object{"walletAddress": wallet}, fields)).OK()["userId"].(string)
}

// In puts a wallet into the group of an external identifier, or out of its group if group is nil.
func (s *Server) In(wallet string, group any) {
	s.T.Helper()
	body := Object{"walletAddress": wallet, "userGroupExternalIdentifier": group}
	if group == nil {
		body = Object{"walletAddress": wallet, "userGroupId": nil}
	}
	s.Post("/api/users/metadatas", body).OK()
}

// MetadatasPath is the path of the metadata of users.
const MetadatasPath = "/api/users/metadatas"

// VerifiedAt is a time at which an address was verified, for Database.Connect.
const VerifiedAt = "2026-01-01T00:00:00.000Z"

// Connections are the rule types that require something connected: the refusal of a user without it, and the metadata
// of a user who has it.
var Connections = []struct {
	Kind, Missing string
	Written       Object // by a secret key
	Connected     Object // by a connect flow
}{
	{
		"connected_email",
		"Email not connected or not verified",
		Object{"emailAddress": "a@b.example"},
		Object{"emailVerifiedAt": VerifiedAt},
	},
	{
		"connected_phone",
		"Phone not connected or not verified",
		Object{"phoneNumber": "+4915112345678"},
		Object{"phoneVerifiedAt": VerifiedAt},
	},
	{"connected_microblog", "Microblog not connected", Object{"microblogUserId": "m1"}, nil},
	{"connected_photo_platform", "Photo platform not connected", nil, Object{"photoPlatformUser": "p1"}},
	{"connected_chat_server", "Chat server not connected", Object{"chatServerUserId": "c1"}, nil},
	{"connected_messenger", "Messenger not connected", Object{"messengerUserId": "7"}, nil},
	{"connected_short_video", "Short video not connected", Object{"shortVideoUser": "s1"}, nil},
	{"connected_video_platform", "Video platform not connected", Object{"videoPlatformChannelId": "v1"}, nil},
	{"connected_forum_platform", "Forum platform not connected", Object{"forumPlatformUser": "f1"}, nil},
	{"connected_code_host", "Code host not connected", Object{"codeHostUserId": "h1"}, nil},
	{"connected_game_store", "Game store not connected", Object{"gameStoreUserId": "g1"}, nil},
	{"connected_game_launcher", "Game launcher not connected", Object{"gameLauncherAccountId": "l1"}, nil},
}
