-- add_terms: stores terms of service, published or as a draft. The effective date of published
-- terms is unique, not in the past and not before that of the current ones.
-- $1 text text
-- $2 changelog text
-- $3 effective_date date
-- $4 published boolean
-- rows: one; none when the date is taken or too early
-- plan: rows are inserted, none are read
with created as (
  insert into terms_of_service (text, changelog, effective_date, published_at)
  select $1, $2, $3::date, case when $4::boolean then now() end
  where not $4::boolean or $3::date >= (now() at time zone 'UTC')::date
  on conflict (effective_date) do nothing
  returning terms_of_service.id
), logged as (
  insert into events (kind, object_id, data) select 'instance.changed', created.id, '{"change": "terms"}' from created
  returning event_json(events) as event
)
select created.id, (select jsonb_agg(logged.event) from logged) as events from created
