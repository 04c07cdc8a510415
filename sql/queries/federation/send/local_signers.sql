-- local_signers: local accounts in the order of their ids, and whether they have a key pair, which
-- is created at the first signature.
-- $1 after bigint
-- $2 limit integer
-- rows: at most the limit
-- plan: local accounts by key, keys by index
select a.id, exists (select from signing_keys k where k.account_id = a.id) as has_key
from accounts a
where a.domain is null and a.deletion_requested_at is null and a.id > $1
order by a.id
limit (select $2::integer)
