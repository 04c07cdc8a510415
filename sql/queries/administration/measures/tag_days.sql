-- tag_days: the use of a hashtag in statuses that everybody may find, by day (UTC) and in total, as
-- in its history (timelines/tags/fragments).
-- $1 tag bigint
-- $2 first date
-- $3 last date
-- rows: one for each day with uses, and one without a day for the total
-- plan: no sequential scan; the uses of one hashtag by index
select used.day, count(*)::bigint as uses, count(distinct used.account_id)::bigint as accounts
from (
  select snowflake_day(x.status_id) as day, s.account_id
  from status_tags x
  join listed_statuses(null) s on s.id = x.status_id
  where x.tag_id = $1
    and x.status_id >= first_snowflake(midnight($2::date)) and x.status_id < first_snowflake(midnight($3::date + 1))
) used
group by grouping sets ((used.day), ())
