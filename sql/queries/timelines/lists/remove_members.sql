-- remove_members: removes accounts from a list of the viewer; ignores accounts that are not on it.
-- $1 viewer bigint
-- $2 list bigint
-- $3 accounts bigint[]
-- rows: none when the viewer has no such list
-- plan: no sequential scan
with target as materialized (
  select l.id from lists l where l.id = $2 and l.account_id = $1
), removed as (
  delete from list_accounts m using target
  where m.list_id = target.id and m.account_id = any ((select $3::bigint[])::bigint[])
  returning m.list_id
), logged as (
  insert into events (kind, account_id, object_id, data)
  select distinct 'list.changed', $1, removed.list_id, '{"change": "members"}'::jsonb from removed
  returning event_json(events) as event
)
select target.id, (select jsonb_agg(logged.event) from logged) as events from target
