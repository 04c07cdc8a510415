-- remove_status: takes a status off a filter of the viewer.
-- $1 viewer bigint
-- $2 id bigint
-- rows: none when there is no such entry, or it is somebody else's
-- plan: no sequential scan
with gone as (
  delete from filter_statuses x using filters f
  where x.id = $2 and f.id = x.filter_id and f.account_id = $1
  returning x.id
), told as (
  insert into events (kind, account_id) select 'filters.changed', $1 from gone
  returning event_json(events) as event
)
select gone.id, (select jsonb_agg(told.event) from told) as events from gone
