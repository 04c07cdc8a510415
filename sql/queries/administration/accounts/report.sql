-- report: whether a report about an account exists.
-- $1 report bigint
-- $2 account bigint
-- rows: none or one
-- plan: one row by key
select r.id from reports r where r.id = $1 and r.target_account_id = $2
