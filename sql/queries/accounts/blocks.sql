-- blocks: the accounts that the viewer blocks, newest block first.
-- $1 viewer bigint
-- $2 max_id bigint
-- $3 since_id bigint
-- $4 limit integer
-- rows: at most $4; id is the block's
-- plan: no sequential scan
select b.id, b.target_account_id as account_id
from blocks b
join accounts a on a.id = b.target_account_id
where b.account_id = $1
  and b.id < coalesce($2::bigint, 9223372036854775807)
  and b.id > coalesce($3::bigint, 0)
  and a.suspended_at is null and a.deletion_requested_at is null
order by b.id desc
limit $4::integer
