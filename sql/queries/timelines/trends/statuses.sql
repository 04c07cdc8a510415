-- statuses: the best trending status of each author that may be shown, those in the preferred
-- languages first. Omits authors whom the viewer (null: anonymous) blocks or mutes, or may not see.
-- $1 viewer bigint
-- $2 languages text[]
-- $3 undecided boolean
-- $4 limit integer
-- $5 offset integer
-- rows: at most $4; $3: whether undecided statuses may be shown
-- plan: no sequential scan of statuses
select best.id
from (
  select distinct on (s.account_id) s.id, s.language, r.score
  from status_trends r
  join trendable_statuses($1) s on s.id = r.status_id
  join accounts author on author.id = s.account_id
  where coalesce(s.trendable, author.trendable, $3::boolean)
  order by s.account_id, r.score desc, s.id
) best
order by best.language = any ((select $2::text[])::text[]) desc, best.score desc, best.id
limit $4::integer offset $5::integer
