package platforms

import (
	"encoding/json"
	"time"

	"laurel.example/laurel"
)

// Question asks a platform whether an account has done what a rule asks for (contract 6).
type Question struct {
	RuleType   string
	Account    Account                    // of the member; zero: none is connected, and ContentURL names a post
	ContentURL string                     // the post or comment that the caller named; "": none
	Metadata   map[string]json.RawMessage // of the rule
	Texts      []string                   // of which one must be found; none: any text will do
	Hashtag    string                     // with or without a leading #; "": none
	Since      time.Time                  // only what was done from here on counts; zero: everything
	Until      time.Time                  // only what was done before counts
	DryRun     bool                       // nothing may be changed on the platform
	Tenant     string                     // each tenant has circuit breakers of its own
}

// Finding is what a platform says about an account. The zero Finding says that there is nothing.
type Finding struct {
	Found bool           // there is something: the account follows, is a member, has starred
	Value *laurel.Amount // a number that the platform measured, 0 or more; nil: none
	Text  *string        // a text of the account, such as the one of its profile; nil: none
	Post  *Post          // the post or comment that was looked for; nil: none
	// Missing names what was wanted and is not there, where the platform can say so; "": the thing itself.
	Missing Missing
	Stats   *ReactionStats // how often others have reacted to the post; nil: the platform did not say
}

// Missing names what an account has not done.
type Missing string

// What may be missing.
const (
	MissingPost    Missing = "post"
	MissingText    Missing = "text"
	MissingComment Missing = "comment"
	MissingRepost  Missing = "repost"
	MissingFollow  Missing = "follow"
)

// Post is a post, a comment or a video of an account.
type Post struct {
	ID        string
	AuthorID  string
	Text      string
	CreatedAt time.Time // zero: unknown
	HasMedia  bool
}

// ReactionStats counts the reactions to a post; nil: the platform does not say.
type ReactionStats struct{ Likes, Comments, Reposts *int64 }

// text returns a text property of the metadata; "" for another value, and if there is none.
func (q Question) text(name string) string {
	var s string
	_ = json.Unmarshal(q.Metadata[name], &s) // checked when it was stored
	return s
}

// isSet reports whether a property of the metadata is true.
func (q Question) isSet(name string) bool {
	var b bool
	_ = json.Unmarshal(q.Metadata[name], &b) // checked when it was stored
	return b
}

// covers reports whether a moment is in the time that counts.
func (q Question) covers(at time.Time) bool {
	return !at.Before(q.Since) && (q.Until.IsZero() || at.Before(q.Until))
}

// count returns a number of things as a finding, which is found if there are any.
func count(n int64) Finding {
	value := laurel.Amount(min(max(n, 0), int64(laurel.MaxAmount/laurel.One)-1)) * laurel.One
	return Finding{Found: n > 0, Value: &value}
}
