-- What planners know of accounts is anew: they know nothing yet of the column that 00106 has added, and would take a third of all accounts for
-- concealed. An empty database has nothing to learn.
DO $$ BEGIN IF EXISTS (SELECT 1 FROM loyalty_accounts) THEN ANALYZE loyalty_accounts; END IF; END $$
