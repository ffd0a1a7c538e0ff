-- +goose Up
-- Accounts at identity providers by which admins sign in. Whoever has proven one is that admin, also if the e-mail
-- address changes there.
CREATE TABLE admin_identities (
    id UUID PRIMARY KEY,
    admin_id UUID NOT NULL REFERENCES admins (id),
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    email TEXT NOT NULL, -- as the provider named it last, to show; empty: it named none
    created_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL,
    UNIQUE (issuer, subject),
    UNIQUE (admin_id, issuer)
);

-- Hashes of the states of sign-ins that browsers have come back with, so that each counts once. What belongs to a state
-- is in a sealed cookie of the browser, which expires at the same time.
CREATE TABLE admin_used_states (
    hash TEXT PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX admin_used_states_old ON admin_used_states (expires_at);

-- +goose Down
DROP TABLE admin_used_states;
DROP TABLE admin_identities;
