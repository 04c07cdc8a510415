-- active: discoverable accounts, the latest status first. Those without counters (of other servers,
-- from which nothing has arrived) are last, and looked for only when the others do not suffice.
-- $1 viewer bigint
-- $2 local boolean
-- $3 limit integer
-- $4 offset integer
-- rows: at most $3, without accounts that the viewer (null: anonymous) blocks or mutes
-- plan: no sequential scan
-- 40 of 33,000 among 100,000 accounts: 600 buffers, 0.4 ms.
with counted as materialized (
  select a.id, s.last_status_at
  from account_stats s
  join wanted_accounts($1) a on a.id = s.account_id
  where a.discoverable and a.suspended_at is null and a.silenced_at is null and a.moved_to_account_id is null
    and a.deletion_requested_at is null and not a.pending
    and (not $2::boolean or a.domain is null)
  order by s.last_status_at desc nulls last, s.account_id desc
  limit ($3::integer)::bigint + $4::integer
), others as (
  select a.id
  from wanted_accounts($1) a
  where a.discoverable and a.suspended_at is null and a.silenced_at is null and a.moved_to_account_id is null
    and a.deletion_requested_at is null and not a.pending
    and (not $2::boolean or a.domain is null)
    and not exists (select from account_stats s where s.account_id = a.id)
  order by a.id desc
  limit (select ($3::integer)::bigint + $4::integer - count(*) from counted)
)
select one.id
from (
  select counted.id, counted.last_status_at, true as has_counters from counted
  union all
  select others.id, null, false from others
) one
order by one.has_counters desc, one.last_status_at desc nulls last, one.id desc
limit $3 offset $4
