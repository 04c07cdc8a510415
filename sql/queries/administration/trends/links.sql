-- links: trending links to review, highest score first, with their publishers and their use in the
-- last seven days.
-- $1 state text
-- $2 first date
-- $3 limit integer
-- $4 offset integer
-- rows: at most $3; $1: pending, approved, rejected or all
-- plan: no sequential scan of statuses
select
  p.id, p.url, p.title, p.provider_name, p.trendable, publisher.domain as publisher,
  publisher.trendable as publisher_trendable, r.score,
  coalesce(week.uses, 0)::integer as uses, coalesce(week.accounts, 0)::integer as accounts
from link_trends r
join preview_cards p on p.id = r.preview_card_id
left join link_publishers publisher on publisher.domain = url_host(coalesce(p.page_url, p.url))
left join lateral (
  select sum(d.uses) as uses, sum(d.accounts) as accounts
  from link_days d
  where d.preview_card_id = p.id and d.day >= $2::date
) week on true
where case $1
  when 'pending' then coalesce(p.trendable, publisher.trendable) is null
  when 'approved' then coalesce(p.trendable, publisher.trendable)
  when 'rejected' then not coalesce(p.trendable, publisher.trendable)
  else true
end
order by r.score desc, p.id
limit $3::integer offset $4::integer
