-- tag_server_days: the number of other servers whose statuses used a hashtag, by day (UTC) and in
-- total.
-- $1 tag bigint
-- $2 first date
-- $3 last date
-- rows: one for each day with uses, and one without a day for the total; uses: the rows read for it
-- plan: no sequential scan; the uses of one hashtag by index
select used.day, count(distinct used.domain)::bigint as servers, count(*)::bigint as uses
from (
  select snowflake_day(x.status_id) as day, a.domain
  from status_tags x
  join statuses s on s.id = x.status_id
  join accounts a on a.id = s.account_id
  where x.tag_id = $1 and s.deleted_at is null
    and x.status_id >= first_snowflake(midnight($2::date)) and x.status_id < first_snowflake(midnight($3::date + 1))
) used
group by grouping sets ((used.day), ())
