-- set_reading: changes preferences of a user, and, when the flag is true, the languages that public
-- timelines are limited to.
-- $1 user bigint
-- $2 preferences jsonb
-- $3 sets_languages boolean
-- $4 chosen_languages text[]
-- rows: one
-- plan: no sequential scan
with changed as (
  update users
  set preferences = users.preferences || $2::jsonb,
    chosen_languages = case when $3::boolean then $4::text[] else users.chosen_languages end,
    updated_at = now()
  where users.id = $1
  returning users.account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'user.changed', changed.account_id, '{"change": "preferences"}'::jsonb from changed
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
