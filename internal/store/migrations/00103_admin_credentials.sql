-- +goose Up
-- Raised with every change that ends the sessions of an admin. A session, and a sign-in that waits for its second
-- factor, are good only under the version that they began with.
ALTER TABLE admins ADD COLUMN credentials_version BIGINT NOT NULL DEFAULT 1;

-- +goose Down
ALTER TABLE admins DROP COLUMN credentials_version;
