package external

import (
	"cmp"
	"encoding/json"

	"laurel"
	"laurel/internal/store"
)

// row is the stored form of a post.
type row struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	CurrencyID     laurel.ID `db:"loyalty_currency_id"`
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	Kind           string    `db:"kind"`
	Entries        string    `db:"entries"`
	Record         string    `db:"record"`
	Guards         string    `db:"holds"`
	Status         string    `db:"status"`
	Message        string    `db:"message"`
	Result         string    `db:"answer"`
	TransactionID  laurel.ID `db:"loyalty_transaction_id"`
	InDoubt        bool      `db:"in_doubt"`
	DueAt          int64     `db:"due_at"`
	Attempts       int64     `db:"attempts"`
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
	FinishedAt     *int64    `db:"finished_at"`
	isNew          bool
}

// storedRecord is the JSON in the column record: the record itself and the request that caused the post.
type storedRecord struct {
	Record         json.RawMessage `json:"record"`
	Request        *Request        `json:"request,omitempty"`
	NeverCancelled bool            `json:"patient,omitempty"`
}

// post returns the post that the row stores, or an error if its JSON is malformed.
func (r row) post() (Post, error) {
	p := Post{
		ID:             r.ID,
		OrganizationID: r.OrganizationID,
		WebsiteID:      r.WebsiteID,
		CurrencyID:     r.CurrencyID,
		RuleID:         r.RuleID,
		Kind:           r.Kind,
		Status:         r.Status,
		Message:        r.Message,
		Result:         r.Result,
		TransactionID:  r.TransactionID,
		InDoubt:        r.InDoubt,
		Attempts:       r.Attempts,
		DueAt:          store.Time(r.DueAt),
		CreatedAt:      store.Time(r.CreatedAt),
		UpdatedAt:      store.Time(r.UpdatedAt),
	}
	if r.FinishedAt != nil {
		p.FinishedAt = store.Time(*r.FinishedAt)
	}
	var stored storedRecord
	for text, to := range map[string]any{r.Entries: &p.Entries, r.Record: &stored, r.Guards: &p.Guards} {
		if err := json.Unmarshal([]byte(text), to); err != nil {
			return p, err
		}
	}
	p.Record, p.Request, p.NeverCancelled = stored.Record, stored.Request, stored.NeverCancelled
	return p, nil
}

// posts is the table of posts for Works.
var posts = &store.Table[laurel.ID, row]{
	Name: "external posts", Rank: store.LockRankExternalPosts,
	Compare: laurel.ID.Compare,
	Query:   selectPost,
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(r *row) laurel.ID { return r.ID },
	New:     func(id laurel.ID) *row { return &row{ID: id, isNew: true} },
	Save:    savePosts,
}

// guard is a name that at most one open post has, so that nothing is paid for twice. Its row stays after the post ends,
// for the next one: a Work that takes the guard waits for the lock of the row, or for its unique name if it is new.
// So it cannot decide on what was true before the post.
type guard struct {
	Name           string    `db:"hold"`
	PostID         laurel.ID `db:"post_id"` // the newest post
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	EndedAt        *int64    `db:"ended_at"` // nil: the post is open, or there was none yet
	isNew          bool
}

// guards is the table of guards for Works.
var guards = &store.Table[string, guard]{
	Name: "external guards", Rank: store.LockRankExternalHolds,
	Compare: cmp.Compare[string],
	Query:   selectGuard,
	Key:     store.Columns("hold text"),
	Args:    func(h string) []any { return []any{h} },
	KeyOf:   func(h *guard) string { return h.Name },
	New:     func(h string) *guard { return &guard{Name: h, isNew: true} },
	Save:    saveGuards,
}

// Locks names the rows that BlockedBy, IsRequestClaimed, Stage and End use: the post, its guards and its request's key.
func (p *Post) Locks() []store.Lock {
	locks := []store.Lock{posts.Lock(p.ID)}
	for _, name := range p.Guards {
		locks = append(locks, guards.Lock(name))
	}
	if p.Request != nil {
		locks = append(locks, p.Request.keyID().Lock())
	}
	return locks
}

// BlockedBy returns the open post that has one of this post's guards, or the zero id.
func (p *Post) BlockedBy(b *store.Batch) laurel.ID {
	for _, name := range p.Guards {
		if r := guards.Row(b, name); !r.PostID.IsZero() && r.EndedAt == nil {
			return r.PostID
		}
	}
	return laurel.ID{}
}

// IsRequestClaimed reports whether the request that caused the post has had its effect already.
func (p *Post) IsRequestClaimed(b *store.Batch) bool {
	return p.Request != nil && p.Request.keyID().IsClaimed(b)
}

func (r *Request) keyID() store.KeyID { return store.KeyID{APIKeyID: r.APIKeyID, Key: r.Key} }

// Stage adds a new post, with its guards, to the rows that the batch writes at its end. The locks of the batch must
// include p.Locks.
func Stage(b *store.Batch, p Post) error {
	now := store.Micros(b.Now())
	r := posts.Changed(b, p.ID)
	*r = row{
		ID:             p.ID,
		OrganizationID: p.OrganizationID,
		WebsiteID:      p.WebsiteID,
		CurrencyID:     p.CurrencyID,
		RuleID:         p.RuleID,
		Kind:           p.Kind,
		Status:         Open,
		DueAt:          now,
		CreatedAt:      now,
		UpdatedAt:      now,
		isNew:          true,
	}
	for to, value := range map[*string]any{
		&r.Entries: p.Entries, &r.Record: storedRecord{p.Record, p.Request, p.NeverCancelled}, &r.Guards: p.Guards,
	} {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		*to = string(text)
	}
	for _, name := range p.Guards {
		h := guards.Changed(b, name)
		h.PostID, h.OrganizationID, h.WebsiteID, h.EndedAt = p.ID, p.OrganizationID, p.WebsiteID, nil
	}
	return nil
}

// IsOpen reports whether a locked post has not ended yet. Another node may have ended it.
func IsOpen(b *store.Batch, id laurel.ID) bool {
	r := posts.Row(b, id)
	return !r.isNew && r.FinishedAt == nil
}

// End ends a post as done: transaction has written it here, with the given result.
func End(b *store.Batch, p Post, transaction laurel.ID, answer string) {
	r := p.end(b, Done, "")
	r.Result, r.TransactionID = answer, transaction
}

// end ends a locked post with a status and a message, and frees its guards for other posts. It returns the post's row,
// so that the caller can change more of it.
func (p *Post) end(b *store.Batch, status, message string) *row {
	now := store.Micros(b.Now())
	for _, name := range p.Guards {
		if h := guards.Row(b, name); h.PostID == p.ID {
			guards.Changed(b, name).EndedAt = &now
		}
	}
	r := posts.Changed(b, p.ID)
	r.Status, r.Message, r.UpdatedAt, r.FinishedAt = status, message, now, &now
	return r
}

// endWork is the Work that ends a post without a transaction, unless there was another attempt of it meanwhile.
type endWork struct {
	post            Post
	status, message string
}

func (c endWork) String() string      { return "post " + c.post.ID.String() }
func (c endWork) Locks() []store.Lock { return c.post.Locks() }

// Judge ends the post, unless it has ended or was attempted again since.
func (c endWork) Judge(b *store.Batch) error {
	if IsOpen(b, c.post.ID) && posts.Row(b, c.post.ID).Attempts == c.post.Attempts {
		c.post.end(b, c.status, c.message)
	}
	return nil
}
