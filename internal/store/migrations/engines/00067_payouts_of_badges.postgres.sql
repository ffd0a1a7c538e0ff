-- A badge owes tokens, too: then no rule and no relayer is named.
ALTER TABLE payouts ALTER COLUMN loyalty_rule_id DROP NOT NULL, ALTER COLUMN relayer_id DROP NOT NULL, ADD COLUMN loyalty_badge_id UUID;
ALTER TABLE payouts ADD FOREIGN KEY (website_id, loyalty_badge_id) REFERENCES loyalty_badges (website_id, id)
