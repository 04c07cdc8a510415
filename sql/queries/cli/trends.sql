-- trends: all scored subjects, the highest first, with the moderators' decisions.
-- $1 undecided boolean
-- rows: one for each hashtag, link and status; $1: only undecided ones; trendable: null is
--   undecided
-- plan: no sequential scan
select ranked.kind, ranked.name, ranked.score, ranked.trendable
from (
  select 'tag' as kind, t.name, r.score, t.trendable
  from tag_trends r
  join tags t on t.id = r.tag_id
  union all
  select 'link', p.url, r.score, coalesce(p.trendable, publisher.trendable)
  from link_trends r
  join preview_cards p on p.id = r.preview_card_id
  left join link_publishers publisher on publisher.domain = url_host(coalesce(p.page_url, p.url))
  union all
  select 'status', s.id::text, r.score, coalesce(s.trendable, author.trendable)
  from status_trends r
  join statuses s on s.id = r.status_id
  join accounts author on author.id = s.account_id
) ranked
where not $1::boolean or ranked.trendable is null
order by ranked.kind, ranked.score desc, ranked.name
