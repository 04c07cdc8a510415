-- delete_terms: removes terms of service.
-- $1 terms bigint
-- rows: one when they existed
-- plan: one row by key
with removed as (
  delete from terms_of_service t where t.id = $1 returning t.id
), logged as (
  insert into events (kind, object_id, data) select 'instance.changed', removed.id, '{"change": "terms"}' from removed
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
