-- +goose Up
-- Why a transaction moved points, which its type does not tell: NULL for rewards. Figures count by it: what comes back, expires or is taken back was
-- counted as issued and spent, and is moved to figures of its own, for all days that have figures (docs/decisions/0075).
ALTER TABLE loyalty_transactions ADD COLUMN cause TEXT;

-- Lists of accounts that have no rank.
CREATE INDEX loyalty_accounts_unranked_of_website ON loyalty_accounts (website_id, amount, id) WHERE NOT ranked AND user_id IS NOT NULL;

UPDATE loyalty_transactions SET cause = CASE
	WHEN type = 'api_key' AND created_by_id IS NULL AND description = 'Points expired' THEN 'expiry'
	WHEN type = 'api_key' AND created_by_id IS NULL AND description = 'Currency reset' THEN 'reset'
	WHEN type IN ('auction_bid', 'direct_mint') THEN CASE WHEN EXISTS (SELECT 1 FROM loyalty_transaction_entries e
		WHERE e.loyalty_transaction_id = loyalty_transactions.id AND e.user_id IS NOT NULL AND e.direction = 'credit') THEN 'refund' ELSE 'payment' END
	WHEN type = 'order' AND EXISTS (SELECT 1 FROM loyalty_holds h WHERE h.loyalty_transaction_id = loyalty_transactions.id) THEN 'payment'
	WHEN type = 'order' AND EXISTS (SELECT 1 FROM loyalty_transaction_entries e
		WHERE e.loyalty_transaction_id = loyalty_transactions.id AND e.user_id IS NOT NULL AND e.direction = 'credit'
		AND e.metadata LIKE '{"loyaltyHoldId":"%') THEN 'refund'
	ELSE 'posted' END
	WHERE type <> 'loyalty_rule';

UPDATE loyalty_transactions SET cause = 'rule_deleted'
	WHERE loyalty_rule_id IN (SELECT id FROM loyalty_rules WHERE deleted_at IS NOT NULL) AND EXISTS (SELECT 1 FROM loyalty_transaction_entries e
		WHERE e.loyalty_transaction_id = loyalty_transactions.id AND e.user_id IS NOT NULL AND e.direction = 'debit' AND e.type = 'loyalty_rule');

-- Only what the figures have counted: entries older than the first change that they have not read. Sums are added in two halves, as one may exceed the
-- column, and stop where figures do.
INSERT INTO daily_figures (website_id, name, subject, day, detail, organization_id, value)
	SELECT x.website_id, x.name, x.loyalty_currency_id, x.day, '', x.organization_id,
		CASE WHEN x.high + x.low / 1000000 >= 9000000000000 THEN 9000000000000000000 ELSE x.high * 1000000 + x.low END
	FROM (SELECT e.website_id, e.organization_id, e.loyalty_currency_id, e.created_at / 86400000000 AS day,
			CASE t.cause WHEN 'refund' THEN 'returned' WHEN 'expiry' THEN 'expired' ELSE 'takenBack' END AS name,
			CAST(SUM(e.amount / 1000000) AS BIGINT) AS high, CAST(SUM(e.amount % 1000000) AS BIGINT) AS low
		FROM loyalty_transactions t JOIN loyalty_transaction_entries e ON e.loyalty_transaction_id = t.id AND e.user_id IS NULL
		WHERE t.cause IN ('refund', 'expiry', 'reset', 'rule_deleted') AND e.created_at < COALESCE((SELECT MIN(c.created_at) FROM changes c
			WHERE c.seq > COALESCE((SELECT MAX(position) FROM feed_consumers WHERE name = 'figures'), 0)), 9000000000000000000)
		GROUP BY 1, 2, 3, 4, 5) x
	WHERE EXISTS (SELECT 1 FROM daily_figures f
		WHERE f.website_id = x.website_id AND f.name IN ('issued', 'spent') AND f.subject = x.loyalty_currency_id AND f.day = x.day AND f.detail = '');

UPDATE daily_figures SET value = CASE WHEN daily_figures.value > r.value THEN daily_figures.value - r.value ELSE 0 END
	FROM daily_figures r WHERE daily_figures.name = 'issued' AND daily_figures.detail = '' AND r.name = 'returned' AND r.detail = ''
	AND r.website_id = daily_figures.website_id AND r.subject = daily_figures.subject AND r.day = daily_figures.day;
UPDATE daily_figures SET value = CASE WHEN daily_figures.value > r.value THEN daily_figures.value - r.value ELSE 0 END
	FROM daily_figures r WHERE daily_figures.name = 'spent' AND daily_figures.detail = '' AND r.name = 'expired' AND r.detail = ''
	AND r.website_id = daily_figures.website_id AND r.subject = daily_figures.subject AND r.day = daily_figures.day;
UPDATE daily_figures SET value = CASE WHEN daily_figures.value > r.value THEN daily_figures.value - r.value ELSE 0 END
	FROM daily_figures r WHERE daily_figures.name = 'spent' AND daily_figures.detail = '' AND r.name = 'takenBack' AND r.detail = ''
	AND r.website_id = daily_figures.website_id AND r.subject = daily_figures.subject AND r.day = daily_figures.day;

-- +goose Down
DROP INDEX loyalty_accounts_unranked_of_website;
UPDATE daily_figures SET value = CASE WHEN daily_figures.value > 9000000000000000000 - r.value THEN 9000000000000000000 ELSE daily_figures.value + r.value END
	FROM daily_figures r WHERE daily_figures.name = 'issued' AND daily_figures.detail = '' AND r.name = 'returned' AND r.detail = ''
	AND r.website_id = daily_figures.website_id AND r.subject = daily_figures.subject AND r.day = daily_figures.day;
UPDATE daily_figures SET value = CASE WHEN daily_figures.value > 9000000000000000000 - r.value THEN 9000000000000000000 ELSE daily_figures.value + r.value END
	FROM daily_figures r WHERE daily_figures.name = 'spent' AND daily_figures.detail = '' AND r.name = 'expired' AND r.detail = ''
	AND r.website_id = daily_figures.website_id AND r.subject = daily_figures.subject AND r.day = daily_figures.day;
UPDATE daily_figures SET value = CASE WHEN daily_figures.value > 9000000000000000000 - r.value THEN 9000000000000000000 ELSE daily_figures.value + r.value END
	FROM daily_figures r WHERE daily_figures.name = 'spent' AND daily_figures.detail = '' AND r.name = 'takenBack' AND r.detail = ''
	AND r.website_id = daily_figures.website_id AND r.subject = daily_figures.subject AND r.day = daily_figures.day;
DELETE FROM daily_figures WHERE name IN ('returned', 'expired', 'takenBack', 'moved');
ALTER TABLE loyalty_transactions DROP COLUMN cause;
