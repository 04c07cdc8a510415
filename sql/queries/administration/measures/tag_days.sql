-- tag_days: the use of a hashtag in statuses that everybody may find, by day (UTC), as in its
-- history (timelines/tags/fragments).
-- $1 tag bigint
-- $2 first date
-- $3 last date
-- rows: one for each day with uses; first_uses: the accounts that had not used it earlier in the
--   period
-- plan: no sequential scan; the counters of one hashtag by key
select
  c.day, sum(c.uses)::bigint as uses, sum(c.accounts)::bigint as accounts,
  coalesce(sum(c.accounts) filter (where c.day - c.distance < $2::date), 0)::bigint as first_uses
from tag_use_days c
where c.tag_id = $1 and c.day >= $2 and c.day <= $3::date
group by c.day
