-- page: the senders whose notifications the viewer's policy filters, newest request first. With
-- min_id the page directly above it.
-- $1 viewer bigint
-- $2 max_id bigint
-- $3 since_id bigint
-- $4 min_id bigint
-- $5 limit integer
-- rows: at most $5; none of accounts that are suspended or being deleted; notifications_count is at
--   most 100
-- plan: no sequential scan
-- 40 of 5,000 requests of one person: 120 buffers, 0.1 ms.
select part.id, part.from_account_id, part.last_status_id, part.notifications_count, part.created_at, part.updated_at
from (
  (
    select
      r.id, r.from_account_id, r.last_status_id, least(r.notifications_count, 100)::integer as notifications_count, r.created_at,
      r.updated_at
    from notification_requests r
    join accounts a on a.id = r.from_account_id
    where $4::bigint is null and r.account_id = $1 and a.suspended_at is null and a.deletion_requested_at is null
      and r.id < coalesce($2::bigint, 9223372036854775807) and r.id > coalesce($3::bigint, 0)
    order by r.id desc
    limit $5::integer
  )
  union all
  (
    select
      r.id, r.from_account_id, r.last_status_id, least(r.notifications_count, 100)::integer as notifications_count, r.created_at,
      r.updated_at
    from notification_requests r
    join accounts a on a.id = r.from_account_id
    where $4 is not null and r.account_id = $1 and a.suspended_at is null and a.deletion_requested_at is null
      and r.id > $4 and r.id < coalesce($2, 9223372036854775807)
    order by r.id
    limit $5::integer
  )
) part
order by part.id desc
