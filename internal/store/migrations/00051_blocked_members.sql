-- +goose Up
-- Blocked members are few, and are listed.
CREATE INDEX members_blocked ON members (website_id, user_id) WHERE is_blocked;

-- +goose Down
DROP INDEX members_blocked;
