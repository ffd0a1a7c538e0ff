-- +goose Up
-- The place of a rule in its group. NULL: behind those that have one, the oldest first.
ALTER TABLE loyalty_rules ADD COLUMN group_place BIGINT;
