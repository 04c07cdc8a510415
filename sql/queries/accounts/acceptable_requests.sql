-- acceptable_requests: follow requests that an unlocked account accepts automatically, the oldest
-- first; requests of silenced accounts stay pending.
-- $1 account bigint
-- rows: at most 200
-- plan: no sequential scan
select r.account_id
from follow_requests r
join accounts owner on owner.id = r.target_account_id and not owner.locked
join accounts a on a.id = r.account_id
where r.target_account_id = $1
  and a.silenced_at is null and a.suspended_at is null and a.deletion_requested_at is null
order by r.id
limit 200
