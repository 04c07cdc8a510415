-- without_replies_of: the statuses of an account without replies to others.
-- $1 viewer bigint
-- $2 account bigint
-- $3 max_id bigint
-- $4 since_id bigint
-- $5 min_id bigint
-- $6 limit integer
-- $7 exclude_reblogs boolean
-- $8 exclude_direct boolean
-- rows: at most $6, newest first: the newest above since_id and below max_id, or, with min_id,
--   those directly above it
-- plan: no sequential scan
select found.id
from (
  (
    select s.id
    from profile_statuses($1::bigint, $2::bigint, true, $7, $8, false) s
    where $5::bigint is null
      and s.id < coalesce($3::bigint, 9223372036854775807)
      and s.id > coalesce($4::bigint, 0)
    order by s.id desc
    limit $6::integer
  )
  union all
  (
    select s.id
    from profile_statuses($1::bigint, $2::bigint, true, $7, $8, false) s
    where s.id > $5::bigint
      and s.id < coalesce($3::bigint, 9223372036854775807)
    order by s.id
    limit $6::integer
  )
) found
order by found.id desc
