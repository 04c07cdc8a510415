-- reported: the statuses of a report about an account.
-- $1 report bigint
-- $2 account bigint
-- rows: none when there is no such report about the account, else one
-- plan: one row by key
select r.status_ids from reports r where r.id = $1 and r.target_account_id = $2
