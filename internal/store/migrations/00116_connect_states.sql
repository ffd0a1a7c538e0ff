-- +goose Up
-- Flows in which members connect an account elsewhere, between their start and the return of the browser. The state is
-- here as a hash alone. A state is used once; used and old ones stay for an hour, so that a late browser is told why.
CREATE TABLE connect_states (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    user_id UUID NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    platform TEXT NOT NULL,
    role_type TEXT NOT NULL, -- the kind of the key that has started the flow
    redirect TEXT NOT NULL, -- where the browser goes in the end; empty: a page of the service
    skips_channel BOOLEAN NOT NULL,
    browser_hash TEXT NOT NULL, -- of the mark of the browser that may end the flow; empty: any browser
    proof_sealed TEXT NOT NULL, -- the PKCE verifier and the nonce; empty once they were used
    expires_at BIGINT NOT NULL,
    used_at BIGINT,
    created_at BIGINT NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id)
);
CREATE INDEX connect_states_old ON connect_states (expires_at);

-- +goose Down
DROP TABLE connect_states;
