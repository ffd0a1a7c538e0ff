-- Accounts change all the time: rows keep room for their next version, and index-only counts need fresh visibility maps.
ALTER TABLE loyalty_accounts SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01,
		autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02)
