-- publish_terms: publishes a draft of terms of service.
-- $1 terms bigint
-- rows: one when it was a draft with a changelog and a date that is not in the past
-- plan: one row by key
with published as (
  update terms_of_service t set published_at = now(), updated_at = now()
  where t.id = $1 and t.published_at is null and t.changelog <> ''
    and t.effective_date >= (now() at time zone 'UTC')::date
  returning t.id
), logged as (
  insert into events (kind, object_id, data) select 'instance.changed', published.id, '{"change": "terms"}' from published
  returning event_json(events) as event
)
select published.id, (select jsonb_agg(logged.event) from logged) as events from published
