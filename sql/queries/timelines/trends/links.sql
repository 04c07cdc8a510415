-- links: trending links that may be shown, those in the preferred languages first, with their
-- shares on each of the last seven days (UTC).
-- $1 languages text[]
-- $2 undecided boolean
-- $3 least_score double precision
-- $4 first date
-- $5 limit integer
-- $6 offset integer
-- rows: at most $5; $2: whether undecided links may be shown; history as that of
--   timelines/tags/fragments
-- plan: no sequential scan of statuses
select
  part.id,
  coalesce(
    (
      select jsonb_agg(
        jsonb_build_object('day', extract(epoch from midnight(d.day))::bigint, 'uses', d.uses, 'accounts', d.accounts)
      )
      from link_days d
      where d.preview_card_id = part.id and d.day >= $4::date
    ),
    '[]'
  ) as history
from (
  select p.id, p.language, r.score
  from link_trends r
  join preview_cards p on p.id = r.preview_card_id
  left join link_publishers publisher on publisher.domain = url_host(coalesce(p.page_url, p.url))
  where r.score >= $3::double precision and coalesce(p.trendable, publisher.trendable, $2::boolean)
  order by (p.language = any ((select $1::text[])::text[])) is true desc, r.score desc, p.id
  limit $5::integer offset $6::integer
) part
order by (part.language = any ((select $1::text[])::text[])) is true desc, part.score desc, part.id
