-- +goose Up
-- Holds outlast their post: who looked for one before it was there meets it when it comes to write its own. NULL: the post is open.
ALTER TABLE outside_holds ADD COLUMN ended_at BIGINT;
CREATE INDEX outside_holds_over ON outside_holds (ended_at) WHERE ended_at IS NOT NULL;

-- +goose Down
DROP INDEX outside_holds_over;
DELETE FROM outside_holds WHERE ended_at IS NOT NULL;
ALTER TABLE outside_holds DROP COLUMN ended_at;
