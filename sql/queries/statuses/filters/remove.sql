-- remove: deletes a filter of the viewer; its keywords and statuses go with it.
-- $1 viewer bigint
-- $2 filter bigint
-- rows: none when there is no such filter, or it is somebody else's
-- plan: no sequential scan
with gone as (
  delete from filters f where f.id = $2 and f.account_id = $1 returning f.id
), told as (
  insert into events (kind, account_id) select 'filters.changed', $1 from gone
  returning event_json(events) as event
)
select gone.id, (select jsonb_agg(told.event) from told) as events from gone
