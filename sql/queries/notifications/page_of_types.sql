-- page_of_types: the viewer's notifications of some types, by any sender, newest first. With min_id
-- the page directly above it. Each type is read from its own part of the index, so that rare ones
-- are found at once among many others.
-- `> any` prevents the planner from estimating two unknown bounds as a narrow range, for which it
-- would choose the index of all types and read all of a person's notifications.
-- $1 viewer bigint
-- $2 types text[]
-- $3 filtered boolean
-- $4 max_id bigint
-- $5 since_id bigint
-- $6 min_id bigint
-- $7 limit integer
-- rows: at most $7; filtered ones too if $3
-- plan: no sequential scan
-- 40 of a rare type among 300,000 notifications of one person: 450 buffers, 0.3 ms; each additional
-- type adds about 110 buffers.
select part.id, part.type, part.from_account_id, part.status_id, part.group_key, part.filtered, part.created_at
from (
  (
    select n.id, n.type, n.from_account_id, n.status_id, n.group_key, n.filtered, n.created_at
    from unnest((select $2::text[])) input (type)
    cross join lateral (
      select s.id, s.type, s.from_account_id, s.status_id, s.group_key, s.filtered, s.created_at
      from shown_notifications($1) s
      where s.type = input.type and (not s.filtered or $3)
        and s.id < coalesce($4::bigint, 9223372036854775807) and s.id > any (array[coalesce($5::bigint, 0)])
      order by s.id desc
      limit $7::integer
    ) n
    where $6::bigint is null
    order by n.id desc
    limit $7::integer
  )
  union all
  (
    select n.id, n.type, n.from_account_id, n.status_id, n.group_key, n.filtered, n.created_at
    from unnest((select $2::text[])) input (type)
    cross join lateral (
      select s.id, s.type, s.from_account_id, s.status_id, s.group_key, s.filtered, s.created_at
      from shown_notifications($1) s
      where s.type = input.type and (not s.filtered or $3) and s.id > any (array[$6]) and s.id < coalesce($4, 9223372036854775807)
      order by s.id
      limit $7::integer
    ) n
    where $6 is not null
    order by n.id
    limit $7::integer
  )
) part
order by part.id desc
