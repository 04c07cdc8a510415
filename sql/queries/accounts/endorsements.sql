-- endorsements: the accounts that an account features, by id.
-- $1 account bigint
-- $2 max_id bigint
-- $3 since_id bigint
-- $4 limit integer
-- rows: at most $4, all of them when it is null
-- plan: no sequential scan
select e.target_account_id as id
from endorsements e
join accounts a on a.id = e.target_account_id
where e.account_id = $1
  and e.target_account_id < coalesce($2::bigint, 9223372036854775807)
  and e.target_account_id > coalesce($3::bigint, 0)
  and a.suspended_at is null and a.deletion_requested_at is null
order by e.target_account_id desc
limit $4::integer
