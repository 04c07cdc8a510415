-- Where a group of notifications begins, beside where it ends: a page that starts inside a group shows what the group was there.
-- Locks: notification_groups is changed as a whole, and the notifications that are in groups are read once, while nobody writes to either:
-- seconds for a million rows.

lock table notifications in share row exclusive mode;

alter table notification_groups add column oldest_id bigint;

update notification_groups g
set oldest_id = coalesce(found.oldest_id, g.newest_id)
from notification_groups known
left join lateral (
  select n.id as oldest_id
  from notifications n
  where n.account_id = known.account_id and n.group_key = known.group_key and not n.filtered
  order by n.id
  limit 1
) found on true
where g.account_id = known.account_id and g.group_key = known.group_key;

alter table notification_groups alter column oldest_id set not null;

-- The second bound is looked at in the index, so that of the groups above a page only those are read that have members below its top.
drop index notification_groups_list;
create index notification_groups_list on notification_groups (account_id, type, newest_id desc, oldest_id);
create index notification_groups_oldest on notification_groups (account_id, type, oldest_id);

create or replace function join_notification_group() returns trigger language plpgsql as $$
begin
  insert into notification_groups as g (account_id, group_key, type, newest_id, oldest_id, members)
  select n.account_id, n.group_key, n.type, n.id, n.id, 1 from notifications n where n.id = new.id
  on conflict (account_id, group_key) do update
  set newest_id = greatest(g.newest_id, excluded.newest_id), oldest_id = least(g.oldest_id, excluded.oldest_id),
    members = g.members + 1;
  return null;
end
$$;

-- As before, and the oldest member too.
create or replace function leave_notification_groups() returns trigger language plpgsql as $$
begin
  if not exists (select from gone where gone.group_key not like 'ungrouped-%') then
    return null;
  end if;
  perform
  from notification_groups g
  where (g.account_id, g.group_key) in (select gone.account_id, gone.group_key from gone)
  order by g.account_id, g.group_key
  for update;
  with less as materialized (
    select gone.account_id, gone.group_key, count(*) as amount
    from gone
    where gone.group_key not like 'ungrouped-%'
    group by gone.account_id, gone.group_key
  ), remaining as materialized (
    select less.account_id, less.group_key, less.amount, newest.id as newest_id, oldest.id as oldest_id
    from less
    left join lateral (
      select n.id
      from notifications n
      where n.account_id = less.account_id and n.group_key = less.group_key and not n.filtered
      order by n.id desc
      limit 1
    ) newest on true
    left join lateral (
      select n.id
      from notifications n
      where n.account_id = less.account_id and n.group_key = less.group_key and not n.filtered
      order by n.id
      limit 1
    ) oldest on true
  ), ended as (
    delete from notification_groups g using remaining r
    where g.account_id = r.account_id and g.group_key = r.group_key and r.newest_id is null
  )
  update notification_groups g
  set newest_id = r.newest_id, oldest_id = r.oldest_id, members = greatest(g.members - r.amount, 1)
  from remaining r
  where g.account_id = r.account_id and g.group_key = r.group_key and r.newest_id is not null;
  return null;
end
$$;
