-- last: the latest move of a local account with its followers, and where it redirects now.
-- $1 account bigint
-- rows: one when there was one
-- plan: no sequential scan of accounts
select
  m.id, handle_of(t) as target,
  a.moved_to_account_id is not distinct from m.target_account_id as is_current
from account_migrations m
join accounts a on a.id = m.account_id
join accounts t on t.id = m.target_account_id
where m.account_id = $1
order by m.id desc
limit 1
