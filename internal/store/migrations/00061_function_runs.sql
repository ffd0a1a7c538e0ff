-- +goose Up
-- Runs of functions, kept 30 days. One that is left running when lease_at is over was cut off.
CREATE TABLE function_runs (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    function_id UUID NOT NULL,
    version BIGINT NOT NULL,
    trigger_kind TEXT NOT NULL,
    status TEXT NOT NULL,
    final BOOLEAN NOT NULL,
    output TEXT, -- JSON
    error TEXT,
    logs TEXT NOT NULL, -- a JSON array of texts
    duration_ms BIGINT NOT NULL,
    rule_id UUID,
    subscription_id UUID,
    event_id UUID,
    attempt BIGINT NOT NULL,
    scheduled_at BIGINT,
    lease_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, function_id) REFERENCES functions (website_id, id)
);
CREATE INDEX function_runs_newest ON function_runs (function_id, created_at, id);
CREATE INDEX function_runs_of_status ON function_runs (function_id, status, created_at, id);
CREATE INDEX function_runs_running ON function_runs (lease_at) WHERE status = 'running';
CREATE INDEX function_runs_old ON function_runs (created_at);
CREATE UNIQUE INDEX function_runs_of_tick ON function_runs (function_id, scheduled_at) WHERE scheduled_at IS NOT NULL;

-- +goose Down
DROP TABLE function_runs;
