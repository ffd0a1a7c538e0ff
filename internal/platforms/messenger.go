package platforms

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
)

// messenger asks the Bot API of Telegram (https://core.telegram.org/bots/api). The token is that of a bot which is an
// administrator of the channel. The API has no history of messages, so it cannot count them.
var messenger = apiDriver{
	url:        "https://api.telegram.org",
	needsToken: true,
	answers: map[string]apiAnswer{
		"messenger_join": {messengerMember, []string{"messengerChannelId"}},
	},
}

// messengerMember reports whether the account is a member of the rule's channel. The API answers 400 about accounts
// that never were.
func messengerMember(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	path := "/bot" + url.PathEscape(s.api.Token) + "/getChatMember"
	status, body, err := s.call(ctx, apiRequest{
		path: path, query: url.Values{"chat_id": {q.text("messengerChannelId")}, "user_id": {q.Account.ID}},
	})
	if err != nil {
		return Finding{}, err
	}
	var answer struct {
		OK          bool   `json:"ok"`
		Description string `json:"description"`
		Result      struct {
			Status   string `json:"status"`
			IsMember bool   `json:"is_member"`
		} `json:"result"`
	}
	switch err := json.Unmarshal(body, &answer); {
	case err != nil:
		return Finding{}, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	case status == 400 && isUnknownMember(answer.Description):
		return Finding{}, nil
	case status != 200 || !answer.OK:
		return Finding{}, fmt.Errorf("%w: status %d", ErrNoAnswer, status)
	}
	switch answer.Result.Status {
	case "creator", "administrator", "member":
		return Finding{Found: true}, nil
	case "restricted":
		return Finding{Found: answer.Result.IsMember}, nil
	}
	return Finding{}, nil // left, kicked
}

// isUnknownMember reports whether the description of an error says that the account is not known in the channel.
func isUnknownMember(description string) bool {
	switch description {
	case "Bad Request: user not found", "Bad Request: member not found", "Bad Request: PARTICIPANT_ID_INVALID",
		"Bad Request: invalid user_id specified":
		return true
	}
	return false
}
