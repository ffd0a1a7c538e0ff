-- +goose Up
-- How many attempts of each subscription were taken and failed, by the hour in which they ended.
CREATE TABLE subscription_hours (
    subscription_id UUID NOT NULL,
    hour BIGINT NOT NULL, -- its first microsecond, UTC
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    taken BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    PRIMARY KEY (subscription_id, hour),
    FOREIGN KEY (website_id, subscription_id) REFERENCES subscriptions (website_id, id)
);
CREATE INDEX subscription_hours_old ON subscription_hours (hour);

-- Those that somebody asked for again, until an attempt was made.
CREATE INDEX subscription_deliveries_asked ON subscription_deliveries (subscription_id, event_id) WHERE again <> '';

-- +goose Down
DROP INDEX subscription_deliveries_asked;
DROP TABLE subscription_hours;
