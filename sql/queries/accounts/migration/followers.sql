-- followers: the next local followers of an account that has moved with them.
-- $1 migration bigint
-- $2 after bigint
-- rows: at most 100, by id; decided: follows the target of the move already, or asks to
-- plan: no sequential scan
select
  m.account_id, m.target_account_id, f.account_id as follower_id, f.show_reblogs, f.notify, f.languages,
  exists (select from follows o where o.account_id = f.account_id and o.target_account_id = m.target_account_id)
    or exists (
      select from follow_requests r where r.account_id = f.account_id and r.target_account_id = m.target_account_id
    ) as decided
from account_migrations m
join follows f on f.target_account_id = m.account_id
join accounts a on a.id = f.account_id
where m.id = $1 and f.account_id > $2 and a.domain is null
order by f.account_id
limit 100
