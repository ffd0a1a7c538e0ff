-- +goose Up
-- When rules that run were left without a frequency: what referees earned then is never shared, and what they earned before it is. resumed_at NULL: it lasts.
CREATE TABLE rule_pauses (
    loyalty_rule_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    paused_at BIGINT NOT NULL,
    resumed_at BIGINT,
    PRIMARY KEY (loyalty_rule_id, paused_at),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES rule_cadences (website_id, loyalty_rule_id)
);

-- +goose Down
DROP TABLE rule_pauses;
