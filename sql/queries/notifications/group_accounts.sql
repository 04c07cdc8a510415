-- group_accounts: the accounts that caused the notifications of a group of the viewer, newest
-- first. With min_id the page directly above it.
-- $1 viewer bigint
-- $2 group_key text
-- $3 max_id bigint
-- $4 since_id bigint
-- $5 min_id bigint
-- $6 limit integer
-- rows: at most $6; id is the notification
-- plan: no sequential scan
-- 40 of 10,000: 380 buffers, 0.2 ms.
select part.id, part.from_account_id
from (
  (
    select n.id, n.from_account_id
    from shown_notifications($1) n
    where $5::bigint is null and n.group_key = $2 and not n.filtered
      and n.id < coalesce($3::bigint, 9223372036854775807) and n.id > coalesce($4::bigint, 0)
    order by n.id desc
    limit $6::integer
  )
  union all
  (
    select n.id, n.from_account_id
    from shown_notifications($1) n
    where $5 is not null and n.group_key = $2 and not n.filtered
      and n.id > $5 and n.id < coalesce($3, 9223372036854775807)
    order by n.id
    limit $6::integer
  )
) part
order by part.id desc
