-- +goose Up
-- Resets of currencies and debits of deleted rules, carried out step by step. position is where the next step begins, as JSON.
CREATE TABLE clearing_jobs (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    kind TEXT NOT NULL,
    loyalty_currency_id UUID,
    loyalty_rule_id UUID,
    status TEXT NOT NULL,
    message TEXT,
    position TEXT NOT NULL,
    accounts BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    created_by_id UUID,
    due_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX clearing_jobs_newest ON clearing_jobs (website_id, created_at, id);
CREATE INDEX clearing_jobs_due ON clearing_jobs (due_at) WHERE status = 'processing';
CREATE UNIQUE INDEX clearing_jobs_of_currency ON clearing_jobs (loyalty_currency_id) WHERE status = 'processing' AND loyalty_currency_id IS NOT NULL;
CREATE UNIQUE INDEX clearing_jobs_of_rule ON clearing_jobs (loyalty_rule_id) WHERE status = 'processing' AND loyalty_rule_id IS NOT NULL;

-- Up to which version of an account what a rule paid it is debited: a payment is taken back once, however often the rule is deleted.
CREATE TABLE rule_debits (
    loyalty_rule_id UUID NOT NULL,
    loyalty_account_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    clearing_job_id UUID NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (loyalty_rule_id, loyalty_account_id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);

-- +goose Down
DROP TABLE rule_debits;
DROP TABLE clearing_jobs;
