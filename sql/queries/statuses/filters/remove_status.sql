-- remove_status: removes a status from a filter of the viewer.
-- $1 viewer bigint
-- $2 id bigint
-- rows: none when the viewer has no such entry
-- plan: no sequential scan
with removed as (
  delete from filter_statuses x using filters f
  where x.id = $2 and f.id = x.filter_id and f.account_id = $1
  returning x.id
), logged as (
  insert into events (kind, account_id) select 'filters.changed', $1 from removed
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
