-- set_locale: the language in which a user wants to be spoken to.
-- $1 user bigint
-- $2 locale text
-- rows: one
-- plan: no sequential scan
with changed as (
  update users set locale = $2, updated_at = now() where users.id = $1 returning users.account_id
), told as (
  insert into events (kind, account_id, data)
  select 'user.changed', changed.account_id, '{"what": "preferences"}'::jsonb from changed
  returning event_json(events) as event
)
select (select jsonb_agg(told.event) from told) as events
