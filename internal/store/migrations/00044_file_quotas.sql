-- +goose Up
-- Files have quotas. A row with removed_at is a file that is decided to go: nobody sees it, it counts no more, and it
-- goes for good once its bytes have left the disk. Of hosts only those stay that a service was reached by: they know
-- urls that were given out before.
ALTER TABLE assets ADD COLUMN removed_at BIGINT;
UPDATE assets SET host = '' WHERE LENGTH(host) > 255;
DROP INDEX assets_unused;
CREATE INDEX assets_unused ON assets (expires_at) WHERE uploaded_at IS NULL AND removed_at IS NULL;
CREATE INDEX assets_removed ON assets (id) WHERE removed_at IS NOT NULL;
CREATE INDEX assets_of_organization ON assets (organization_id, id);
CREATE INDEX assets_of_website ON assets (website_id, id);
CREATE INDEX assets_of_user ON assets (user_id, id) WHERE user_id IS NOT NULL;

-- The bytes that files take, announced ones too: under 'instance' of all, under a website's id of that website, under
-- 'website/user' of one member. A file counts at least 4096 bytes.
CREATE TABLE asset_usage (
    name TEXT PRIMARY KEY,
    bytes BIGINT NOT NULL
);
INSERT INTO asset_usage (name, bytes)
SELECT 'instance', COALESCE(SUM(CASE WHEN file_size < 4096 THEN 4096 ELSE file_size END), 0) FROM assets;
INSERT INTO asset_usage (name, bytes)
SELECT CAST(website_id AS TEXT), SUM(CASE WHEN file_size < 4096 THEN 4096 ELSE file_size END)
FROM assets GROUP BY website_id;
INSERT INTO asset_usage (name, bytes)
SELECT CAST(website_id AS TEXT) || '/' || CAST(user_id AS TEXT),
    SUM(CASE WHEN file_size < 4096 THEN 4096 ELSE file_size END)
FROM assets WHERE user_id IS NOT NULL GROUP BY website_id, user_id;

-- +goose Down
DROP TABLE asset_usage;
DROP INDEX assets_of_user;
DROP INDEX assets_of_website;
DROP INDEX assets_of_organization;
DROP INDEX assets_removed;
DROP INDEX assets_unused;
DELETE FROM assets WHERE removed_at IS NOT NULL;
ALTER TABLE assets DROP COLUMN removed_at;
CREATE INDEX assets_unused ON assets (expires_at) WHERE uploaded_at IS NULL;
