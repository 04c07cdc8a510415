-- blockers: the local accounts that block one that has moved, but neither block the target of the
-- move nor follow it or ask to.
-- $1 migration bigint
-- $2 after bigint
-- rows: at most 100, by id
-- plan: no sequential scan
select m.target_account_id, x.account_id as blocker_id
from account_migrations m
join blocks x on x.target_account_id = m.account_id
join accounts a on a.id = x.account_id
where m.id = $1 and x.account_id > $2 and a.domain is null and x.account_id <> m.target_account_id
  and not exists (select from blocks o where o.account_id = x.account_id and o.target_account_id = m.target_account_id)
  and not exists (select from follows f where f.account_id = x.account_id and f.target_account_id = m.target_account_id)
  and not exists (
    select from follow_requests r where r.account_id = x.account_id and r.target_account_id = m.target_account_id
  )
order by x.account_id
limit 100
