-- remove: deletes a filter of the viewer with its keywords and statuses.
-- $1 viewer bigint
-- $2 filter bigint
-- rows: none when the viewer has no such filter
-- plan: no sequential scan
with removed as (
  delete from filters f where f.id = $2 and f.account_id = $1 returning f.id
), logged as (
  insert into events (kind, account_id) select 'filters.changed', $1 from removed
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
