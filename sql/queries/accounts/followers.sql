-- followers: the followers of an account, newest follow first. Empty when the account blocks the
-- viewer; the owner sees all.
-- $1 viewer bigint
-- $2 account bigint
-- $3 max_id bigint
-- $4 since_id bigint
-- $5 limit integer
-- rows: at most $5; id is the follow's
-- plan: no sequential scan
select f.id, f.account_id
from follows f
join unhidden_accounts(nullif($1::bigint, $2::bigint)) a on a.id = f.account_id
where f.target_account_id = $2
  and f.id < coalesce($3::bigint, 9223372036854775807)
  and f.id > coalesce($4::bigint, 0)
  and not a.pending and a.deletion_requested_at is null
  and not exists (select from blocks b where b.account_id = $2 and b.target_account_id = $1)
order by f.id desc
limit $5::integer
