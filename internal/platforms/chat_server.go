package platforms

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// chatServer asks the HTTP API of Discord, version 10 (https://docs.discord.com/developers/resources/guild). The token
// is that of a bot on the servers. Roles are granted with the permission MANAGE_ROLES; messages are counted by "Search
// Guild Messages", which needs READ_MESSAGE_HISTORY and the message content intent.
var chatServer = apiDriver{
	url:        "https://discord.com/api/v10",
	needsToken: true,
	headers: func(token string) map[string]string {
		return map[string]string{"Authorization": "Bot " + token}
	},
	answers: map[string]apiAnswer{
		"chat_server_join":       {chatServerJoined, []string{"chatServersToJoin"}},
		"chat_server_member":     {chatServerHasRole, []string{"chatServersToJoin"}},
		"chat_server_role_grant": {chatServerGrantRoles, []string{"chatServersToJoin"}},
		"chat_server_messages":   {chatServerMessages, []string{"chatServersToJoin"}},
	},
}

// wantedServer is a chat server of a rule (contract 3.13, chatServersToJoin).
type wantedServer struct {
	ID       string          `json:"id"`
	Channels []wantedChannel `json:"channels"`
	Roles    []named         `json:"roles"`
}

// named is a role or an emoji of a chat server.
type named struct {
	ID string `json:"id"`
}

// wantedChannel is a channel of a chat server, with the text or the emojis that messages must hold.
type wantedChannel struct {
	ID     string  `json:"id"`
	Text   string  `json:"text"`
	Emojis []named `json:"emojis"`
}

// wantedServers returns the chat servers of the rule. What is not as contract 3.13 has it is left out: an older version
// has stored it unchecked.
func wantedServers(q Question) []wantedServer {
	var list []wantedServer
	_ = json.Unmarshal(q.Metadata["chatServersToJoin"], &list) // leaves out what is of another kind
	for _, server := range list {
		for i, channel := range server.Channels {
			server.Channels[i].Emojis = slices.DeleteFunc(channel.Emojis, func(e named) bool { return e.ID == "" })
		}
	}
	return slices.DeleteFunc(list, func(s wantedServer) bool { return s.ID == "" })
}

// chatServerMember returns the roles of the account on a server; isMember is false if it is not there.
func chatServerMember(
	ctx context.Context, s *apiSession, server string, a Account,
) (roles []string, isMember bool, err error) {
	var member struct{ Roles []string }
	status, err := s.get(ctx, "/guilds/"+url.PathEscape(server)+"/members/"+url.PathEscape(a.ID), nil, &member)
	if err == nil {
		err = unexpected(status) // 404: Unknown Member, or Unknown User
	}
	return member.Roles, status == 200, err
}

// chatServerJoined reports whether the account is on all servers of the rule.
func chatServerJoined(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	servers := wantedServers(q)
	for _, server := range servers {
		_, isMember, err := chatServerMember(ctx, s, server.ID, q.Account)
		if !isMember || err != nil {
			return Finding{}, err
		}
	}
	return Finding{Found: len(servers) > 0}, nil
}

// chatServerHasRole reports whether the account is on one of the servers with one of the roles that the rule names
// there; any member counts on servers without roles.
func chatServerHasRole(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	for _, server := range wantedServers(q) {
		roles, isMember, err := chatServerMember(ctx, s, server.ID, q.Account)
		if err != nil {
			return Finding{}, err
		}
		found := isMember && len(server.Roles) == 0
		for _, role := range server.Roles {
			found = found || isMember && slices.Contains(roles, role.ID)
		}
		if found {
			return Finding{Found: true}, nil
		}
	}
	return Finding{}, nil
}

// chatServerGrantRoles grants the roles of the rule to the account, which must be on the servers. Granting a role again
// changes nothing. A dry run only looks whether the account is there.
func chatServerGrantRoles(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	found := false
	for _, server := range wantedServers(q) {
		roles, isMember, err := chatServerMember(ctx, s, server.ID, q.Account)
		if !isMember || err != nil {
			return Finding{}, err
		}
		for _, role := range server.Roles {
			if role.ID == "" {
				continue
			}
			found = true
			if q.DryRun || slices.Contains(roles, role.ID) {
				continue
			}
			path := fmt.Sprintf("/guilds/%s/members/%s/roles/%s",
				url.PathEscape(server.ID), url.PathEscape(q.Account.ID), url.PathEscape(role.ID))
			status, _, err := s.call(ctx, apiRequest{method: "PUT", path: path})
			if err == nil && status != 204 {
				err = fmt.Errorf("%w: granting a role has status %d", ErrNoAnswer, status)
			}
			if err != nil {
				return Finding{}, err
			}
		}
	}
	return Finding{Found: found}, nil
}

const (
	// chatEpoch is the moment from which ids of messages count milliseconds (snowflakes).
	chatEpoch        = 1_420_070_400_000
	chatSearchPage   = 25
	maxSearchContent = 1024 // characters
)

// chatMessageID returns the lowest id of a message at a moment.
func chatMessageID(at time.Time) string {
	return strconv.FormatInt(max(at.UnixMilli()-chatEpoch, 0)<<22, 10)
}

// chatServerMessages counts the messages of the account in the time that counts, in the channels that the rule names;
// on servers without channels, in all of them.
func chatServerMessages(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	var sum int64
	for _, server := range wantedServers(q) {
		channels := server.Channels
		if len(channels) == 0 {
			channels = []wantedChannel{{}}
		}
		for _, channel := range channels {
			n, err := countChatMessages(ctx, s, server.ID, channel, q)
			if err != nil {
				return Finding{}, err
			}
			sum += n
		}
	}
	return count(sum), nil
}

// chatSearch is the answer of a search: groups of messages, of which each has one hit.
type chatSearch struct {
	Total    int64 `json:"total_results"`
	Messages [][]struct {
		Content string `json:"content"`
		Hit     *bool  `json:"hit"`
	} `json:"messages"`
}

// countChatMessages counts the messages of the account in one channel. With a text or emojis it reads the messages, as
// the search finds words and not texts; without them the search itself counts.
func countChatMessages(
	ctx context.Context, s *apiSession, server string, channel wantedChannel, q Question,
) (int64, error) {
	query := url.Values{"author_id": {q.Account.ID}, "limit": {strconv.Itoa(chatSearchPage)}}
	if channel.ID != "" {
		query.Set("channel_id", channel.ID)
	}
	if !q.Since.IsZero() {
		query.Set("min_id", chatMessageID(q.Since))
	}
	if !q.Until.IsZero() {
		query.Set("max_id", chatMessageID(q.Until))
	}
	if text := []rune(channel.Text); len(text) > 0 {
		query.Set("content", string(text[:min(len(text), maxSearchContent)]))
	}
	var n int64
	for offset := 0; ; offset += chatSearchPage {
		query.Set("offset", strconv.Itoa(offset))
		var found chatSearch
		status, err := s.get(ctx, "/guilds/"+url.PathEscape(server)+"/messages/search", query, &found)
		switch {
		case err != nil:
			return 0, err
		case status != 200: // 202: the server is still being indexed
			return 0, fmt.Errorf("%w: a search has status %d", ErrNoAnswer, status)
		case channel.Text == "" && len(channel.Emojis) == 0:
			return found.Total, nil
		}
		for _, group := range found.Messages {
			for _, message := range group {
				if (message.Hit == nil || *message.Hit) && channel.matches(message.Content) {
					n++
				}
			}
		}
		if int64(offset+chatSearchPage) >= found.Total {
			return n, nil
		}
		if s.calls >= maxCalls { // what was read so far counts
			return n, nil
		}
	}
}

// matches reports whether a message holds the text and one of the emojis that the channel asks for.
func (c wantedChannel) matches(content string) bool {
	if !strings.Contains(strings.ToLower(content), strings.ToLower(c.Text)) {
		return false
	}
	for _, emoji := range c.Emojis {
		if strings.Contains(content, ":"+emoji.ID+">") || strings.Contains(content, emoji.ID) {
			return true
		}
	}
	return len(c.Emojis) == 0
}
