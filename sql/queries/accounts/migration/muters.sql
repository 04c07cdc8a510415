-- muters: the local accounts that mute one that has moved, but neither mute the target of the move
-- nor follow it or ask to: whoever chose to read it goes on doing so.
-- $1 migration bigint
-- $2 after bigint
-- rows: at most 100, by id
-- plan: no sequential scan
select m.target_account_id, x.account_id as muter_id, x.hide_notifications
from account_migrations m
join mutes x on x.target_account_id = m.account_id
join accounts a on a.id = x.account_id
where m.id = $1 and x.account_id > $2 and x.expires_at is null and a.domain is null
  and x.account_id <> m.target_account_id
  and not exists (select from mutes o where o.account_id = x.account_id and o.target_account_id = m.target_account_id)
  and not exists (select from follows f where f.account_id = x.account_id and f.target_account_id = m.target_account_id)
  and not exists (
    select from follow_requests r where r.account_id = x.account_id and r.target_account_id = m.target_account_id
  )
order by x.account_id
limit 100
