-- link_reviews: whether links need a review, with their shares on each of the last seven days
-- (UTC).
-- $1 ids bigint[]
-- $2 first date
-- rows: one for each link that exists; history as that of timelines/tags/fragments
-- plan: no sequential scan
select
  p.id, p.trendable is null and publisher.reviewed_at is null as requires_review,
  coalesce(
    (
      select jsonb_agg(
        jsonb_build_object('day', extract(epoch from midnight(d.day))::bigint, 'uses', d.uses, 'accounts', d.accounts)
      )
      from link_days d
      where d.preview_card_id = p.id and d.day >= $2::date
    ),
    '[]'
  ) as history
from preview_cards p
left join link_publishers publisher on publisher.domain = url_host(coalesce(p.page_url, p.url))
where p.id = any ((select $1::bigint[])::bigint[])
