-- statuses: trending statuses to review, highest score first, with the decisions about them and
-- about their authors. The pending ones begin with those of authors whose review was requested.
-- $1 state text
-- $2 limit integer
-- $3 offset integer
-- rows: at most $2; $1: pending, approved, rejected or all; requested: the author's review
-- plan: all of status_trends; no sequential scan of statuses
select
  s.id, s.account_id, s.trendable, author.trendable as author_trendable,
  author.requested_review_at is not null and author.reviewed_at is null as requested, r.score
from status_trends r
join statuses s on s.id = r.status_id and s.deleted_at is null
join accounts author on author.id = s.account_id
where case $1
  when 'pending' then coalesce(s.trendable, author.trendable) is null
  when 'approved' then coalesce(s.trendable, author.trendable)
  when 'rejected' then not coalesce(s.trendable, author.trendable)
  else true
end
order by
  $1 = 'pending' and author.requested_review_at is not null and author.reviewed_at is null desc, r.score desc, s.id
limit $2::integer offset $3::integer
