-- groups: the groups of the viewer's notifications, newest first. A page has each group once,
-- at its newest member below $5; a group that grew above $5 is shown in its earlier state. Each
-- type is read from its own part of an index: groups of a type from the table of groups, ungrouped
-- notifications from their own. The cost does not depend on the number of members.
-- `> any` prevents the planner from estimating two unknown bounds as a narrow range, for which it
-- would choose the index of all types and read all of a person's notifications.
-- $1 viewer bigint
-- $2 types text[]
-- $3 grouped text[]
-- $4 filtered boolean
-- $5 max_id bigint
-- $6 since_id bigint
-- $7 limit integer
-- rows: at most $7, of the types $2; of those in $3 groups, of the others each notification;
--   filtered ones too if $4. position: by which pages are cut: the newest member below
--   $5, which may be hidden; id and the following columns describe the newest visible one
-- plan: no sequential scan
-- 40 of 5,060 groups, 60 of them of 10,000 members, and 100,000 mentions, among 915,000
-- notifications: 1,200 to 1,500 buffers, 1 ms; 1,000: 11 ms.
select found.position, found.group_key, found.id, found.type, found.from_account_id, found.status_id, found.created_at
from unnest((select $2::text[])) input (type)
cross join lateral (
  (
    select g.newest_id as position, g.group_key, n.id, n.type, n.from_account_id, n.status_id, n.created_at
    from notification_groups g
    cross join lateral (
      select s.id, s.type, s.from_account_id, s.status_id, s.created_at
      from shown_notifications($1) s
      where s.group_key = g.group_key and not s.filtered and s.id < coalesce($5::bigint, 9223372036854775807)
      order by s.id desc
      limit 1
    ) n
    where input.type = any ((select $3::text[])::text[]) and g.account_id = $1 and g.type = input.type
      and g.newest_id < coalesce($5::bigint, 9223372036854775807) and g.newest_id > any (array[coalesce($6::bigint, 0)])
      and n.id > coalesce($6, 0)
    order by g.newest_id desc
    limit $7::integer
  )
  union all
  -- Groups that begin below $5 and end above it: few, because a group ends after twelve hours.
  (
    select g.position, g.group_key, n.id, n.type, n.from_account_id, n.status_id, n.created_at
    from (
      select edge.id as position, o.group_key
      from notification_groups o
      cross join lateral (
        select m.id
        from notifications m
        where m.account_id = $1 and m.group_key = o.group_key and not m.filtered and m.id < $5
        order by m.id desc
        limit 1
      ) edge
      where $5 is not null and input.type = any ((select $3::text[])::text[]) and o.account_id = $1 and o.type = input.type
        and o.newest_id >= $5 and o.oldest_id < $5 and edge.id > coalesce($6, 0)
      order by edge.id desc
    ) g
    cross join lateral (
      select s.id, s.type, s.from_account_id, s.status_id, s.created_at
      from shown_notifications($1) s
      where s.group_key = g.group_key and not s.filtered and s.id <= g.position
      order by s.id desc
      limit 1
    ) n
    where n.id > coalesce($6, 0)
    order by g.position desc
    limit $7::integer
  )
  union all
  (
    select n.id as position, n.group_key, n.id, n.type, n.from_account_id, n.status_id, n.created_at
    from shown_notifications($1) n
    where input.type = any ((select $3::text[])::text[]) and n.type = input.type and n.group_key like 'ungrouped-%'
      and (not n.filtered or $4::boolean)
      and n.id < coalesce($5::bigint, 9223372036854775807) and n.id > any (array[coalesce($6::bigint, 0)])
    order by n.id desc
    limit $7::integer
  )
  union all
  (
    select n.id as position, 'ungrouped-' || n.id, n.id, n.type, n.from_account_id, n.status_id, n.created_at
    from shown_notifications($1) n
    where input.type <> all ($3) and n.type = input.type and (not n.filtered or $4)
      and n.id < coalesce($5::bigint, 9223372036854775807) and n.id > any (array[coalesce($6::bigint, 0)])
    order by n.id desc
    limit $7::integer
  )
) found
order by found.position desc
limit $7::integer
