-- recent_groups: the viewer's newest notifications below $2, and the groups that older ones belong to
-- as well, for a page of groups that few notifications suffice for. Hidden and filtered ones too:
-- who reads them asks the caches whether they are to be seen, and takes `groups` when one is not.
-- The viewer's follows are read at once, which is cheaper than asking for each of 80 senders until
-- somebody follows about a thousand.
-- $1 viewer bigint
-- $2 max_id bigint
-- $3 limit integer
-- rows: one; lines: of at most $3 notifications as in `recent`, null if there is none; unfinished:
--   lines of groups of which some members are among these and some are older: the key and the number
--   of members, null if there is none
-- plan: no sequential scan
-- 80 of 160 notifications in 40 groups: 90 buffers, 0.25 ms; `groups` and `group_members` take 2.7
-- for their page.
with recent as materialized (
  select r.id, r.type, r.from_account_id, r.status_id, r.group_key, r.filtered, r.created_at
  from notifications r
  where r.account_id = $1 and r.id < coalesce($2::bigint, 9223372036854775807)
  order by r.id desc
  limit $3::integer
)
select
  (
    select
      string_agg(
        concat_ws(
          ' ', n.id, n.type, n.from_account_id, coalesce(n.status_id, 0), n.group_key, n.filtered,
          n.from_account_id in (select f.target_account_id from follows f where f.account_id = $1),
          (date_part('epoch', n.created_at) * 1000000)::bigint / 1000
        ),
        E'\n' order by n.id desc
      )
    from recent n
  ) as lines,
  (
    select string_agg(concat_ws(' ', g.group_key, g.members), E'\n')
    from notification_groups g
    where g.account_id = $1 and g.type in ('favourite', 'reblog', 'follow', 'admin.sign_up')
      and g.newest_id >= (select min(n.id) from recent n) and g.oldest_id < (select min(n.id) from recent n)
  ) as unfinished
