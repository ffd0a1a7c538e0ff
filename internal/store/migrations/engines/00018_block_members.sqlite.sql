-- Puts the entries of a block into the block itself, as one value of an id and a leaf each, in their order: a row per entry cost more than all else that
-- sealing does (docs/decisions/0018). Blocks keep their hashes. What the change feed still tells of carries no leaf, so the entries of this moment are
-- looked through again: what no block lists is sealed as what was there before. Hashes cannot be packed.
ALTER TABLE seal_blocks ADD COLUMN first_id UUID;
ALTER TABLE seal_blocks ADD COLUMN last_id UUID;
ALTER TABLE seal_blocks ADD COLUMN members BYTEA NOT NULL DEFAULT '';
UPDATE seal_blocks SET first_id = m.first_id, last_id = m.last_id, members = m.members
	FROM (SELECT organization_id, block, MIN(entry_id) AS first_id, MAX(entry_id) AS last_id, unhex(group_concat(replace(entry_id, '-', '') || hex(leaf), '' ORDER BY position)) AS members
		FROM sealed_entries GROUP BY organization_id, block) m
	WHERE m.organization_id = seal_blocks.organization_id AND m.block = seal_blocks.number;
DROP TABLE sealed_entries;
CREATE INDEX seal_blocks_of_ids ON seal_blocks (organization_id, first_id, last_id);
ALTER TABLE changes ADD COLUMN leaves BYTEA;
ALTER TABLE seal_backlog ADD COLUMN position BIGINT NOT NULL DEFAULT 0;
UPDATE seal_backlog SET position = (SELECT COALESCE(MAX(position), 0) * 64 + 63 FROM feed_consumers WHERE name = 'sealer'),
	after_id = NULL, done_at = NULL, until_id = (SELECT id FROM loyalty_transaction_entries ORDER BY id DESC LIMIT 1)
