-- +goose Up
-- Secrets that are read again are stored sealed only (internal/vault). The server that starts next seals what these
-- columns, rules and edits still hold in the clear (internal/app/secrets.go). Other names keep a server of before from
-- reading sealed texts as secrets, and from writing plain ones.
ALTER TABLE loyalty_currencies RENAME COLUMN api_auth_value TO api_auth_sealed;
ALTER TABLE rule_sources RENAME COLUMN api_key TO api_key_sealed;

-- +goose Down
ALTER TABLE rule_sources RENAME COLUMN api_key_sealed TO api_key;
ALTER TABLE loyalty_currencies RENAME COLUMN api_auth_sealed TO api_auth_value;
