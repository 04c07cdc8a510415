-- change: stores values of settings, and records the changed ones in the audit log.
-- $1 changes jsonb
-- $2 actor bigint
-- rows: one; events is null when no value changed
-- plan: rows are inserted, none are read
with given as (
  select change.key, change.value from jsonb_each($1::jsonb) change
), stored as (
  insert into settings as s (key, value)
  select given.key, given.value from given
  on conflict (key) do update set value = excluded.value, updated_at = now()
  where s.value is distinct from excluded.value
  returning s.key
), changed as (
  select array_agg(stored.key order by stored.key) as keys from stored having count(*) > 0
), recorded as materialized (
  select log_action($2::bigint, 'update', 'Setting', null, array_to_string(changed.keys, ', ')) from changed
), logged as (
  insert into events (kind, actor_id, data)
  select 'settings.changed', $2::bigint, jsonb_build_object('keys', changed.keys)
  from changed, recorded
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
