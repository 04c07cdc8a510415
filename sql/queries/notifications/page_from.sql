-- page_from: the viewer's notifications by one account, filtered ones too, newest first. With
-- min_id the page directly above it.
-- $1 viewer bigint
-- $2 account bigint
-- $3 types text[]
-- $4 max_id bigint
-- $5 since_id bigint
-- $6 min_id bigint
-- $7 limit integer
-- rows: at most $7, of the types $3
-- plan: no sequential scan
-- Among 300,000 notifications of one person: 100 buffers, 0.1 ms.
select part.id, part.type, part.from_account_id, part.status_id, part.group_key, part.filtered, part.created_at
from (
  (
    select n.id, n.type, n.from_account_id, n.status_id, n.group_key, n.filtered, n.created_at
    from shown_notifications($1) n
    where $6::bigint is null and n.from_account_id = $2 and n.type = any ((select $3::text[])::text[])
      and n.id < coalesce($4::bigint, 9223372036854775807) and n.id > coalesce($5::bigint, 0)
    order by n.id desc
    limit $7::integer
  )
  union all
  (
    select n.id, n.type, n.from_account_id, n.status_id, n.group_key, n.filtered, n.created_at
    from shown_notifications($1) n
    where $6 is not null and n.from_account_id = $2 and n.type = any ((select $3::text[])::text[])
      and n.id > $6 and n.id < coalesce($4, 9223372036854775807)
    order by n.id
    limit $7::integer
  )
) part
order by part.id desc
