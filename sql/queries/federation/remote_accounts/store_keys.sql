-- store_keys: if keys of an actor are stored, replaces them by those that its new document lists.
-- A key with the id of another actor's stored key is left out. What an Update replaces is recorded,
-- so that an older document does not bring it back.
-- $1 owner text
-- $2 handle text
-- $3 key_ids text[]
-- $4 public_keys text[]
-- $5 signed boolean
-- $6 updated timestamptz
-- rows: none when nothing has changed, else one
-- plan: no sequential scan
with listed as materialized (
  select distinct on (l.key_id) l.key_id, l.public_key
  from unnest((select $3::text[]), (select $4::text[])) l (key_id, public_key)
  where exists (select from remote_keys k where k.owner = $1)
  order by l.key_id
), replaced as (
  insert into replaced_keys as r (owner, public_key, updated)
  select distinct k.owner, k.public_key, $6::timestamptz
  from remote_keys k
  where $5::boolean and k.owner = $1 and not k.public_key = any ((select $4::text[])::text[])
    -- More does not fit into an index.
    and octet_length(k.owner) + octet_length(k.public_key) < 2600
  on conflict (owner, public_key) do update set updated = excluded.updated, replaced_at = now()
), returned as (
  delete from replaced_keys r where $5::boolean and r.owner = $1 and r.public_key = any ((select $4::text[])::text[])
), stored as (
  insert into remote_keys as k (key_id, owner, public_key, handle)
  select listed.key_id, $1, listed.public_key, $2 from listed
  on conflict (key_id) do update set public_key = excluded.public_key, handle = excluded.handle, fetched_at = now()
  where k.owner = excluded.owner and k.public_key <> excluded.public_key
  returning k.key_id
), removed as (
  delete from remote_keys k where k.owner = $1 and not k.key_id = any ((select $3::text[])::text[]) returning k.key_id
), logged as (
  insert into events (kind, data)
  select 'remote_key.changed', jsonb_build_object('owner', $1::text)
  where exists (select from stored) or exists (select from removed)
  returning event_json(events) as event
)
select jsonb_agg(logged.event) as events from logged having count(*) > 0
