-- +goose Up
-- What is due is looked for website by website: none waits behind another one's.
CREATE INDEX payouts_due_of_website ON payouts (website_id, due_at, id) WHERE status IN ('waiting', 'sent');
DROP INDEX payouts_due;

-- +goose Down
CREATE INDEX payouts_due ON payouts (due_at, id) WHERE status IN ('waiting', 'sent');
DROP INDEX payouts_due_of_website;
