-- list: the security keys of a user.
-- $1 user bigint
-- rows: one a key, the oldest first
-- plan: no sequential scan
select k.id, k.external_id, k.public_key, k.sign_count, k.nickname, k.transports, k.created_at, k.last_used_at
from security_keys k
where k.user_id = $1
order by k.id
