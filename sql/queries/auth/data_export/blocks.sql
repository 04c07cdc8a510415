-- blocks: the accounts that an account blocks, as rows of a CSV file for other servers.
-- $1 account bigint
-- $2 local_domain text
-- $3 after bigint
-- rows: at most 1000
-- plan: no sequential scan
select b.id, array[a.username || '@' || coalesce(a.domain, $2::text)] as cells
from blocks b
join accounts a on a.id = b.target_account_id
where b.account_id = $1 and b.id > $3
order by b.id
limit 1000
