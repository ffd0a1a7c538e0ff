-- Has PostgreSQL clean up and look anew at tables that are written all the time, by their own measure: its general one, a fifth of the rows, is rare
-- where a table only grows, and useless where it is emptied as fast as it fills.
-- Emptied every two seconds: what the planner knows of it is always wrong, and dead rows are read by every sum until they are swept.
ALTER TABLE main_account_deltas SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_threshold = -1,
	autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
-- Grows at one end and is pruned at the other, so a fifth is too many; the newest rows are read the most and never change.
ALTER TABLE changes SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- Every job changes twice and is removed an hour later: few live rows among many dead ones.
ALTER TABLE rule_jobs SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
	autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 200);
-- Each is changed once, when its answer is known, and removed a day later.
ALTER TABLE request_keys SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
-- A handful of rows, each changed many times a second: room for the versions keeps them on their page, and out of the index.
ALTER TABLE feed_consumers SET (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
-- Changed with every completion, as many as accounts.
ALTER TABLE rule_subjects SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- One row per organization, changed with every block.
ALTER TABLE seal_heads SET (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500)
