-- trending_link: the link with this URL, if it trends and may be shown (as timelines/trends/links).
-- $1 url text
-- $2 undecided boolean
-- $3 least_score double precision
-- rows: one when there is such a link; $2: whether undecided links may be shown
-- plan: no sequential scan
select p.id
from preview_cards p
join link_trends r on r.preview_card_id = p.id
left join link_publishers publisher on publisher.domain = url_host(coalesce(p.page_url, p.url))
where p.url = $1 and r.score >= $3::double precision and coalesce(p.trendable, publisher.trendable, $2::boolean)
