-- dismiss: deletes one notification of the viewer.
-- $1 viewer bigint
-- $2 notification bigint
-- rows: none when the viewer has no such notification
-- plan: no sequential scan
with removed as (
  delete from notifications n where n.account_id = $1 and n.id = $2 returning n.id
), logged as (
  insert into events (kind, account_id, data)
  select 'notifications.changed', $1, '{"change": "dismissed"}' from removed
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
