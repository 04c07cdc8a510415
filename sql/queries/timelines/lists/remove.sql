-- remove: deletes a list of the viewer.
-- $1 viewer bigint
-- $2 list bigint
-- rows: none when there is no such list, or it is somebody else's
-- plan: no sequential scan
with gone as (
  delete from lists l where l.id = $2 and l.account_id = $1 returning l.id
), told as (
  insert into events (kind, account_id, object_id, data)
  select 'list.changed', $1, gone.id, '{"what": "deleted"}' from gone
  returning event_json(events) as event
)
select gone.id, (select jsonb_agg(told.event) from told) as events from gone
