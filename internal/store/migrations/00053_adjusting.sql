-- +goose Up
-- What admins without the right to adjust freely may give and take in a currency on a day of UTC. A website without a
-- row has the default.
CREATE TABLE admin_limits (
    website_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    adjust_a_day BIGINT NOT NULL, -- millionths
    PRIMARY KEY (website_id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);

-- What they have given and taken, each adjustment before it is posted: of two at once both count.
CREATE TABLE admin_adjustments (
    id UUID PRIMARY KEY, -- the key of the form
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    admin_id UUID NOT NULL REFERENCES admins (id),
    loyalty_currency_id UUID NOT NULL,
    amount BIGINT NOT NULL, -- millionths, without sign
    created_at BIGINT NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX admin_adjustments_of_day ON admin_adjustments (website_id, admin_id, loyalty_currency_id, created_at);
CREATE INDEX admin_adjustments_over ON admin_adjustments (created_at);

-- +goose Down
DROP TABLE admin_adjustments;
DROP TABLE admin_limits;
