-- +goose Up
-- When rules run: frequency, start and end as the rule says them, the last run that was made and the next one; NULL: there is none.
CREATE TABLE rule_cadences (
    loyalty_rule_id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    frequency TEXT NOT NULL,
    start_at BIGINT NOT NULL,
    end_at BIGINT,
    last_at BIGINT,
    next_at BIGINT,
    UNIQUE (website_id, loyalty_rule_id),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE INDEX rule_cadences_due ON rule_cadences (next_at) WHERE next_at IS NOT NULL;

-- Runs. position is the last member that was looked at; it moves in the transaction that pays. due_at is when a node may take the run:
-- whoever works on it keeps moving it on, and one that died lets it come. The key is to the plan, which whoever makes runs holds: the rule
-- itself is held by whoever saves it and waits for the plan.
CREATE TABLE rule_runs (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_rule_id UUID NOT NULL,
    scheduled_at BIGINT NOT NULL,
    since BIGINT NOT NULL,
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    position TEXT NOT NULL,
    evaluated BIGINT NOT NULL,
    rewarded BIGINT NOT NULL,
    refused BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    owner UUID,
    attempts BIGINT NOT NULL,
    started_at BIGINT,
    finished_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (loyalty_rule_id, scheduled_at),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES rule_cadences (website_id, loyalty_rule_id)
);
CREATE INDEX rule_runs_due ON rule_runs (due_at) WHERE finished_at IS NULL;
CREATE INDEX rule_runs_open ON rule_runs (loyalty_rule_id, scheduled_at) WHERE finished_at IS NULL;

-- +goose Down
DROP TABLE rule_runs;
DROP TABLE rule_cadences;
