-- A trigger of notifications: takes deleted ones out of their groups, and removes a group with its
-- last member. The groups are locked first, so that the second of two simultaneous removals sees
-- the result of the first.
create or replace function leave_notification_groups() returns trigger language plpgsql as $$
begin
  if not exists (select from removed where removed.group_key not like 'ungrouped-%') then
    return null;
  end if;
  perform
  from notification_groups g
  where (g.account_id, g.group_key) in (select removed.account_id, removed.group_key from removed)
  order by g.account_id, g.group_key
  for update;
  with less as materialized (
    select removed.account_id, removed.group_key, count(*) as amount
    from removed
    where removed.group_key not like 'ungrouped-%'
    group by removed.account_id, removed.group_key
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
