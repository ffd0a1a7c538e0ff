-- +goose Up
-- Roles are looked up by their user, revoked ones too, and listed by organization.
CREATE INDEX website_user_roles_of_user ON website_user_roles (website_id, user_id, role_type);
CREATE INDEX website_user_roles_newest ON website_user_roles (organization_id, created_at, id) WHERE deleted_at IS NULL;

-- +goose Down
DROP INDEX website_user_roles_newest;
DROP INDEX website_user_roles_of_user;
