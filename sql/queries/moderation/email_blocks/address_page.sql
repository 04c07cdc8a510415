-- address_page: the blocked addresses, newest first. With min_id the page directly above it.
-- $1 max_id bigint
-- $2 since_id bigint
-- $3 min_id bigint
-- $4 limit integer
-- rows: at most $4
-- plan: no sequential scan
select part.id, part.canonical_email_hash
from (
  (
    select b.id, b.canonical_email_hash
    from canonical_email_blocks b
    where $3::bigint is null and b.id < coalesce($1::bigint, 9223372036854775807) and b.id > coalesce($2::bigint, 0)
    order by b.id desc
    limit $4::integer
  )
  union all
  (
    select b.id, b.canonical_email_hash
    from canonical_email_blocks b
    where $3 is not null and b.id > $3 and b.id < coalesce($1, 9223372036854775807)
    order by b.id
    limit $4::integer
  )
) part
order by part.id desc
