-- delete: removes terms of service, and records it in the audit log.
-- $1 moderator bigint
-- $2 terms bigint
-- rows: one when they existed
-- plan: one row by key
with removed as (
  delete from terms_of_service t where t.id = $2
  returning t.id, coalesce(to_char(t.effective_date, 'YYYY-MM-DD'), '') as name
), recorded as materialized (
  select log_action($1::bigint, 'destroy', 'TermsOfService', removed.id, removed.name) from removed
), logged as (
  insert into events (kind, actor_id, object_id, data)
  select 'instance.changed', $1, removed.id, '{"change": "terms"}' from removed, recorded
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
