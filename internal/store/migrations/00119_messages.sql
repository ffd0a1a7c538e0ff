-- +goose Up
-- Messages to members, which the limits of SMS and e-mail count for an hour.
CREATE TABLE message_sendings (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    kind TEXT NOT NULL,
    recipient TEXT NOT NULL,
    user_id UUID NOT NULL,
    created_at BIGINT NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX message_sendings_to ON message_sendings (website_id, kind, recipient, created_at);
CREATE INDEX message_sendings_of_user ON message_sendings (website_id, kind, user_id, created_at);
CREATE INDEX message_sendings_old ON message_sendings (created_at);

-- The outbox of development: messages that no gateway sends, for a day.
CREATE TABLE outbox_messages (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    kind TEXT NOT NULL,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX outbox_messages_newest ON outbox_messages (website_id, created_at, id);
CREATE INDEX outbox_messages_old ON outbox_messages (created_at);

-- Codes that prove phone numbers: one for each member, which a new one replaces. Only a keyed hash of the code is here.
CREATE TABLE phone_codes (
    website_id UUID NOT NULL,
    user_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    phone_number TEXT NOT NULL,
    code_hash TEXT NOT NULL,
    attempts BIGINT NOT NULL, -- wrong ones
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (website_id, user_id),
    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX phone_codes_old ON phone_codes (expires_at);

-- +goose Down
DROP TABLE phone_codes;
DROP TABLE outbox_messages;
DROP TABLE message_sendings;
