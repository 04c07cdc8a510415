-- recent_groups: the viewer's newest notifications below $2, each with the number of members of its
-- group if older ones belong to it as well, for a page of groups that few notifications suffice
-- for. Hidden and filtered ones too: who reads them asks the caches whether they are to be seen,
-- and takes `groups` when one is not.
-- The groups with older members are found by an index of their newest and oldest ones, since few
-- have any. Reading all follows at once would gain little and cost those who follow thousands.
-- $1 viewer bigint
-- $2 max_id bigint
-- $3 limit integer
-- rows: at most $3, newest first; followed: whether the viewer follows the sender; members: their
--   number in the group, null when it has none older than these rows
-- plan: no sequential scan
-- 80 of 160 notifications: 322 buffers and six sevenths of the time of a look-up of each group (630
-- buffers, 0.35 ms); `groups` and `group_members` take 2.7 ms for their page.
with recent as materialized (
  select r.id, r.type, r.from_account_id, r.status_id, r.group_key, r.filtered, r.created_at
  from notifications r
  where r.account_id = $1 and r.id < coalesce($2::bigint, 9223372036854775807)
  order by r.id desc
  limit $3::integer
), unfinished as materialized (
  select g.group_key, g.members
  from notification_groups g
  where g.account_id = $1 and g.type in ('favourite', 'reblog', 'follow', 'admin.sign_up')
    and g.newest_id >= (select min(n.id) from recent n) and g.oldest_id < (select min(n.id) from recent n)
)
select
  n.id, n.type, n.from_account_id, n.status_id, n.group_key, n.filtered, n.created_at, u.members::integer as members,
  exists (select from follows f where f.account_id = $1 and f.target_account_id = n.from_account_id offset 0) as followed
from recent n
left join unfinished u on u.group_key = n.group_key
order by n.id desc
