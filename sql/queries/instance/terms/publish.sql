-- publish: publishes a draft of terms of service, and records it in the audit log.
-- $1 moderator bigint
-- $2 terms bigint
-- rows: one when it was a draft with a changelog and a date that is not in the past
-- plan: one row by key
with published as (
  update terms_of_service t set published_at = now(), updated_at = now()
  where t.id = $2 and t.published_at is null and t.changelog <> ''
    and t.effective_date >= (now() at time zone 'UTC')::date
  returning t.id, to_char(t.effective_date, 'YYYY-MM-DD') as name
), recorded as materialized (
  select log_action($1::bigint, 'publish', 'TermsOfService', published.id, published.name) from published
), logged as (
  insert into events (kind, actor_id, object_id, data)
  select 'instance.changed', $1, published.id, '{"change": "terms"}' from published, recorded
  returning event_json(events) as event
)
select published.id, (select jsonb_agg(logged.event) from logged) as events from published
