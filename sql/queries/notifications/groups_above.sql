-- groups_above: the groups of the viewer's notifications on the page directly above a position,
-- newest last. A page has each group once, at its oldest member above $6, and in its state
-- below $5. Each type is read from its own part of an index: groups of a type from the table of
-- groups, ungrouped notifications from their own. The cost does not depend on the number of
-- members.
-- `> any` prevents the planner from estimating two unknown bounds as a narrow range, for which it
-- would choose the index of all types and read all of a person's notifications.
-- $1 viewer bigint
-- $2 types text[]
-- $3 grouped text[]
-- $4 filtered boolean
-- $5 max_id bigint
-- $6 min_id bigint
-- $7 limit integer
-- rows: at most $7, of the types $2; of those in $3 groups, of the others each notification;
--   filtered ones too if $4. position: by which pages are cut: the oldest member above
--   $6, which may be hidden; id and the following columns describe the newest visible one below $5
-- plan: no sequential scan
-- As groups: 1,500 buffers, 1 ms.
select found.position, found.group_key, found.id, found.type, found.from_account_id, found.status_id, found.created_at
from unnest((select $2::text[])) input (type)
cross join lateral (
  (
    select g.oldest_id as position, g.group_key, n.id, n.type, n.from_account_id, n.status_id, n.created_at
    from notification_groups g
    cross join lateral (
      select s.id, s.type, s.from_account_id, s.status_id, s.created_at
      from shown_notifications($1) s
      where s.group_key = g.group_key and not s.filtered and s.id < coalesce($5::bigint, 9223372036854775807)
      order by s.id desc
      limit 1
    ) n
    where input.type = any ((select $3::text[])::text[]) and g.account_id = $1 and g.type = input.type
      and g.oldest_id < coalesce($5::bigint, 9223372036854775807) and g.oldest_id > any (array[coalesce($6::bigint, 0)])
      and n.id > coalesce($6, 0)
    order by g.oldest_id
    limit $7::integer
  )
  union all
  -- Groups that begin below $6 and end above it: few, because a group ends after twelve hours.
  (
    select g.position, g.group_key, n.id, n.type, n.from_account_id, n.status_id, n.created_at
    from (
      select edge.id as position, o.group_key
      from notification_groups o
      cross join lateral (
        select m.id
        from notifications m
        where m.account_id = $1 and m.group_key = o.group_key and not m.filtered and m.id > $6
        order by m.id
        limit 1
      ) edge
      where $6 is not null and input.type = any ((select $3::text[])::text[]) and o.account_id = $1 and o.type = input.type
        and o.newest_id > $6 and o.oldest_id <= $6 and edge.id < coalesce($5, 9223372036854775807)
      order by edge.id
    ) g
    cross join lateral (
      select s.id, s.type, s.from_account_id, s.status_id, s.created_at
      from shown_notifications($1) s
      where s.group_key = g.group_key and not s.filtered and s.id >= any (array[g.position]) and s.id < coalesce($5, 9223372036854775807)
      order by s.id desc
      limit 1
    ) n
    where n.id > coalesce($6, 0)
    order by g.position
    limit $7::integer
  )
  union all
  (
    select n.id as position, n.group_key, n.id, n.type, n.from_account_id, n.status_id, n.created_at
    from shown_notifications($1) n
    where input.type = any ((select $3::text[])::text[]) and n.type = input.type and n.group_key like 'ungrouped-%'
      and (not n.filtered or $4::boolean)
      and n.id < coalesce($5::bigint, 9223372036854775807) and n.id > any (array[coalesce($6::bigint, 0)])
    order by n.id
    limit $7::integer
  )
  union all
  (
    select n.id as position, 'ungrouped-' || n.id, n.id, n.type, n.from_account_id, n.status_id, n.created_at
    from shown_notifications($1) n
    where input.type <> all ($3) and n.type = input.type and (not n.filtered or $4)
      and n.id < coalesce($5::bigint, 9223372036854775807) and n.id > any (array[coalesce($6::bigint, 0)])
    order by n.id
    limit $7::integer
  )
) found
order by found.position
limit $7::integer
