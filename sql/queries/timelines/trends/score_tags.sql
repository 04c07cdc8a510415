-- score_tags: scores today's hashtags. As many accounts as yesterday are expected; more is scored
-- by trend_score, whose peak is kept for a while and decays.
-- $1 threshold integer
-- $2 half_life_s integer
-- $3 peak_kept_s integer
-- rows: one; scored: how many have a score
-- plan: no sequential scan of statuses
with today as (
  select d.tag_id, d.language, trend_score(d.accounts, y.accounts, $1::integer) as score
  from tag_days d
  left join tag_days y on y.tag_id = d.tag_id and y.day = d.day - 1
  where d.day = (now() at time zone 'UTC')::date and d.accounts >= $1
), saved as (
  select r.tag_id, r.peak, r.peaked_at, r.language
  from tag_trends r
  where r.peaked_at > now() - make_interval(secs => $3::integer)
), peaks as (
  select
    coalesce(saved.tag_id, today.tag_id) as tag_id,
    coalesce(today.language, saved.language) as language,
    case when today.score > coalesce(saved.peak, 0) then today.score else saved.peak end as peak,
    case when today.score > coalesce(saved.peak, 0) then now() else saved.peaked_at end as peaked_at
  from saved
  full join today on today.tag_id = saved.tag_id
  where saved.tag_id is not null or today.score > 0
), removed as (
  delete from tag_trends r where not exists (select from peaks where peaks.tag_id = r.tag_id)
), stored as (
  insert into tag_trends (tag_id, peak, peaked_at, score, language)
  select peaks.tag_id, peaks.peak, peaks.peaked_at, decayed(peaks.peak, now() - peaks.peaked_at, $2::integer), peaks.language
  from peaks
  join tags t on t.id = peaks.tag_id and t.usable
  on conflict (tag_id) do update
    set peak = excluded.peak, peaked_at = excluded.peaked_at, score = excluded.score, language = excluded.language
)
select count(*)::integer as scored from peaks
