-- +goose Up
-- What happened on a website in a UTC day, summed up: the names stand in internal/report/figures.
CREATE TABLE daily_figures (
    website_id UUID NOT NULL,
    name TEXT NOT NULL,
    subject UUID NOT NULL,
    day BIGINT NOT NULL,
    detail TEXT NOT NULL,
    organization_id UUID NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (website_id, name, subject, day, detail),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);

-- The last day on which a member was active, for 100 days.
CREATE TABLE member_days (
    user_id UUID NOT NULL,
    website_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    day BIGINT NOT NULL,
    PRIMARY KEY (user_id, website_id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX member_days_oldest ON member_days (day);

-- +goose Down
DROP TABLE member_days;
DROP TABLE daily_figures;
