-- store_remote_key: stores a fetched key of another server's actor, unless an Update of the actor
-- has replaced it since the document was made.
-- $1 key_id text
-- $2 owner text
-- $3 public_key text
-- $4 handle text
-- $5 updated timestamptz
-- rows: one; outdated: it was replaced, and is not stored
-- plan: no sequential scan
with replaced as materialized (
  select exists (
    select from replaced_keys r
    where r.owner = $2 and r.public_key = $3 and r.replaced_at > now() - interval '1 day'
      and not coalesce($5::timestamptz > r.updated, false)
  ) as outdated
), former as materialized (
  select k.owner
  from remote_keys k
  cross join replaced
  where k.key_id = $1 and (k.owner, k.public_key) is distinct from ($2, $3) and not replaced.outdated
), stored as (
  insert into remote_keys (key_id, owner, public_key, handle)
  select $1, $2, $3, $4 from replaced where not replaced.outdated
  on conflict (key_id) do update set owner = excluded.owner, public_key = excluded.public_key, handle = excluded.handle, fetched_at = now()
), logged as (
  insert into events (kind, data) select 'remote_key.changed', jsonb_build_object('owner', former.owner) from former
  returning event_json(events) as event
)
select replaced.outdated, (select jsonb_agg(logged.event) from logged) as events from replaced
