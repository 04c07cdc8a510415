-- group_members: the accounts that a page shows for some groups of the viewer that are known to be
-- visible. All members of a group share its subject, so only their senders are read. Members with
-- ids from $4 on are not part of the page.
-- $1 viewer bigint
-- $2 keys text[]
-- $3 bottom bigint
-- $4 top bigint
-- rows: one a group; sample: the accounts that caused the newest eight; oldest: the first member
--   from $3 on, if any; members: their number, without those by suspended accounts while there are
--   at most 40, with them when there are more
-- plan: no sequential scan
-- 40 groups of 10,000 members each: 7,100 buffers, 3 ms. For groups that continue above $4 the
-- members from there on are counted in an index.
select
  input.group_key,
  array(
    select n.from_account_id
    from notifications n
    join accounts a on a.id = n.from_account_id
    where n.account_id = $1 and n.group_key = input.group_key and not n.filtered and n.id < $4::bigint
      and a.suspended_at is null and a.deletion_requested_at is null
    order by n.id desc
    limit 8
  ) as sample,
  oldest.id as oldest,
  case
    when counted.amount <= 40 then counted.amount
    when g.newest_id < $4 then greatest(counted.amount, g.members)
    else greatest(counted.amount, g.members - (
      select count(*)
      from notifications n
      where n.account_id = $1 and n.group_key = input.group_key and not n.filtered and n.id >= $4
    ))
  end::integer as members
from unnest((select $2::text[])) input (group_key)
join notification_groups g on g.account_id = $1 and g.group_key = input.group_key
cross join lateral (
  select count(*) as amount
  from (
    select
    from notifications n
    join accounts a on a.id = n.from_account_id
    where n.account_id = $1 and n.group_key = input.group_key and not n.filtered and n.id < $4
      and a.suspended_at is null and a.deletion_requested_at is null
    order by n.id desc
    limit 41
  ) few
) counted
left join lateral (
  select n.id
  from notifications n
  join accounts a on a.id = n.from_account_id
  where n.account_id = $1 and n.group_key = input.group_key and not n.filtered and n.id >= $3 and n.id < $4
    and a.suspended_at is null and a.deletion_requested_at is null
  order by n.id
  limit 1
) oldest on true
