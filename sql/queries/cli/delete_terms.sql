-- delete_terms: takes terms of service away
-- $1 terms bigint
-- rows: one when there were such
-- plan: one row by key
with gone as (
  delete from terms_of_service t where t.id = $1 returning t.id
), told as (
  insert into events (kind, object_id, data) select 'instance.changed', gone.id, '{"what": "terms"}' from gone
  returning event_json(events) as event
)
select gone.id, (select jsonb_agg(told.event) from told) as events from gone
