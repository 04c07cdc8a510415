-- followed: the hashtags that the viewer follows, latest follow first. With min_id the page
-- directly above it.
-- $1 viewer bigint
-- $2 max_id bigint
-- $3 since_id bigint
-- $4 min_id bigint
-- $5 limit integer
-- rows: at most $5; id is that of the follow
-- plan: no sequential scan
select part.id, part.name
from (
  (
    select f.id, t.name
    from tag_follows f
    join tags t on t.id = f.tag_id
    where $4::bigint is null and f.account_id = $1
      and f.id < coalesce($2::bigint, 9223372036854775807) and f.id > coalesce($3::bigint, 0)
    order by f.id desc
    limit $5::integer
  )
  union all
  (
    select f.id, t.name
    from tag_follows f
    join tags t on t.id = f.tag_id
    where $4 is not null and f.account_id = $1 and f.id > $4 and f.id < coalesce($2, 9223372036854775807)
    order by f.id
    limit $5::integer
  )
) part
order by part.id desc
