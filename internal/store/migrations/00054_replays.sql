-- +goose Up
-- Past completions that are decided again by a changed rule. Whoever takes a replay over begins it anew: it only reads.
CREATE TABLE rule_replays (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_rule_id UUID NOT NULL,
    draft TEXT NOT NULL, -- what would be changed, as JSON, without secrets
    from_at BIGINT NOT NULL,
    to_at BIGINT NOT NULL,
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    progress BIGINT NOT NULL, -- percent of the period
    result TEXT, -- JSON
    created_by_id UUID,
    attempts BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE INDEX rule_replays_of_rule ON rule_replays (loyalty_rule_id, created_at, id);
CREATE INDEX rule_replays_due ON rule_replays (due_at, id) WHERE status IN ('pending', 'processing');
CREATE INDEX rule_replays_open ON rule_replays (website_id, due_at) WHERE status IN ('pending', 'processing');
CREATE INDEX rule_replays_over ON rule_replays (updated_at) WHERE status NOT IN ('pending', 'processing');

-- +goose Down
DROP TABLE rule_replays;
