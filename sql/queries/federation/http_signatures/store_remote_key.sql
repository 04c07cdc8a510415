-- store_remote_key: stores a fetched key of another server's actor.
-- $1 key_id text
-- $2 owner text
-- $3 public_key text
-- $4 handle text
-- rows: one
-- plan: no sequential scan
with former as materialized (
  select k.owner from remote_keys k where k.key_id = $1 and (k.owner, k.public_key) is distinct from ($2, $3)
), stored as (
  insert into remote_keys (key_id, owner, public_key, handle)
  values ($1, $2, $3, $4)
  on conflict (key_id) do update set owner = excluded.owner, public_key = excluded.public_key, handle = excluded.handle, fetched_at = now()
), logged as (
  insert into events (kind, data) select 'remote_key.changed', jsonb_build_object('owner', former.owner) from former
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
