-- statuses_of_above: the statuses of an account that the viewer may see.
-- $1 viewer bigint
-- $2 account bigint
-- $3 max_id bigint
-- $4 min_id bigint
-- $5 limit integer
-- $6 exclude_reblogs boolean
-- $7 exclude_direct boolean
-- rows: at most $5, oldest first
-- plan: no sequential scan
select s.id
from profile_statuses($1::bigint, $2::bigint, false, $6, $7, false) s
where s.id < coalesce($3::bigint, 9223372036854775807) and s.id > coalesce($4::bigint, 0)
order by s.id
limit $5::integer
