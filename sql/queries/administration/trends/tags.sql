-- tags: trending hashtags to review, highest score first, with their use in the last seven days.
-- The pending ones begin with all whose review was requested, also if they no longer trend.
-- $1 state text
-- $2 first date
-- $3 limit integer
-- $4 offset integer
-- rows: at most $3; $1: pending, approved, rejected or all
-- plan: all of tag_trends, and requested reviews by tags_to_review; no sequential scan of tags or
--   statuses
select
  t.id, t.display_name, t.trendable, t.usable, t.requested_review_at is not null and t.reviewed_at is null as requested,
  listed.score, coalesce(week.uses, 0)::integer as uses, coalesce(week.accounts, 0)::integer as accounts
from (
  select r.tag_id, r.score from tag_trends r
  union all
  select asked.id, 0
  from tags asked
  where $1 = 'pending' and asked.requested_review_at is not null and asked.reviewed_at is null
    and not exists (select from tag_trends r where r.tag_id = asked.id)
) listed
join tags t on t.id = listed.tag_id
left join lateral (
  select sum(d.uses) as uses, sum(d.accounts) as accounts from tag_days d where d.tag_id = t.id and d.day >= $2::date
) week on true
where case $1
  when 'pending' then t.trendable is null
  when 'approved' then t.trendable
  when 'rejected' then not t.trendable
  else true
end
order by
  $1 = 'pending' and t.requested_review_at is not null and t.reviewed_at is null desc, listed.score desc, t.id
limit $3::integer offset $4::integer
