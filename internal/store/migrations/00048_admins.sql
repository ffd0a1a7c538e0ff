-- +goose Up
-- admins: people who sign in to the dashboard -------------------------------------------------------------------------
CREATE TABLE admins (
    id UUID PRIMARY KEY,
    email TEXT NOT NULL UNIQUE, -- in lower case
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL, -- argon2id
    totp_secret TEXT, -- sealed; null: no second factor
    totp_step BIGINT NOT NULL, -- of the last code that was taken: none counts twice
    time_zone TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- Codes that take the place of the second factor, once each.
CREATE TABLE admin_recovery_codes (
    admin_id UUID NOT NULL REFERENCES admins (id),
    hash TEXT NOT NULL,
    PRIMARY KEY (admin_id, hash)
);

-- Each admin acts in an organization as a service user of it, which has the roles on websites. A role here counts on
-- every website of the organization, also on later ones.
CREATE TABLE admin_members (
    admin_id UUID NOT NULL REFERENCES admins (id),
    organization_id UUID NOT NULL REFERENCES organizations (id),
    user_id UUID NOT NULL,
    role_type TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (admin_id, organization_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id)
);
CREATE UNIQUE INDEX admin_members_users ON admin_members (organization_id, user_id);

-- Sessions of browsers. The token itself is in the cookie only.
CREATE TABLE admin_sessions (
    hash TEXT PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    admin_id UUID REFERENCES admins (id), -- null until the sign-in is complete
    data TEXT NOT NULL,
    address TEXT NOT NULL,
    agent TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX admin_sessions_of_admin ON admin_sessions (admin_id, seen_at) WHERE admin_id IS NOT NULL;
CREATE INDEX admin_sessions_over ON admin_sessions (expires_at);

-- Links that are good once.
CREATE TABLE admin_links (
    hash TEXT PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    kind TEXT NOT NULL, -- setup, invite, recover, enter
    organization_id UUID REFERENCES organizations (id),
    website_id UUID,
    role_type TEXT,
    email TEXT,
    admin_id UUID REFERENCES admins (id), -- whom it lets in
    created_by UUID REFERENCES admins (id), -- null: the command line
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);
CREATE INDEX admin_links_over ON admin_links (expires_at);

-- What people changed. A row is written before the change and ended after it: none happens without a row.
CREATE TABLE admin_acts (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    admin_id UUID NOT NULL REFERENCES admins (id),
    action TEXT NOT NULL,
    subject TEXT NOT NULL, -- the path below the website's
    created_at BIGINT NOT NULL,
    ended_at BIGINT, -- null: under way, or the server ended in the middle of it
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX admin_acts_of_website ON admin_acts (website_id, created_at, id);

-- +goose Down
DROP TABLE admin_acts;
DROP TABLE admin_links;
DROP TABLE admin_sessions;
DROP TABLE admin_members;
DROP TABLE admin_recovery_codes;
DROP TABLE admins;
