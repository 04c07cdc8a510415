-- page: the viewer's notifications of all types and senders, newest first. With min_id the page
-- directly above it.
-- $1 viewer bigint
-- $2 filtered boolean
-- $3 max_id bigint
-- $4 since_id bigint
-- $5 min_id bigint
-- $6 limit integer
-- rows: at most $6; filtered ones too if $2
-- plan: no sequential scan
-- 40 of 300,000 notifications of one person among 600,000, custom and generic plan: 310 buffers,
-- 0.2 ms, wherever the page begins.
select part.id, part.type, part.from_account_id, part.status_id, part.group_key, part.filtered, part.created_at
from (
  (
    select n.id, n.type, n.from_account_id, n.status_id, n.group_key, n.filtered, n.created_at
    from shown_notifications($1) n
    where $5::bigint is null and (not n.filtered or $2)
      and n.id < coalesce($3::bigint, 9223372036854775807) and n.id > coalesce($4::bigint, 0)
    order by n.id desc
    limit $6::integer
  )
  union all
  (
    select n.id, n.type, n.from_account_id, n.status_id, n.group_key, n.filtered, n.created_at
    from shown_notifications($1) n
    where $5 is not null and (not n.filtered or $2) and n.id > $5 and n.id < coalesce($3, 9223372036854775807)
    order by n.id
    limit $6::integer
  )
) part
order by part.id desc
