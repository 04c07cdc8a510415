-- status_reviews: whether public statuses need a review. Others cannot trend.
-- $1 ids bigint[]
-- rows: one for each public status that exists
-- plan: no sequential scan
select s.id, s.trendable is null and author.reviewed_at is null as requires_review
from visible_statuses(null) s
join accounts author on author.id = s.account_id
where s.id = any ((select $1::bigint[])::bigint[]) and s.visibility = 'public' and s.reblog_of_id is null
