-- bookmarks: the statuses that the viewer has bookmarked and may see, latest bookmark first. With
-- min_id the page directly above it.
-- $1 viewer bigint
-- $2 max_id bigint
-- $3 since_id bigint
-- $4 min_id bigint
-- $5 limit integer
-- rows: one a bookmark; id is that of the bookmark
-- plan: no sequential scan
select part.id, part.status_id
from (
  (
    select r.id, r.status_id
    from bookmarks r
    join visible_statuses($1) s on s.id = r.status_id
    where $4::bigint is null and r.account_id = $1
      and ($2::bigint is null or r.id < $2) and ($3::bigint is null or r.id > $3)
    order by r.id desc
    limit $5::integer
  )
  union all
  (
    select r.id, r.status_id
    from bookmarks r
    join visible_statuses($1) s on s.id = r.status_id
    where $4::bigint is not null and r.account_id = $1 and r.id > $4 and ($2::bigint is null or r.id < $2)
    order by r.id
    limit $5::integer
  )
) part
order by part.id desc
