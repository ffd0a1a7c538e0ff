package external

import (
	"cmp"
	"database/sql/driver"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// row is the stored form of a post.
type row struct {
	ID             laurel.ID            `db:"id"`
	OrganizationID laurel.ID            `db:"organization_id"`
	WebsiteID      laurel.ID            `db:"website_id"`
	CurrencyID     laurel.ID            `db:"loyalty_currency_id" update:"no"`
	RuleID         laurel.NullID        `db:"loyalty_rule_id" update:"no"`
	Kind           string               `db:"kind" update:"no"`
	Entries        laurel.List[Entry]   `db:"entries" update:"no"`
	Record         storedRecord         `db:"record" update:"no"`
	Guards         laurel.List[string]  `db:"holds" update:"no"`
	Status         string               `db:"status"`
	Message        string               `db:"message"`
	Result         string               `db:"answer"`
	TransactionID  laurel.NullID        `db:"loyalty_transaction_id"`
	InDoubt        bool                 `db:"in_doubt" update:"no"` // written by the queue, as are its times and attempts
	DueAt          laurel.Timestamp     `db:"due_at" update:"no"`
	Attempts       int64                `db:"attempts" update:"no"`
	CreatedAt      laurel.Timestamp     `db:"created_at"`
	UpdatedAt      laurel.Timestamp     `db:"updated_at"`
	FinishedAt     laurel.NullTimestamp `db:"finished_at"`
	isNew          bool
}

// storedRecord is the JSON in the column record: the record itself and the request that caused the post.
type storedRecord struct {
	Record         json.RawMessage `json:"record"`
	Request        *Request        `json:"request,omitempty"`
	NeverCancelled bool            `json:"patient,omitempty"`
}

// Value stores the text of a JSON object.
func (r storedRecord) Value() (driver.Value, error) {
	b, err := json.Marshal(r)
	return string(b), err
}

// Scan reads the text of a JSON object.
func (r *storedRecord) Scan(src any) error { return laurel.ScanJSON(src, r) }

// post returns the post that the row stores.
func (r row) post() Post {
	return Post{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, CurrencyID: r.CurrencyID, RuleID: r.RuleID.ID,
		Kind: r.Kind, Entries: r.Entries, Record: r.Record.Record, Request: r.Record.Request,
		NeverCancelled: r.Record.NeverCancelled, Guards: r.Guards, Status: r.Status, Message: r.Message, Result: r.Result,
		TransactionID: r.TransactionID.ID, InDoubt: r.InDoubt, Attempts: r.Attempts, DueAt: r.DueAt.Time,
		CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time, FinishedAt: r.FinishedAt.Time,
	}
}

// posts is the table of posts for Works.
var posts = &store.Table[laurel.ID, row]{
	Name: "external posts", Rank: store.LockRankExternalPosts,
	Compare: laurel.ID.Compare,
	Query:   postTable.As("t").Query(),
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(r *row) laurel.ID { return r.ID },
	New:     func(id laurel.ID) *row { return &row{ID: id, isNew: true} },
	Save:    postTable.Saver(func(r *row) bool { return r.isNew }),
}

// guard is a name that at most one open post has, so that nothing is paid for twice. Its row stays after the post ends,
// for the next one: a Work that takes the guard waits for the lock of the row, or for its unique name if it is new.
// So it cannot decide on what was true before the post.
type guard struct {
	Name           string               `db:"hold" update:"key"`
	PostID         laurel.ID            `db:"post_id"` // the newest post
	OrganizationID laurel.ID            `db:"organization_id"`
	WebsiteID      laurel.ID            `db:"website_id"`
	EndedAt        laurel.NullTimestamp `db:"ended_at"` // none: the post is open, or there was none yet
	isNew          bool
}

// guards is the table of guards for Works.
var guards = &store.Table[string, guard]{
	Name: "external guards", Rank: store.LockRankExternalHolds,
	Compare: cmp.Compare[string],
	Query:   guardTable.As("t").Query(),
	Key:     store.Columns("hold text"),
	Args:    func(h string) []any { return []any{h} },
	KeyOf:   func(h *guard) string { return h.Name },
	New:     func(h string) *guard { return &guard{Name: h, isNew: true} },
	Save:    guardTable.Saver(func(g *guard) bool { return g.isNew }),
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
		if r := guards.Row(b, name); !r.PostID.IsZero() && r.EndedAt.IsZero() {
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
	record := storedRecord{p.Record, p.Request, p.NeverCancelled}
	if _, err := record.Value(); err != nil {
		return err
	}
	now := laurel.Timestamp{Time: b.Now()}
	*posts.Changed(b, p.ID) = row{
		ID: p.ID, OrganizationID: p.OrganizationID, WebsiteID: p.WebsiteID, CurrencyID: p.CurrencyID,
		RuleID: laurel.NullableID(p.RuleID), Kind: p.Kind, Entries: p.Entries, Record: record, Guards: p.Guards, Status: Open,
		DueAt: now, CreatedAt: now, UpdatedAt: now, isNew: true,
	}
	for _, name := range p.Guards {
		h := guards.Changed(b, name)
		h.PostID, h.OrganizationID, h.WebsiteID = p.ID, p.OrganizationID, p.WebsiteID
		h.EndedAt = laurel.NullTimestamp{}
	}
	return nil
}

// IsOpen reports whether a locked post has not ended yet. Another node may have ended it.
func IsOpen(b *store.Batch, id laurel.ID) bool {
	r := posts.Row(b, id)
	return !r.isNew && r.FinishedAt.IsZero()
}

// End ends a post as done: transaction has written it here, with the given result.
func End(b *store.Batch, p Post, transaction laurel.ID, answer string) {
	r := p.end(b, Done, "")
	r.Result, r.TransactionID.ID = answer, transaction
}

// end ends a locked post with a status and a message, and frees its guards for other posts. It returns the post's row,
// so that the caller can change more of it.
func (p *Post) end(b *store.Batch, status, message string) *row {
	now := laurel.Timestamp{Time: b.Now()}
	for _, name := range p.Guards {
		if h := guards.Row(b, name); h.PostID == p.ID {
			guards.Changed(b, name).EndedAt.Timestamp = now
		}
	}
	r := posts.Changed(b, p.ID)
	r.Status, r.Message, r.UpdatedAt, r.FinishedAt.Timestamp = status, message, now, now
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
