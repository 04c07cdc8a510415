-- set_language: sets a user's language and time zone.
-- $1 user bigint
-- $2 locale text: null leaves it unchanged
-- $3 sets_time_zone boolean
-- $4 time_zone text
-- rows: one
-- plan: no sequential scan
with changed as (
  update users
  set locale = coalesce($2::text, users.locale), time_zone = case when $3::boolean then $4::text else users.time_zone end, updated_at = now()
  where users.id = $1
  returning users.account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', changed.account_id, '{"change": "preferences"}'::jsonb from changed
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
