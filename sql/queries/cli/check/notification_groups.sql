-- notification_groups: compares the groups of notifications of a batch of local accounts with their
-- members, and corrects them on request.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch of accounts by key; all grouped notifications of each by index
with batch as materialized (
  select a.id from accounts a where a.id > $1 and a.domain is null order by a.id limit 50
), made as materialized (
  select n.account_id, n.group_key, min(n.type) as type, max(n.id) as newest_id, min(n.id) as oldest_id, count(*) as members
  from batch
  join notifications n on n.account_id = batch.id and not n.filtered
  where n.group_key not like 'ungrouped-%'
  group by n.account_id, n.group_key
), stored as materialized (
  select g.* from batch join notification_groups g on g.account_id = batch.id
), wrong as materialized (
  select
    coalesce(made.account_id, stored.account_id) as id, coalesce(made.group_key, stored.group_key) as group_key,
    made.type, made.newest_id, made.oldest_id, coalesce(made.members, 0) as members,
    coalesce(stored.members, 0) as stored_members, stored.newest_id as stored_newest_id
  from made
  full join stored on stored.account_id = made.account_id and stored.group_key = made.group_key
  where (made.type, made.newest_id, made.oldest_id, made.members)
    is distinct from (stored.type, stored.newest_id, stored.oldest_id, stored.members)
), ended as (
  delete from notification_groups g using wrong
  where $2 and wrong.members = 0 and g.account_id = wrong.id and g.group_key = wrong.group_key
    and g.newest_id = wrong.stored_newest_id
), fixed as (
  insert into notification_groups as g (account_id, group_key, type, newest_id, oldest_id, members)
  select wrong.id, wrong.group_key, wrong.type, wrong.newest_id, wrong.oldest_id, wrong.members - wrong.stored_members
  from wrong
  where $2 and wrong.members > 0
  order by wrong.id, wrong.group_key
  on conflict (account_id, group_key) do update
  set type = excluded.type, oldest_id = excluded.oldest_id, members = g.members + excluded.members, newest_id = excluded.newest_id
), logged as (
  insert into events (kind, account_id, data)
  select distinct 'notifications.changed', wrong.id, '{"change": "withdrawn"}'::jsonb from wrong where $2
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', format('its group %s says %s notifications, counted %s', wrong.group_key, wrong.stored_members, wrong.members)) order by wrong.id, wrong.group_key) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
