-- +goose Up
-- Badges (contract 3.21). conditions, rewards and csv_files are arrays with their ids. version is raised by every saving:
-- whoever grants compares it under the badge's gate.
CREATE TABLE loyalty_badges (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    image_url TEXT NOT NULL,
    hide_in_ui BOOLEAN NOT NULL,
    conditions TEXT NOT NULL,
    rewards TEXT NOT NULL,
    csv_files TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    UNIQUE (website_id, id)
);
CREATE INDEX loyalty_badges_newest ON loyalty_badges (website_id, created_at, id);
CREATE INDEX loyalty_badges_of_organization ON loyalty_badges (organization_id, created_at, id);

-- What the conditions of live badges name: a change finds the badges that it may concern, however many there are.
CREATE TABLE badge_watches (
    target_id UUID NOT NULL,
    badge_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    PRIMARY KEY (target_id, badge_id),
    FOREIGN KEY (website_id, badge_id) REFERENCES loyalty_badges (website_id, id)
);
CREATE INDEX badge_watches_of_badge ON badge_watches (badge_id);
CREATE INDEX badge_watches_of_website ON badge_watches (website_id);

-- A member and a badge: one row, from the first judgement that concerns it. share is how far the member is, in percent.
-- rewarded_at: its rewards were paid, and never are again. loyalty_rule_id gave it; dynamic: as long as what the rule asks
-- for holds.
CREATE TABLE loyalty_badge_users (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_badge_id UUID NOT NULL,
    user_id UUID NOT NULL,
    status TEXT NOT NULL,
    hide_in_ui BOOLEAN NOT NULL,
    dismissed_in_ui BOOLEAN NOT NULL,
    progress TEXT NOT NULL,
    share BIGINT NOT NULL,
    rewarded_at BIGINT,
    loyalty_rule_id UUID,
    dynamic BOOLEAN NOT NULL,
    completed_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    FOREIGN KEY (website_id, loyalty_badge_id) REFERENCES loyalty_badges (website_id, id),
    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id)
);
CREATE UNIQUE INDEX loyalty_badge_users_once ON loyalty_badge_users (loyalty_badge_id, user_id);
CREATE INDEX loyalty_badge_users_newest ON loyalty_badge_users (loyalty_badge_id, created_at, id);
CREATE INDEX loyalty_badge_users_by_share ON loyalty_badge_users (loyalty_badge_id, status, share);
CREATE INDEX loyalty_badge_users_of_user ON loyalty_badge_users (user_id, website_id);
CREATE INDEX loyalty_badge_users_of_rule ON loyalty_badge_users (loyalty_rule_id, user_id) WHERE loyalty_rule_id IS NOT NULL;

-- Members who appear to have earned a badge, until it is granted.
CREATE TABLE badge_dues (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_badge_id UUID NOT NULL,
    user_id UUID NOT NULL,
    attempts BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, loyalty_badge_id) REFERENCES loyalty_badges (website_id, id)
);
CREATE UNIQUE INDEX badge_dues_once ON badge_dues (loyalty_badge_id, user_id);
CREATE INDEX badge_dues_due ON badge_dues (due_at, id);
CREATE INDEX badge_dues_of_website ON badge_dues (website_id, due_at, id);

-- Work over all members of a website, or over a list: kind members, csv or level (the best ranks, by the hour). cursor is the
-- user or the wallet that was judged last, total how many there are.
CREATE TABLE badge_jobs (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_badge_id UUID NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    cursor TEXT NOT NULL,
    total BIGINT,
    judged BIGINT NOT NULL,
    earned BIGINT NOT NULL,
    refused BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    finished_at BIGINT,
    FOREIGN KEY (website_id, loyalty_badge_id) REFERENCES loyalty_badges (website_id, id)
);
CREATE INDEX badge_jobs_newest ON badge_jobs (loyalty_badge_id, created_at, id);
CREATE INDEX badge_jobs_due ON badge_jobs (due_at, id) WHERE finished_at IS NULL;
CREATE INDEX badge_jobs_of_website ON badge_jobs (website_id, due_at, id) WHERE finished_at IS NULL;
CREATE INDEX badge_jobs_finished ON badge_jobs (finished_at) WHERE finished_at IS NOT NULL;

-- A member has the multipliers of a badge; the badge ends them when it is revoked or deleted.
CREATE INDEX loyalty_multipliers_of_badge ON loyalty_multipliers (loyalty_badge_id, user_id) WHERE deleted_at IS NULL AND loyalty_badge_id IS NOT NULL;

-- Deleted badges whose many holders are still to be revoked.
CREATE TABLE badge_endings (
    loyalty_badge_id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    created_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, loyalty_badge_id) REFERENCES loyalty_badges (website_id, id)
);

-- +goose Down
DROP TABLE badge_endings;
DROP INDEX loyalty_multipliers_of_badge;
DROP TABLE badge_jobs;
DROP TABLE badge_dues;
DROP TABLE loyalty_badge_users;
DROP TABLE badge_watches;
DROP TABLE loyalty_badges;
