-- local_follows: the local accounts' follows of a remote account.
-- $1 target bigint
-- $2 after bigint
-- $3 limit integer
-- rows: at most $3, by id
-- plan: no sequential scan
select f.id, f.account_id, f.uri
from follows f
join accounts a on a.id = f.account_id and a.domain is null and a.suspended_at is null and a.deletion_requested_at is null
where f.target_account_id = $1 and f.id > $2
order by f.id
limit $3::integer
