-- remote_key: a stored key of another server's actor, unless it is older than a day.
-- $1 key_id text
-- rows: none or one
-- plan: no sequential scan
select k.owner, k.public_key, k.handle from remote_keys k where k.key_id = $1 and k.fetched_at > now() - interval '1 day'
