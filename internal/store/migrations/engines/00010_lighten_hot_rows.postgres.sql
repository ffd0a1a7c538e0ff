-- Takes from PostgreSQL what costs more than half of a completion and proves nothing that is not proven otherwise: foreign keys of rows that are written
-- with every completion, and indexes that only those keys needed. SQLite keeps them, so the same statements are tested with them, and the verification
-- of the books looks for orphans and strangers (docs/decisions/0013).
ALTER TABLE loyalty_transaction_entries DROP CONSTRAINT loyalty_transaction_entries_loyalty_transaction_id_fkey,
	DROP CONSTRAINT loyalty_transaction_entries_website_id_loyalty_account_id_fkey;
ALTER TABLE loyalty_transactions DROP CONSTRAINT loyalty_transactions_organization_id_website_id_fkey;
ALTER TABLE ledger_keys DROP CONSTRAINT ledger_keys_organization_id_website_id_fkey;
ALTER TABLE rule_claims DROP CONSTRAINT rule_claims_website_id_loyalty_rule_id_fkey;
ALTER TABLE rule_subjects DROP CONSTRAINT rule_subjects_website_id_loyalty_rule_id_fkey;
-- Every change of an amount writes every index of its account anew.
CREATE UNIQUE INDEX loyalty_accounts_of_user_in_currency ON loyalty_accounts (user_id, loyalty_currency_id);
ALTER TABLE loyalty_accounts DROP CONSTRAINT loyalty_accounts_loyalty_currency_id_user_id_key, DROP CONSTRAINT loyalty_accounts_website_id_id_key;
DROP INDEX loyalty_accounts_of_user;
-- Subjects and rules change in place: room for the next version keeps such changes out of the indexes.
ALTER TABLE rule_subjects SET (fillfactor = 85)
