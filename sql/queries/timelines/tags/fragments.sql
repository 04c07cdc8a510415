-- fragments: hashtags by their identities, with their use in public statuses on each of the last
-- seven days (UTC).
-- Days before the latest count (timelines/trends/count_tags) are read from it. Later days are
-- counted here, so that the figures are exact, except for very busy hashtags, where that would take
-- long: they were counted minutes ago.
-- $1 names text[]
-- $2 first date
-- $3 busy integer
-- rows: one for each stored tag; history: [{day: seconds of its midnight, uses, accounts}], days
--   without use are missing
-- plan: no sequential scan
-- 10 statuses since: 0.1 ms; 1,000: 3 ms.
select
  t.id, t.name, t.display_name,
  coalesce(
    (
      select jsonb_agg(
        jsonb_build_object('day', extract(epoch from midnight(used.day))::bigint, 'uses', used.uses, 'accounts', used.accounts)
      )
      from (
        select d.day, d.uses, d.accounts
        from tag_days d
        where d.tag_id = t.id and d.day >= $2 and (d.day < counted.day or counted.busy)
        union all
        select snowflake_day(x.status_id), count(*), count(distinct s.account_id)
        from status_tags x
        join listed_statuses(null) s on s.id = x.status_id
        where not counted.busy and t.usable and x.tag_id = t.id and x.status_id >= first_snowflake(midnight(counted.day))
        group by 1
      ) used
    ),
    '[]'
  ) as history
from tags t
cross join lateral (
  select
    latest.day,
    exists (select from tag_days d where d.tag_id = t.id and d.day >= latest.day and d.uses >= $3::integer) as busy
  from (
    select greatest(
      $2::date, (select (c.counted_at at time zone 'UTC')::date from trend_counts c where c.what = 'tags')
    ) as day
  ) latest
) counted
where t.name = any ((select $1::text[])::text[])
