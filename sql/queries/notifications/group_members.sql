-- group_members: what a page shows of the members of some groups of the viewer.
-- $1 viewer bigint
-- $2 keys text[]
-- $3 bottom bigint
-- rows: one a group that has a member who is shown; sample: who caused the newest eight; oldest: the first member from $3 on, if any; members: how many
--   there are, without those that are hidden while there are at most 40, with them when there are more
-- plan: no sequential scan
select
  asked.group_key,
  array(
    select n.from_account_id
    from shown_notifications($1) n
    where n.group_key = asked.group_key and not n.filtered
    order by n.id desc
    limit 8
  ) as sample,
  oldest.id as oldest,
  case when counted.amount <= 40 then counted.amount else greatest(counted.amount, g.members) end::integer as members
from unnest($2::text[]) asked (group_key)
join notification_groups g on g.account_id = $1 and g.group_key = asked.group_key
cross join lateral (
  select count(*) as amount
  from (
    select from shown_notifications($1) n where n.group_key = asked.group_key and not n.filtered order by n.id desc limit 41
  ) few
) counted
left join lateral (
  select n.id
  from shown_notifications($1) n
  where n.group_key = asked.group_key and not n.filtered and n.id >= $3
  order by n.id
  limit 1
) oldest on true
