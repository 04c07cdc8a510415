-- score_statuses: scores statuses by the number of local accounts that boosted or favourited them.
-- One is expected; more is scored by trend_score, which decays with the status' age. Statuses
-- without interactions in the period cost nothing.
-- $1 threshold integer
-- $2 half_life_s integer
-- $3 window_s integer
-- $4 least_score double precision
-- $5 limit integer
-- rows: one; scored: how many have a score
-- plan: no sequential scan of statuses
with favourited as (
  select f.status_id, count(*) as uses
  from favourites f
  where f.status_id >= first_snowflake(now() - make_interval(secs => $3::integer))
  group by f.status_id
), boosted as (
  select b.reblog_of_id as status_id, count(*) as uses
  from statuses b
  where b.reblog_of_id >= first_snowflake(now() - make_interval(secs => $3::integer)) and b.deleted_at is null
  group by b.reblog_of_id
), used as (
  select status_id, coalesce(favourited.uses, 0) + coalesce(boosted.uses, 0) as uses
  from favourited
  full join boosted using (status_id)
  where coalesce(favourited.uses, 0) + coalesce(boosted.uses, 0) >= $1::integer
), scored as (
  select s.id as status_id, decayed(trend_score(used.uses, 1, $1), now() - s.created_at, $2::integer) as score
  from used
  join trendable_statuses(null) s on s.id = used.status_id
  where not exists (
    select from quotes q
    where q.status_id = s.id
      and (q.state <> 'accepted' or not exists (select from trendable_statuses(null) o where o.id = q.quoted_status_id))
  )
), best as (
  select scored.status_id, scored.score
  from scored
  where scored.score >= $4::double precision
  order by scored.score desc
  limit $5::integer
), removed as (
  delete from status_trends r where not exists (select from best where best.status_id = r.status_id)
), stored as (
  insert into status_trends (status_id, score) select best.status_id, best.score from best
  on conflict (status_id) do update set score = excluded.score
)
select count(*)::integer as scored from best
