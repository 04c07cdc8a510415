-- domain_blocks: the domains that an account blocks, as rows of a CSV file for other servers.
-- $1 account bigint
-- $2 after bigint
-- rows: at most 1000
-- plan: no sequential scan
select d.id, array[d.domain] as cells
from account_domain_blocks d
where d.account_id = $1 and d.id > $2
order by d.id
limit 1000
