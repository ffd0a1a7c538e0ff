-- +goose Up
CREATE INDEX subscriptions_live ON subscriptions (organization_id, website_id) WHERE deleted_at IS NULL;
CREATE INDEX functions_live ON functions (organization_id, website_id) WHERE deleted_at IS NULL;

-- +goose Down
DROP INDEX functions_live;
DROP INDEX subscriptions_live;
