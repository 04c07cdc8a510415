-- move: the migration of a local account.
-- $1 migration bigint
-- rows: none or one
-- plan: no sequential scan
select m.account_id, m.target_account_id
from account_migrations m
join accounts a on a.id = m.account_id and a.domain is null
where m.id = $1
