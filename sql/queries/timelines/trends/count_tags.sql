-- count_tags: recounts the daily uses (UTC) of hashtags that were used since the latest count, or
-- in the hour before it (statuses commit late).
-- $1 days integer
-- $2 whole boolean
-- rows: one; hashtags: how many were counted
-- plan: no sequential scan of statuses
-- Counts statuses that everybody may find, of at most $1 days; with $2 all of these days and all
-- hashtags, so that statuses deleted or limited since then no longer count.
-- All 42,000 uses of a week: 150 ms.
with latest as (
  select case when $2::boolean then null else (select c.counted_at from trend_counts c where c.what = 'tags') end as counted_at
), since as (
  select greatest(
    first_snowflake(latest.counted_at - interval '1 hour'), first_snowflake(midnight((now() at time zone 'UTC')::date - $1::integer + 1))
  ) as id
  from latest
), updated as (
  select distinct x.tag_id from status_tags x where x.status_id >= (select since.id from since)
  union
  select d.tag_id from tag_days d where $2 and d.day >= (select snowflake_day(since.id) from since)
), counted as (
  -- One hashtag at a time, by index: a join of all would be planned as a hash of all statuses.
  select
    t.id as tag_id, used.day, count(*) as uses, count(distinct used.account_id) as accounts,
    mode() within group (order by used.language) as language
  from updated
  join tags t on t.id = updated.tag_id and t.usable
  cross join lateral (
    select snowflake_day(x.status_id) as day, s.account_id, s.language
    from status_tags x
    join listed_statuses(null) s on s.id = x.status_id
    where x.tag_id = t.id and x.status_id >= (select first_snowflake(midnight(snowflake_day(since.id))) from since)
    offset 0
  ) used
  group by 1, 2
), removed as (
  delete from tag_days d using updated
  where d.tag_id = updated.tag_id and d.day >= (select snowflake_day(since.id) from since)
    and not exists (select from counted where counted.tag_id = d.tag_id and counted.day = d.day)
), stored as (
  insert into tag_days as d (tag_id, day, uses, accounts, language)
  select counted.tag_id, counted.day, counted.uses, counted.accounts, counted.language from counted
  on conflict (tag_id, day) do update set uses = excluded.uses, accounts = excluded.accounts, language = excluded.language
  where (d.uses, d.accounts, d.language) is distinct from (excluded.uses, excluded.accounts, excluded.language)
), recorded as (
  insert into trend_counts (what, counted_at) values ('tags', now())
  on conflict (what) do update set counted_at = excluded.counted_at
)
select count(*)::integer as hashtags from updated
