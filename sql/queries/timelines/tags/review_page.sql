-- review_page: all hashtags with what moderators have decided, newest first. With min_id the page
-- directly above it.
-- $1 max_id bigint
-- $2 since_id bigint
-- $3 min_id bigint
-- $4 limit integer
-- rows: at most $4
-- plan: no sequential scan
select part.id, part.name, part.display_name, part.usable, part.trendable, part.listable, part.reviewed
from (
  (
    select t.id, t.name, t.display_name, t.usable, t.trendable, t.listable, t.reviewed_at is not null as reviewed
    from tags t
    where $3::bigint is null and t.id < coalesce($1::bigint, 9223372036854775807) and t.id > coalesce($2::bigint, 0)
    order by t.id desc
    limit $4::integer
  )
  union all
  (
    select t.id, t.name, t.display_name, t.usable, t.trendable, t.listable, t.reviewed_at is not null as reviewed
    from tags t
    where $3 is not null and t.id > $3 and t.id < coalesce($1, 9223372036854775807)
    order by t.id
    limit $4::integer
  )
) part
order by part.id desc
