-- publisher_page: the publishers of links that have trended, newest first; with min_id, the page
-- directly above it.
-- $1 max_id bigint
-- $2 since_id bigint
-- $3 min_id bigint
-- $4 limit integer
-- rows: at most $4
-- plan: no sequential scan
select part.id, part.domain, part.trendable, part.reviewed_at, part.requested_review_at
from (
  (
    select p.id, p.domain, p.trendable, p.reviewed_at, p.requested_review_at
    from link_publishers p
    where $3::bigint is null and p.id < coalesce($1::bigint, 9223372036854775807) and p.id > coalesce($2::bigint, 0)
    order by p.id desc
    limit $4::integer
  )
  union all
  (
    select p.id, p.domain, p.trendable, p.reviewed_at, p.requested_review_at
    from link_publishers p
    where $3 is not null and p.id > $3 and p.id < coalesce($1, 9223372036854775807)
    order by p.id
    limit $4::integer
  )
) part
order by part.id desc
