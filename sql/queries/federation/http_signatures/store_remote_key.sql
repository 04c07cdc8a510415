-- store_remote_key: stores a fetched key of another server's actor.
-- $1 key_id text
-- $2 owner text
-- $3 public_key text
-- $4 handle text
-- rows: none
-- plan: no sequential scan
insert into remote_keys (key_id, owner, public_key, handle)
values ($1, $2, $3, $4)
on conflict (key_id) do update set owner = excluded.owner, public_key = excluded.public_key, handle = excluded.handle, fetched_at = now()
