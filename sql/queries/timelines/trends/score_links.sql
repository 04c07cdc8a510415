-- score_links: scores today's links to articles that have all the data to be shown, as
-- timelines/trends/score_tags; stores their publishers, so that moderators can decide about them.
-- $1 threshold integer
-- $2 half_life_s integer
-- $3 peak_kept_s integer
-- rows: one; scored: how many have a score
-- plan: no sequential scan of statuses
with today as (
  select d.preview_card_id, trend_score(d.accounts, y.accounts, $1::integer) as score
  from link_days d
  left join link_days y on y.preview_card_id = d.preview_card_id and y.day = d.day - 1
  where d.day = (now() at time zone 'UTC')::date and d.accounts >= $1
), saved as (
  select r.preview_card_id, r.peak, r.peaked_at
  from link_trends r
  where r.peaked_at > now() - make_interval(secs => $3::integer)
), peaks as (
  select
    coalesce(saved.preview_card_id, today.preview_card_id) as preview_card_id,
    case when today.score > coalesce(saved.peak, 0) then today.score else saved.peak end as peak,
    case when today.score > coalesce(saved.peak, 0) then now() else saved.peaked_at end as peaked_at
  from saved
  full join today on today.preview_card_id = saved.preview_card_id
  where saved.preview_card_id is not null or today.score > 0
), articles as (
  select peaks.preview_card_id, peaks.peak, peaks.peaked_at, url_host(coalesce(p.page_url, p.url)) as domain
  from peaks
  join preview_cards p on p.id = peaks.preview_card_id
  where p.type = 'link' and p.article and p.title <> '' and p.description <> '' and p.image_key is not null and p.provider_name <> ''
    and p.language is not null and url_host(coalesce(p.page_url, p.url)) is not null
), removed as (
  delete from link_trends r where not exists (select from articles where articles.preview_card_id = r.preview_card_id)
), publishers as (
  insert into link_publishers (domain)
  select distinct articles.domain from articles
  where not exists (select from link_publishers known where known.domain = articles.domain)
  on conflict (domain) do nothing
), stored as (
  insert into link_trends (preview_card_id, peak, peaked_at, score)
  select
    articles.preview_card_id, articles.peak, articles.peaked_at,
    decayed(articles.peak, now() - articles.peaked_at, $2::integer)
  from articles
  on conflict (preview_card_id) do update
    set peak = excluded.peak, peaked_at = excluded.peaked_at, score = excluded.score
)
select count(*)::integer as scored from articles
