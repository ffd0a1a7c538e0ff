-- Has every row of a completion written into fewer indexes: what a subject's rules are is found by the key itself, and its claims by its rules.
ALTER TABLE rule_subjects DROP CONSTRAINT rule_subjects_pkey, ADD PRIMARY KEY (subject_id, loyalty_rule_id);
DROP INDEX rule_subjects_of_subject;
DROP INDEX rule_claims_of_subject
