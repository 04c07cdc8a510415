-- local_signers: local accounts, in the order of their ids, whose key pair is older than a time.
-- $1 after bigint
-- $2 before timestamptz
-- $3 limit integer
-- rows: at most the limit
-- plan: keys by index, accounts by key
select a.id
from signing_keys k
join accounts a on a.id = k.account_id
where k.account_id > $1 and k.created_at < $2::timestamptz and a.domain is null and a.deletion_requested_at is null
order by k.account_id
limit (select $3::integer)
