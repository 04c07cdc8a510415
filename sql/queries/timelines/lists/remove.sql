-- remove: deletes a list of the viewer.
-- $1 viewer bigint
-- $2 list bigint
-- rows: none when the viewer has no such list
-- plan: no sequential scan
with removed as (
  delete from lists l where l.id = $2 and l.account_id = $1 returning l.id
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'list.changed', $1, removed.id, '{"change": "deleted"}' from removed
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
