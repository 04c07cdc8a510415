-- follow_requests: the accounts that request to follow the viewer, newest request first.
-- $1 viewer bigint
-- $2 max_id bigint
-- $3 since_id bigint
-- $4 limit integer
-- rows: at most $4; id is the request's
-- plan: no sequential scan
select r.id, r.account_id
from follow_requests r
join accounts a on a.id = r.account_id
where r.target_account_id = $1
  and r.id < coalesce($2::bigint, 9223372036854775807)
  and r.id > coalesce($3::bigint, 0)
  and a.suspended_at is null and a.deletion_requested_at is null
order by r.id desc
limit $4::integer
