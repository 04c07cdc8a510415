-- page: the domains that the viewer blocks, latest block first.
-- $1 viewer bigint
-- $2 max_id bigint
-- $3 since_id bigint
-- $4 limit integer
-- rows: at most $4; id is the block's
-- plan: no sequential scan
select d.id, d.domain
from account_domain_blocks d
where d.account_id = $1
  and d.id < coalesce($2::bigint, 9223372036854775807) and d.id > coalesce($3::bigint, 0)
order by d.id desc
limit $4::integer
