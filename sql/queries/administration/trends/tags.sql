-- tags: trending hashtags to review, highest score first, with their use in the last seven days.
-- $1 state text
-- $2 first date
-- $3 limit integer
-- $4 offset integer
-- rows: at most $3; $1: pending, approved, rejected or all
-- plan: no sequential scan of statuses
select
  t.id, t.display_name, t.trendable, t.usable, t.requested_review_at is not null and t.reviewed_at is null as requested,
  r.score, coalesce(week.uses, 0)::integer as uses, coalesce(week.accounts, 0)::integer as accounts
from tag_trends r
join tags t on t.id = r.tag_id
left join lateral (
  select sum(d.uses) as uses, sum(d.accounts) as accounts from tag_days d where d.tag_id = t.id and d.day >= $2::date
) week on true
where case $1
  when 'pending' then t.trendable is null
  when 'approved' then t.trendable
  when 'rejected' then not t.trendable
  else true
end
order by r.score desc, t.id
limit $3::integer offset $4::integer
